// Writes a hash of everything that the page is built from beside the page, so that a test can tell
// whether it was built again: the SHA-256 of a line per file, its own SHA-256 and its path.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const inside = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? inside(path) : [path];
  });
const single = ['index.html', 'package.json', 'package-lock.json', 'svelte.config.js', 'tsconfig.json', 'vite.config.ts'];
const files = [...single, ...inside('src'), ...inside('public')].sort();
const lines = files.map((path) => `${sha256(readFileSync(join('.', path)))}  ${path}\n`);
writeFileSync('../assets/sources.sha256', `${sha256(lines.join(''))}\n`);
