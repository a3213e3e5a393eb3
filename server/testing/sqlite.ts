/** For tests: data folders with a migrated, empty database. A copy takes half the time of a migration. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../database/migrate.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { databaseFile } from '../stores/data-folder.ts';

let migrated: Promise<Buffer> | undefined;

/** Creates a temporary data folder; the caller deletes it. */
export async function migratedFolder(): Promise<string> {
  migrated ??= migratedFile();
  const folder = await emptyFolder();
  await writeFile(databaseFile(folder), await migrated, { mode: 0o600 });
  return folder;
}

const emptyFolder = () => mkdtemp(join(tmpdir(), 'shingle-'));

async function migratedFile(): Promise<Buffer> {
  const folder = await emptyFolder();
  // A write-ahead log would keep the tables until the driver's statements are garbage-collected.
  const database = openSqlite(databaseFile(folder), { asIs: true });
  await migrate(database);
  await database.close();
  const bytes = await readFile(databaseFile(folder));
  await rm(folder, { recursive: true });
  return bytes;
}
