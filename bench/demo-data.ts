/** Databases filled by `npm run admin -- demo`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedSecret } from './cluster.ts';

/** Creates a data folder with this number of events, up to now; reports progress on stderr. */
export async function demoFolder(events: number, days: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shingle-volume-'));
  await fillWithDemo({ DATA_DIR: folder }, events, days);
  return folder;
}

/** Fills the empty database of a site with these environment variables. */
export async function fillWithDemo(
  settings: Record<string, string>,
  events: number,
  days: number,
): Promise<void> {
  const startedAt = performance.now();
  console.error(`Making ${events.toLocaleString('en-US')} events over ${days} days …`);
  const options = ['demo', '--events', String(events), '--days', String(days)];
  const child = spawn(process.execPath, ['dist/server/admin.js', ...options], {
    env: { PATH: process.env.PATH, SESSION_SECRET: sharedSecret, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The demo ended with exit code ${code}.`);
  console.error(`… made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
}

/** Total size of the files in a folder, in bytes. */
export async function folderSize(folder: string): Promise<number> {
  const names = await readdir(folder);
  const files = await Promise.all(names.map((name) => stat(join(folder, name))));
  return files.reduce((sum, { size }) => sum + size, 0);
}
