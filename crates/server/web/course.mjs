// Keeps a copy of docs/course beside the page, for the program.
import { cpSync, rmSync } from 'node:fs';

rmSync('../assets/course', { recursive: true, force: true });
cpSync('../../../docs/course', '../assets/course', { recursive: true, filter: (path) => !path.endsWith('README.md') });
