/** Lost files on a disk that is almost full. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { handTyped } from '../columns.ts';
import { all, run, script } from '../database.ts';
import { type FileLoss, openSqlite } from './sqlite.ts';

it('lost files are saved only once the disk has room for them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shingle-rescue-'));
  const path = join(folder, 'test.db');
  const losses: FileLoss[] = [];
  let free = 0;
  const database = openSqlite(path, {
    watchMs: 1_000_000,
    recovery: {
      freeBytes: () => free,
      keepIn: join(folder, 'backups'),
      onLoss: (loss) => losses.push(loss),
      onReturn: () => losses.splice(0),
    },
  });
  await database.write(() => script('CREATE TABLE note (id INTEGER PRIMARY KEY)'));
  const add = (id: number) => database.write(() => run('INSERT INTO note (id) VALUES (?)', [id]));
  await add(1);
  await rm(path);
  await expect(add(2)).rejects.toThrow('moved, deleted or overwritten');
  expect(losses).toMatchObject([{ files: [path], error: { code: 'UNUSABLE_BACKUP' } }]);
  expect(await readdir(folder)).not.toContainEqual(expect.stringContaining('.part-'));

  free = 2 ** 30;
  await database.close();
  expect(losses.slice(1)).toEqual([{ files: [path], keptIn: undefined }]);
  const reopened = openSqlite(path);
  expect(reopened.readNow(() => all(handTyped('SELECT id FROM note')))).toEqual([{ id: 1 }]);
  await reopened.close();
  await rm(folder, { recursive: true });
});
