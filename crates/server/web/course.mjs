// Keeps a copy of docs/course beside the page, for the program.
import { cpSync, rmSync, statSync } from 'node:fs';

rmSync('../assets/course', { recursive: true, force: true });
// Not what somebody who tries the commands leaves beside it.
const isKept = (path) => statSync(path).isDirectory() || (/\.(md|svg|toml)$/.test(path) && !path.endsWith('README.md'));
cpSync('../../../docs/course', '../assets/course', { recursive: true, filter: isKept });
