/** For tests: data folders with a migrated database without rows; copying it costs half of migrating. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFile } from '../app/data-folder.ts';
import { openStores } from '../app/stores.ts';

let migrated: Promise<Buffer> | undefined;

export async function migratedFolder(): Promise<string> {
  migrated ??= migrate();
  const folder = await emptyFolder();
  await writeFile(databaseFile(folder), await migrated, { mode: 0o600 });
  return folder;
}

const emptyFolder = () => mkdtemp(join(tmpdir(), 'shingle-'));

async function migrate(): Promise<Buffer> {
  const folder = await emptyFolder();
  await (await openStores({ DATA_DIR: folder })).close();
  const bytes = await readFile(databaseFile(folder));
  await rm(folder, { recursive: true });
  return bytes;
}
