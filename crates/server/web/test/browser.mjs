// Debian's Chromium, and a server of its own for each test file.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

export const program = process.env.TREEGRAFT ?? '../../../target/release/treegraft';

/** Starts the program; resolves when it says where the page is. */
export async function serve(...args) {
  const child = spawn(program, ['serve', '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      const found = /http:\/\/[\d.:]+\//.exec(text);
      if (found) resolve(found[0]);
    });
  });
  return { address, pid: child.pid, stop: () => child.kill('SIGTERM') };
}

/** Starts the browser with a profile of its own. */
export async function browse() {
  const profile = mkdtempSync(join(tmpdir(), 'treegraft-page-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    hasTouch: true,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Notes how long the tasks of a page take, by a trace of the browser. */
export async function watchTasks(context, page) {
  const session = await context.newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'];
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  return {
    async end() {
      const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
      await session.send('Tracing.end');
      await complete;
      const threads = new Set(
        events.filter((it) => it.name === 'thread_name' && it.args.name === 'CrRendererMain').map((it) => `${it.pid} ${it.tid}`),
      );
      const tasks = events.filter((it) => it.ph === 'X' && it.name.endsWith('RunTask') && threads.has(`${it.pid} ${it.tid}`));
      const isProcessorTime = tasks.some((it) => it.tdur !== undefined);
      const longest = Math.max(0, ...tasks.map((it) => (isProcessorTime ? (it.tdur ?? 0) : it.dur) / 1000));
      return { longest, count: tasks.length, isProcessorTime };
    },
  };
}
