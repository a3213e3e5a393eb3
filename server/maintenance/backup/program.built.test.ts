/** The nightly backup in a child process, with the built command line. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openStores } from '../../stores/stores.ts';
import { createBackupDownload } from './download.ts';
import { backupBy } from './program.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shingle-night-'));
});
afterEach(() => rm(folder, { recursive: true }));

const program = resolve('dist/server/admin.js');
const backUp = (signal = new AbortController().signal) =>
  backupBy(program, folder)('--nightly', signal);

it('nightly backup process writes its file while stores are open', async () => {
  const stores = await openStores({ DATA_DIR: folder });
  await backUp();
  await stores.close();
  expect(await readdir(join(folder, 'backups'))).toEqual([
    expect.stringMatching(/^nightly-\d{4}-\d{2}-\d{2}\.db$/),
  ]);
});

it('nightly backup process rejects with the last line of its output', async () => {
  await writeFile(join(folder, 'shingle.db'), 'nonsense '.repeat(1000));
  await expect(backUp()).rejects.toThrow(/^The database file in DATA_DIR is damaged\. /);
});

it('nightly backup process ends when it is aborted', async () => {
  await (await openStores({ DATA_DIR: folder })).close();
  const stopping = new AbortController();
  const work = backUp(stopping.signal);
  stopping.abort();
  await expect(work).rejects.toThrow();
});

it('backup for a download leaves no file when it is aborted while it is made', async () => {
  await (await openStores({ DATA_DIR: folder })).close();
  const files = () => readdir(join(folder, 'backups')).catch(() => []);
  const gone = new AbortController();
  const open = createBackupDownload({
    location: { DATA_DIR: folder },
    async backUpTo(file, signal) {
      const work = backupBy(program, folder)(file, signal);
      await vi.waitUntil(async () => (await files()).length > 0, { timeout: 20_000, interval: 1 });
      // On a busy machine the program has ended by now.
      gone.abort();
      await work;
    },
    now: Date.now,
  });
  await expect(open(gone.signal)).rejects.toThrow();
  expect(await files()).toEqual([]);
});
