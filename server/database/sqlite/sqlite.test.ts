/** The SQLite engine, and the values it rejects before the driver alters them. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, truncateSync } from 'node:fs';
import {
  copyFile,
  link,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storageErrorSentence } from '../../health/storage-errors.ts';
import { handTyped } from '../columns.ts';
import { all, get, run, type Statements, script } from '../database.ts';
import { migrate, migrations } from '../migrate.ts';
import { sql } from '../sql.ts';
import type { Value } from '../value.ts';
import { type FileLoss, openSqlite, type Sqlite } from './sqlite.ts';

let folder: string;
let database: Sqlite;
const path = () => join(folder, 'test.db');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shingle-sqlite-'));
  database = openSqlite(path());
  await database.write(() =>
    script('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)'),
  );
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const insert = 'INSERT INTO note (id, text, bytes) VALUES (?, ?, ?)';
const add = (...values: unknown[]) => database.write(() => run(insert, values as Value[]));
const addNote = (id: number) => () => run(insert, [id, 'note', null]);
const rows = () => database.readNow(() => all(sql`SELECT id, text, bytes FROM note ORDER BY id`));

it('SQLite version has the fix of the WAL-reset race', () => {
  const row = database.readNow(() =>
    get(handTyped<{ version: string }>('SELECT sqlite_version() AS version')),
  );
  const [major = 0, minor = 0, patch = 0] = row?.version.split('.').map(Number) ?? [];
  // The WAL-reset race of SQLite 3.7.0 to 3.51.2: https://sqlite.org/wal.html#walresetbug
  expect((major * 1000 + minor) * 1000 + patch).toBeGreaterThanOrEqual(3_051_003);
});

describe('values', () => {
  it.each([
    ['a boolean', [1, true, null]],
    ['undefined', [1, undefined, null]],
    ['a date', [1, new Date(0), null]],
    ['an object', [1, {}, null]],
    ['a fraction', [1.5, 'a', null]],
    ['NaN', [Number.NaN, 'a', null]],
    ['a number beyond 2^53', [2 ** 60, 'a', null]],
    ['text with NUL', [1, 'a\0b', null]],
    ['half a surrogate pair', [1, '\ud800', null]],
    ['too few values', [1, 'a']],
    ['too many values', [1, 'a', null, null]],
  ])('SQLite rejects %s as a value', async (_, values) => {
    await expect(add(...values)).rejects.toThrow(TypeError);
    expect(rows()).toEqual([]);
  });

  it('SQLite stores numbers as integers', async () => {
    await database.write(() => run('INSERT INTO note (id, text) VALUES (1, ?)', [5]));
    const [row] = database.readNow(() =>
      all(sql`SELECT text, typeof(? / 2) AS type FROM note`, [5]),
    );
    expect(row).toEqual({ text: '5', type: 'integer' });
  });

  it('SQLite returns bytes unchanged', async () => {
    await add(1, 'a', Buffer.from([0, 200, 255]));
    expect(rows()).toEqual([{ id: 1, text: 'a', bytes: new Uint8Array([0, 200, 255]) }]);
  });
});

describe('writes', () => {
  it('concurrent writes share one commit', async () => {
    const before = await walSize();
    await Promise.all(Array.from({ length: 200 }, (_, n) => add(n, 'a', null)));
    expect(rows()).toHaveLength(200);
    // One page written for each of 200 commits would be over 800 kB.
    expect((await walSize()) - before).toBeLessThan(100_000);
  });

  it('failing write rolls back only its own changes', async () => {
    const failing = database.write(function* () {
      yield* run(insert, [2, 'half done', null]);
      throw new Error('no');
    });
    const results = await Promise.allSettled([add(1, 'a', null), failing, add(3, 'c', null)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(rows()).toMatchObject([{ id: 1 }, { id: 3 }]);
  });

  it('a transaction whose savepoint is gone is rolled back, and later writes succeed', async () => {
    const broken = database.write(function* () {
      yield* run('RELEASE one_write');
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no such savepoint');
    await add(1, 'later', null);
    expect(rows()).toMatchObject([{ id: 1 }]);
  });

  it('write returns the result of its transaction', async () => {
    const transaction = function* (): Statements<number> {
      yield* run(insert, [1, 'a', null]);
      return 42;
    };
    await expect(database.write(transaction)).resolves.toBe(42);
  });

  it('close commits pending writes and rejects later ones', async () => {
    const waiting = add(1, 'a', null);
    await database.close();
    await waiting;
    await expect(add(2, 'b', null)).rejects.toThrow('closed');
    database = openSqlite(path());
    expect(rows()).toMatchObject([{ id: 1 }]);
  });

  it('writes are fsynced to disk', () => {
    const level = (name: string) => database.readNow(() => get(sql`PRAGMA ${name}`));
    expect([level('journal_mode'), level('synchronous')]).toEqual([
      { journal_mode: 'wal' },
      { synchronous: 2 },
    ]);
  });

  it('writes wait for another process without blocking the event loop', async () => {
    const other = new DatabaseSync(path());
    other.exec('BEGIN IMMEDIATE');
    other.exec("INSERT INTO note (id, text) VALUES (1, 'theirs')");
    const writes = [2, 3, 4].map((id) => add(id, 'ours', null));
    let longest = 0;
    for (let turn = 0, last = performance.now(); turn < 20; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    // SQLite's own busy timeout would block for five seconds.
    expect(longest).toBeLessThan(4500);
    expect(rows()).toEqual([]);
    other.exec('COMMIT');
    other.close();
    await Promise.all(writes);
    expect(rows()).toHaveLength(4);
  });

  it('writes are rejected together when the other process holds its lock', async () => {
    const shortTimeout = openSqlite(path(), { busyTimeoutMs: 200 });
    const other = new DatabaseSync(path());
    other.exec('BEGIN IMMEDIATE');
    const results = await Promise.allSettled(
      [1, 2, 3].map((id) => shortTimeout.write(addNote(id))),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    other.close();
    await shortTimeout.write(addNote(1));
    await shortTimeout.close();
  });

  it('write waits for another process again after an earlier write timed out', async () => {
    const shortTimeout = openSqlite(path(), { busyTimeoutMs: 200 });
    const other = new DatabaseSync(path());
    other.exec('BEGIN IMMEDIATE');
    await expect(shortTimeout.write(addNote(1))).rejects.toThrow('locked');
    const second = shortTimeout.write(addNote(2));
    // The write waits through at least one attempt before the other process ends.
    await new Promise((resolve) => setTimeout(resolve, 50));
    other.exec('ROLLBACK');
    await second;
    expect(rows()).toMatchObject([{ id: 2 }]);
    other.close();
    await shortTimeout.close();
  });
});

describe('database file', () => {
  it.each(['delete', 'replace'])(
    'database file rejects writes and probes after this change while open: %s',
    async (how) => {
      await add(1, 'kept', null);
      const moved = join(folder, 'moved.db');
      await rename(path(), moved);
      if (how === 'replace') await writeFile(path(), '');
      for (const write of [add(2, 'lost', null), database.probe()]) {
        const reason = await write.catch((error: unknown) => error);
        expect(storageErrorSentence(reason)).toMatch(
          /^The database file in DATA_DIR was moved, deleted or overwritten/,
        );
      }
      await rename(moved, path());
      await add(3, 'kept', null);
      expect(rows()).toMatchObject([{ id: 1 }, { id: 3 }]);
    },
  );
});

describe('recovery', () => {
  const losses: FileLoss[] = [];
  const waiting = { timeout: 20_000 };
  const backups = () => join(folder, 'backups');
  const files = (...suffixes: string[]) => suffixes.map((suffix) => path() + suffix);
  /** Reads as another process would after this one was killed. */
  const rowsOnDisk = (file = path()) => {
    const other = new DatabaseSync(file);
    const found = other.prepare('SELECT id FROM note ORDER BY id').all();
    other.close();
    return found.map(({ id }) => id);
  };
  /** Runs code on the database in another process: in this one it would share the index of a deleted log. */
  const elsewhere = (code: string) => {
    const open = `import { DatabaseSync } from '@photostructure/sqlite';
      const database = new DatabaseSync(process.argv[1]);`;
    const args = ['--input-type=module', '--eval', open + code, path()];
    return execFileSync(process.execPath, args, { encoding: 'utf8' });
  };
  /** Opens the database as a site does; without `watchMs` only commits check the files. */
  const reopen = async (watchMs = 1_000_000) => {
    await database.close();
    losses.length = 0;
    database = openSqlite(path(), {
      watchMs,
      recovery: {
        keepIn: backups(),
        onLoss: (loss) => losses.push(loss),
        onReturn: () => losses.splice(0),
      },
    });
    await add(1, 'before', null);
  };
  /** At once: otherwise the first loss would be noticed, and saved, before the last file is deleted. */
  const remove = (lost: string[]) => {
    for (const file of lost) rmSync(file);
  };

  it.each([['-wal'], ['-shm'], ['-wal', '-shm'], [''], ['', '-wal', '-shm']])(
    'deleted files lose no row when this is deleted: %j %j %j',
    async (...suffixes) => {
      await reopen();
      remove(files(...suffixes));
      await add(2, 'after', null);
      expect(rowsOnDisk()).toEqual([1, 2]);
      expect(losses).toEqual([{ files: files(...suffixes), keptIn: undefined }]);
      expect(await readdir(folder)).not.toContainEqual(expect.stringContaining('.part-'));
      await add(3, 'later', null);
      expect(rowsOnDisk()).toEqual([1, 2, 3]);
    },
  );

  it('deleted files are noticed and saved without a write', async () => {
    await reopen(5);
    remove(files('', '-wal', '-shm'));
    await vi.waitUntil(() => losses.length > 0, waiting);
    expect(rowsOnDisk()).toEqual([1]);
    expect(database.lastError()).toBeUndefined();
  });

  it('deleted files are saved when the database is closed', async () => {
    await reopen();
    remove(files('-wal', '-shm'));
    await database.close();
    expect(rowsOnDisk()).toEqual([1]);
  });

  it('database that replaces the open one is not overwritten, and the rows are kept among the backups', async () => {
    await reopen();
    await writeFile(join(folder, 'other.db'), 'another database');
    await rename(join(folder, 'other.db'), path());
    await expect(add(2, 'lost', null)).rejects.toThrow('moved, deleted or overwritten');
    await expect(add(2, 'lost', null)).rejects.toThrow('moved, deleted or overwritten');
    expect(await readFile(path(), 'utf8')).toBe('another database');
    const [kept = '', ...more] = await readdir(backups());
    expect([kept, more]).toEqual([expect.stringMatching(/^rescued-.*Z\.db$/), []]);
    expect(rowsOnDisk(join(backups(), kept))).toEqual([1]);
    expect(losses).toEqual([{ files: [path()], keptIn: join(backups(), kept) }]);
    // The next start would apply the old log to the other database.
    expect(await readdir(folder)).not.toContain('test.db-wal');
  });

  it.each([
    ['overwritten', (other: string) => copyFileSync(other, path())],
    ['cut short', () => truncateSync(path())],
  ])('rows survive when the main file is %s in place', async (_, damage) => {
    await reopen(5);
    const other = join(folder, 'other.db');
    for (let id = 2; id < 100; id += 1) await add(id, 'x'.repeat(500), null);
    await database.wipeDeletedRows();
    database.copyTo(other);
    await add(100, 'after the copy', null);
    await database.wipeDeletedRows();
    damage(other);
    for (let id = 101; id < 200; id += 1) await add(id, 'x'.repeat(500), null);
    await vi.waitUntil(() => losses.length > 0, waiting);
    expect(losses).toEqual([{ files: [path()], keptIn: undefined }]);
    await add(200, 'after', null);
    expect(rowsOnDisk()).toHaveLength(200);
    expect(database.lastError()).toBeUndefined();
  });

  it('a main file that is overwritten right after a commit of another program is noticed, and writes wait', async () => {
    await reopen(20);
    const other = join(folder, 'other.db');
    await database.wipeDeletedRows();
    database.copyTo(other);
    elsewhere(`database.exec("INSERT INTO note (text) VALUES ('theirs')")`);
    // Before the next check.
    copyFileSync(other, path());
    const written = add(3, 'ours', null);
    await vi.waitUntil(() => losses.length > 0, waiting);
    await written.catch(() => {});
    expect(losses).toMatchObject([{ files: [path()] }]);
  });

  it('rows survive when the main file is cut short just before the database is closed', async () => {
    await reopen(20);
    await database.wipeDeletedRows();
    await add(2, 'after', null);
    truncateSync(path());
    await database.close();
    expect(rowsOnDisk()).toEqual([1, 2]);
    expect(losses).toEqual([{ files: [path()], keptIn: undefined }]);
  });

  it('writes are rejected, and the file left as it is, when an overwritten main file cannot be read', async () => {
    await reopen(5);
    for (let id = 2; id < 100; id += 1) await add(id, 'x'.repeat(500), null);
    await database.wipeDeletedRows();
    database.readNow(() => all(sql`PRAGMA shrink_memory`));
    truncateSync(path());
    await vi.waitUntil(() => losses.length > 0, waiting);
    expect(losses).toMatchObject([{ files: [path()], error: expect.any(Error) }]);
    await expect(add(100, 'lost', null)).rejects.toThrow('moved, deleted or overwritten');
    await expect(database.close()).rejects.toThrow('moved, deleted or overwritten');
    expect((await stat(path())).size).toBe(0);
  });

  it('checkpoints of another program are no loss', async () => {
    await reopen(5);
    for (let round = 0; round < 3; round += 1) {
      await database.wipeDeletedRows();
      elsewhere(`database.exec("INSERT INTO note (text) VALUES ('theirs')");
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)')`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await add(10, 'ours', null);
    expect(losses).toEqual([]);
    expect(rowsOnDisk()).toEqual([1, 2, 3, 4, 10]);
  });

  it('rows return when the open database is put back after another one replaced it', async () => {
    await reopen(5);
    const moved = join(folder, 'moved.db');
    await link(path(), moved);
    await writeFile(join(folder, 'other.db'), 'another database');
    await rename(join(folder, 'other.db'), path());
    await vi.waitUntil(() => losses.some(({ keptIn }) => keptIn !== undefined), waiting);
    await expect(add(2, 'lost', null)).rejects.toThrow('moved, deleted or overwritten');
    await rename(moved, path());
    await vi.waitUntil(() => database.lastError() === undefined, waiting);
    await add(3, 'after', null);
    expect(rowsOnDisk()).toEqual([1, 3]);
    // To restore that file would lose what was written since.
    expect(await readdir(backups())).toEqual([]);
  });

  it('database that another program wrote after its log was deleted is not overwritten', async () => {
    await reopen();
    remove(files('-wal', '-shm'));
    elsewhere("database.exec('CREATE TABLE theirs (id INTEGER)')");
    await expect(add(2, 'lost', null)).rejects.toThrow('moved, deleted or overwritten');
    const [kept = ''] = await readdir(backups());
    expect(rowsOnDisk(join(backups(), kept))).toEqual([1]);
    expect((await stat(`${path()}-wal`)).size).toBeGreaterThan(0);
  });

  it.each(['', 'database.close()'])(
    'wipe and close do not damage a database that another program wrote after its log was deleted: %s',
    async (ending) => {
      await reopen();
      await database.wipeDeletedRows();
      for (let id = 2; id < 100; id += 1) await add(id, 'x'.repeat(500), null);
      remove(files('-wal', '-shm'));
      elsewhere(`database.exec("CREATE TABLE theirs (id INTEGER)");
        for (let id = 0; id < 100; id += 1) database.exec("INSERT INTO theirs VALUES (" + id + ")");
        ${ending}`);
      await expect(add(100, 'lost', null)).rejects.toThrow('moved, deleted or overwritten');
      expect(await database.wipeDeletedRows()).toBe(false);
      await database.close();
      const found = elsewhere(`
        const [{ n }] = database.prepare('SELECT count(*) AS n FROM theirs').all();
        console.log(n, database.prepare('PRAGMA integrity_check').all()[0].integrity_check)`);
      expect(found).toBe('100 ok\n');
    },
  );

  it('log that was cut short rejects writes and is not copied into the main file', async () => {
    await reopen();
    await database.wipeDeletedRows();
    for (let id = 2; id < 100; id += 1) await add(id, 'x'.repeat(500), null);
    database.readNow(() => all(sql`PRAGMA shrink_memory`));
    await truncate(`${path()}-wal`);
    await expect(add(100, 'lost', null)).rejects.toThrow('moved, deleted or overwritten');
    expect(losses).toMatchObject([{ files: files('-wal'), error: expect.any(Error) }]);
    expect(await database.wipeDeletedRows()).toBe(false);
    await expect(database.close()).rejects.toThrow('moved, deleted or overwritten');
    // As after the process ended: a copy has no index of the log.
    const copy = join(folder, 'copy.db');
    await copyFile(path(), copy);
    expect(rowsOnDisk(copy)).toEqual([1]);
  });

  it('log that was cut short loses no row when the main file has them all', async () => {
    await reopen(5);
    const copied = () =>
      database.readNow(() =>
        get(handTyped<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')),
      );
    await vi.waitUntil(() => copied()?.log === copied()?.checkpointed, waiting);
    await truncate(`${path()}-wal`);
    await vi.waitUntil(() => losses.length > 0, waiting);
    await add(2, 'after', null);
    expect(rowsOnDisk()).toEqual([1, 2]);
    expect(losses).toEqual([{ files: files('-wal'), keptIn: undefined }]);
  });

  it('log that another process empties is not lost', async () => {
    await reopen();
    elsewhere("database.exec('PRAGMA wal_checkpoint(TRUNCATE)')");
    expect((await stat(`${path()}-wal`)).size).toBe(0);
    await add(2, 'after', null);
    expect(losses).toEqual([]);
  });

  it('data of lost files is not copied for each write after that failed, but once more at close', async () => {
    await reopen();
    await writeFile(backups(), 'no folder');
    await writeFile(join(folder, 'other.db'), 'another database');
    await rename(join(folder, 'other.db'), path());
    await expect(add(2, 'lost', null)).rejects.toThrow('moved, deleted or overwritten');
    await rm(backups());
    await expect(add(2, 'lost', null)).rejects.toThrow('moved, deleted or overwritten');
    expect(losses).toMatchObject([{ error: { code: 'EEXIST' } }]);
    await database.close();
    expect(await readdir(backups())).toHaveLength(1);
  });

  it('another connection commits nothing to files that were replaced', async () => {
    await reopen();
    const command = openSqlite(path());
    await command.write(addNote(2));
    remove(files('-wal'));
    await add(3, 'ours', null);
    await expect(command.write(addNote(4))).rejects.toThrow('moved, deleted or overwritten');
    await expect(command.close()).rejects.toThrow('moved, deleted or overwritten');
    expect(rowsOnDisk()).toEqual([1, 2, 3]);
  });

  it('files are saved once another connection has finished its write', async () => {
    await reopen(5);
    const other = new DatabaseSync(path());
    other.exec("BEGIN IMMEDIATE; INSERT INTO note (id, text) VALUES (2, 'theirs')");
    remove(files('-shm'));
    await vi.waitUntil(() => database.lastError() !== undefined, waiting);
    expect(losses).toEqual([]);
    other.exec('COMMIT');
    other.close();
    await vi.waitUntil(() => losses.length > 0, waiting);
    expect(rowsOnDisk()).toEqual([1, 2]);
  });

  it('checkpoint that failed is tried again without a write, and its error ends when it succeeds', async () => {
    await reopen(5);
    // Checkpoints include attached databases; one that is far too short for its log fails.
    const second = join(folder, 'second.db');
    const other = openSqlite(second);
    await other.write(() => script('CREATE TABLE big (bytes BLOB)'));
    await other.close();
    await database.write(() => script(`ATTACH '${second}' AS second`));
    await database.write(() => run('INSERT INTO big VALUES (zeroblob(1000000))'));
    await database.wipeDeletedRows();
    const { size } = await stat(second);
    await database.write(function* () {
      yield* run('INSERT INTO big VALUES (1)');
      yield* addNote(2)();
    });
    truncateSync(second);
    await vi.waitUntil(() => database.lastError() !== undefined, waiting);
    truncateSync(second, size);
    await vi.waitUntil(() => database.lastError() === undefined, waiting);
  });

  it('main file alone holds every row once writes pause', async () => {
    await reopen(5);
    await add(2, 'a', null);
    const copy = join(folder, 'copy.db');
    const copied = async () => {
      await copyFile(path(), copy);
      return rowsOnDisk(copy);
    };
    await vi.waitFor(async () => expect(await copied()).toEqual([1, 2]), waiting);

    const reader = new DatabaseSync(path());
    reader.exec('BEGIN; SELECT id FROM note');
    await add(3, 'while another program reads', null);
    await new Promise((resolve) => setTimeout(resolve, 50));
    reader.exec('COMMIT');
    reader.close();
    await vi.waitFor(async () => expect(await copied()).toEqual([1, 2, 3]), waiting);
  });
});

describe('full disk', () => {
  const pages = (n: number) => database.write(() => script(`PRAGMA max_page_count = ${n}`));

  it('full disk rejects writes, keeps committed rows, and recovers when there is space', async () => {
    await add(1, 'kept', null);
    await pages(4);
    const results = await Promise.allSettled(
      [2, 3].map((id) => add(id, 'x'.repeat(100_000), null)),
    );
    for (const result of results) {
      const { reason } = result as PromiseRejectedResult;
      expect(storageErrorSentence(reason)).toMatch(/^The disk is full/);
    }
    expect(storageErrorSentence(database.lastError())).toMatch(/^The disk is full/);
    const returning = database.write(() =>
      all(sql`${insert} RETURNING id`, [2, 'x'.repeat(100_000), null]),
    );
    await expect(returning.catch(storageErrorSentence)).resolves.toMatch(/^The disk is full/);
    expect(rows()).toMatchObject([{ id: 1 }]);
    await pages(1_000_000);
    await add(4, 'x'.repeat(100_000), null);
    expect(database.lastError()).toBeUndefined();
    expect(rows()).toMatchObject([{ id: 1 }, { id: 4 }]);
  });
});

it('a database that turns read-only fails every write with its reason', async () => {
  database.readNow(() => all(sql`PRAGMA query_only = ON`));
  const [reason] = await Promise.all([add(1, 'a', null).catch((error: unknown) => error)]);
  expect(storageErrorSentence(reason)).toMatch(/cannot be written/);
  database.readNow(() => all(sql`PRAGMA query_only = OFF`));
  await add(1, 'a', null);
  expect(rows()).toMatchObject([{ id: 1 }]);
});

it('deleted rows are wiped from disk while another process reads', async () => {
  await add(1, 'gone for good', null);
  const reader = new DatabaseSync(path());
  reader.exec('BEGIN');
  reader.prepare('SELECT * FROM note').all();
  await database.write(() => run('DELETE FROM note'));
  setTimeout(() => reader.exec('COMMIT'), 100);
  expect(await database.wipeDeletedRows()).toBe(true);
  reader.close();
  for (const name of await readdir(folder)) {
    expect(await readFile(join(folder, name), 'latin1')).not.toContain('gone for good');
  }
});

it('deleted rows are wiped from disk', async () => {
  const secret = 'a visitor who wants to be forgotten';
  await add(1, secret, null);
  await database.write(() => run('UPDATE note SET text = ? WHERE id = 1', ['x']));
  await add(2, secret, null);
  await database.write(() => run('DELETE FROM note'));
  await database.wipeDeletedRows();
  for (const name of await readdir(folder)) {
    expect((await readFile(join(folder, name))).includes(secret)).toBe(false);
  }
});

describe('migrations', () => {
  it('concurrent processes run each migration once', async () => {
    const second = openSqlite(path());
    await Promise.all([migrate(database), migrate(second), migrate(database)]);
    await second.close();
    const versions = database.readNow(() => all(sql`SELECT version FROM schema_version`));
    expect(versions).toEqual(migrations.map(({ version }) => ({ version })));
  });
});

const walSize = async () => (await stat(`${path()}-wal`)).size;
