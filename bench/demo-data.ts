/** Data folders full of made-up activity, as the owner's own `demo` makes them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedSecret } from './cluster.ts';

/** Makes a folder with so many events, up to now; says on stderr what it is doing. */
export async function demoFolder(events: number, days: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shingle-volume-'));
  await fillWithDemo({ DATA_DIR: folder }, events, days);
  return folder;
}

/** The same in the empty database of a site with these settings. */
export async function fillWithDemo(
  settings: Record<string, string>,
  events: number,
  days: number,
): Promise<void> {
  const begun = performance.now();
  console.error(`Making ${events.toLocaleString('en-US')} events over ${days} days …`);
  const options = ['demo', '--events', String(events), '--days', String(days)];
  const child = spawn(process.execPath, ['dist/server/admin.js', ...options], {
    env: { PATH: process.env.PATH, SESSION_SECRET: sharedSecret, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The demo ended with exit code ${code}.`);
  console.error(`… made in ${((performance.now() - begun) / 1000).toFixed(0)} s.`);
}

/** Bytes of all files in a folder. */
export async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder);
  const files = await Promise.all(names.map((name) => stat(join(folder, name))));
  return files.reduce((sum, { size }) => sum + size, 0);
}
