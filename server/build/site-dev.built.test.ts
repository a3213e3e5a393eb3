/** Starts the development server on a copy of the project. What the browser does with it: `e2e/dev.spec.ts`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../testing/free-port.ts';
import { copyProject } from '../testing/project-copy.ts';

it('development server serves the site, the admin screens and the API', async () => {
  const folder = copyProject();
  const port = await freePort();
  const server = spawn(process.execPath, ['node_modules/vite/bin/vite.js', '--host', 'localhost'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: `${port}`, DATA_DIR: join(folder, 'data') },
    stdio: 'ignore',
  });
  const exit = once(server, 'exit');
  const statusOf = (path: string) =>
    fetch(`http://localhost:${port}${path}`).then(({ status }) => status, String);
  try {
    await expect.poll(() => statusOf('/readyz'), { timeout: 60_000 }).toBe(200);
    const paths = ['/', '/admin', '/src/main.tsx', '/api/analytics/dashboard'];
    expect(await Promise.all(paths.map(statusOf))).toEqual([200, 200, 200, 401]);
  } finally {
    server.kill();
    await exit;
    rmSync(folder, { recursive: true });
  }
}, 120_000);
