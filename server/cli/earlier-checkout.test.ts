/** A database of a checkout before the baseline schema is refused, and stays as it is. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyFields } from '../contract/contact-fields.ts';
import { handTyped } from '../database/columns.ts';
import { all, type Database, script } from '../database/database.ts';
import { openPostgres } from '../database/postgres/postgres.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { databaseFile } from '../stores/data-folder.ts';
import { openStores } from '../stores/stores.ts';
import { createOwner, type TestOwner } from '../testing/cli-io.ts';
import { freshSchema } from '../testing/engines.ts';

/** Tables of the last schema before the baseline, with the message that a visitor sent. */
const earlier = (integer: string) => `
  CREATE TABLE schema_version (version ${integer} PRIMARY KEY, oldest ${integer});
  INSERT INTO schema_version (version) VALUES (7), (22);
  CREATE TABLE contact_message (id TEXT PRIMARY KEY, received_at ${integer}, name TEXT, email TEXT,
    company TEXT, message TEXT, draft TEXT, folder TEXT, is_read ${integer}, suspicions TEXT, letter TEXT,
    moved_at ${integer});
  INSERT INTO contact_message (id, received_at, name, email, message, folder, is_read)
    VALUES ('a', 1, 'Ada', 'ada@example.com', 'Hello', 'inbox', 0);
  CREATE TABLE mark (kind ${integer}, at ${integer}, serial ${integer}, control TEXT, source ${integer});
  CREATE TABLE admin_session (id_hash TEXT PRIMARY KEY);
  INSERT INTO admin_session (id_hash) VALUES ('a');`;

const refusal =
  /was (written|made) by an earlier checkout of Shingle \(its schema is 22\).* 3478040/;

async function fillEarlier(database: Database, integer: string): Promise<void> {
  await database.write(() => script(earlier(integer)));
  // Empties the write-ahead log, so that any write changes the file.
  await database.wipeDeletedRows();
  await database.close();
}

const fillFile = (file: string) => fillEarlier(openSqlite(file), 'INTEGER');

const commands = [
  [['status']],
  [['messages']],
  [['verify']],
  [['sign-in-link']],
  [['sessions']],
  [['demo']],
  [['conversions', 'export', 'sales.csv']],
  [['activity', 'export', 'activity.csv']],
  [['person', 'export', 'ada@example.com']],
  [['backup']],
  [['backup', 'copy.db']],
];

let owner: TestOwner;

describe('in a data folder', () => {
  const file = () => databaseFile(owner.folder);
  /** The database and its write-ahead log, which may be missing. */
  const bytes = () =>
    Promise.all(['', '-wal'].map((ending) => readFile(file() + ending, 'hex').catch(() => '')));

  beforeEach(async () => {
    owner = await createOwner();
    await fillFile(file());
  });
  afterEach(() => owner.remove());

  it.each(commands)('command %j refuses it and writes nothing to it', async (args) => {
    const before = await bytes();
    const { code, err } = await owner.admin(args);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(refusal) });
    expect(await bytes()).toEqual(before);
  });

  it('the site refuses it and writes nothing to it', async () => {
    const before = await bytes();
    const handlers = { onLoss: () => {}, onReturn: () => {} };
    const opening = openStores({ DATA_DIR: owner.folder }, {}, { recovery: handlers });
    await expect(opening).rejects.toMatchObject({
      code: 'EARLIER_DATABASE',
      message: expect.stringMatching(refusal),
    });
    expect(await bytes()).toEqual(before);
  });

  it('move refuses it as the source, and creates no target', async () => {
    const { url, remove } = await freshSchema();
    expect(await owner.admin(['move', '--to', url])).toMatchObject({
      code: 1,
      err: expect.stringMatching(refusal),
    });
    const target = await openPostgres(url);
    expect(await target.read(() => all(tables))).toEqual([{ name: 'writer' }]);
    await target.close();
    await remove();
  });

  it('restore of a current backup keeps it in a folder of its own', async () => {
    const current = await createOwner();
    await current.inside(async () => {});
    await current.admin(['backup', 'current.db']);
    const { code, out } = await owner.admin(['restore', join(current.folder, 'current.db')]);
    expect(code).toBe(0);
    const aside = /kept in (\S+)\. Delete/.exec(out)?.[1] ?? '';
    const database = openSqlite(join(aside, 'shingle.db'), { asIs: true });
    expect(database.readNow(() => all(messages))).toEqual([{ id: 'a', draft: null }]);
    await database.close();
    await current.remove();
  });
});

it('restore refuses a backup of an earlier checkout before it replaces the database', async () => {
  owner = await createOwner();
  await owner.inside(async ({ contact }) => {
    const sender = { ...emptyFields, name: 'Bob', email: 'bob@example.com' };
    await contact.add({ id: 'b', receivedAt: 1, ...sender, message: 'Hello' });
  });
  await fillFile(join(owner.folder, 'earlier.db'));
  const { code, err } = await owner.admin(['restore', 'earlier.db']);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(refusal) });
  expect(await owner.inside(({ contact }) => contact.count())).toBe(1);
  await owner.remove();
});

const tables = handTyped<{ name: string }>(
  'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename',
);
const messages = handTyped<{ id: string; draft: string | null }>(
  'SELECT id, draft FROM contact_message',
);

describe('on PostgreSQL', () => {
  let fresh: Awaited<ReturnType<typeof freshSchema>>;

  beforeEach(async () => {
    fresh = await freshSchema();
    const settings = { DATABASE_URL: fresh.url, SESSION_SECRET: 'secret of every instance' };
    owner = await createOwner({
      name: 'PostgreSQL',
      create: async () => ({ settings, remove: fresh.remove }),
    });
    await fillEarlier(await openPostgres(fresh.url), 'bigint');
  });
  afterEach(() => owner.remove());

  const contents = async () => {
    const database = await openPostgres(fresh.url);
    return Promise.all([
      database.read(() => all(tables)),
      database.read(() => all(messages)),
    ]).finally(database.close);
  };

  it.each(commands)('command %j refuses it and writes nothing to it', async (args) => {
    const before = await contents();
    const { code, err } = await owner.admin(args);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(refusal) });
    expect(await contents()).toEqual(before);
  });

  it('move refuses it as the source and as the target', async () => {
    const before = await contents();
    const moved = await owner.admin(['move', '--to', 'sqlite']);
    expect(moved).toMatchObject({ code: 1, err: expect.stringMatching(refusal) });
    const current = await createOwner();
    await current.inside(async () => {});
    expect(await current.admin(['move', '--to', fresh.url])).toMatchObject({
      code: 1,
      err: expect.stringMatching(refusal),
    });
    expect(await contents()).toEqual(before);
    await current.remove();
  });

  it('an instance refuses it', async () => {
    const opening = openStores({ DATABASE_URL: fresh.url, DATA_DIR: '' });
    await expect(opening).rejects.toMatchObject({ code: 'EARLIER_DATABASE' });
  });
});
