/** The PostgreSQL engine on a real server, including outages, timeouts and lost connections. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isUnavailable } from '../../errors.ts';
import { sentenceFor, storageErrorSentence } from '../../health/storage-errors.ts';
import { openStores } from '../../stores/stores.ts';
import {
  execute,
  type FreshDatabase,
  freshDatabase,
  schemaOn,
} from '../../testing/postgres/server.ts';
import { sharedPostgres } from '../../testing/postgres/shared.ts';
import { handTyped } from '../columns.ts';
import { all, type Database, get, run, type Statements, script } from '../database.ts';
import { schemaVersion } from '../migrate.ts';
import { sql } from '../sql.ts';
import type { Value } from '../value.ts';
import { openPostgres } from './postgres.ts';

let server: { url: string };
/** A database for this file alone, because some tests terminate all its connections. */
let own: FreshDatabase;
/** The schema of the current test. */
let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  server = await sharedPostgres();
  own = await freshDatabase(server);
});
afterAll(() => own.drop());
beforeEach(async () => {
  fresh = await schemaOn(own);
  database = await openPostgres(fresh.url);
  await database.write(() =>
    script(`CREATE TABLE note (id bigint PRIMARY KEY, text text, bytes bytea);
            CREATE SEQUENCE tries`),
  );
});
afterEach(async () => {
  await database.close();
  await fresh.drop();
});

const insert = 'INSERT INTO note (id, text, bytes) VALUES (?, ?, ?)';
const add = (...values: unknown[]) => database.write(() => run(insert, values as Value[]));
const rows = (of = database) =>
  of.read(() => all(handTyped<{ id: number }>('SELECT id, text, bytes FROM note ORDER BY id')));

/** SQL that executes `what` in each of the first `times` attempts. */
const firstTimes = (times: number, what: string) =>
  script(`DO $$ BEGIN IF nextval('tries') <= ${times} THEN ${what}; END IF; END $$`);
const raise = (code: string) => `RAISE EXCEPTION 'made up' USING ERRCODE = '${code}'`;
const hangUp = 'PERFORM pg_terminate_backend(pg_backend_pid())';

/** The number of attempts. It is a sequence, because a rollback does not reset sequences. */
const attempts = async () => {
  const row = await database.read(() =>
    get(handTyped<{ n: number }>('SELECT last_value AS n FROM tries')),
  );
  return row?.n;
};

/** A transaction that adds a row, and executes `what` in its first `times` attempts. */
const adds = (id: number, times: number, what: string) =>
  function* (): Statements<void> {
    yield* run(insert, [id, 'a', null]);
    yield* firstTimes(times, what);
  };

describe('values', () => {
  it.each([
    ['a boolean', [1, true, null]],
    ['undefined', [1, undefined, null]],
    ['a fraction', [1.5, 'a', null]],
    ['a number beyond 2^53', [2 ** 60, 'a', null]],
    ['text with NUL', [1, 'a\0b', null]],
    ['half a surrogate pair', [1, '\ud800', null]],
    ['too few values', [1, 'a']],
    ['too many values', [1, 'a', null, null]],
  ])('PostgreSQL rejects %s as a value', async (_, values) => {
    await expect(add(...values)).rejects.toThrow(TypeError);
    expect(await rows()).toEqual([]);
  });

  it('PostgreSQL returns numbers and bytes unchanged', async () => {
    const bytes = Buffer.from([0, 200, 255]);
    await add(2 ** 53 - 1, 'a', bytes);
    expect(await rows()).toEqual([{ id: 2 ** 53 - 1, text: 'a', bytes }]);
  });
});

describe('writes', () => {
  it('concurrent writes share one commit', async () => {
    const before = database.writeStats().commits;
    await Promise.all(Array.from({ length: 200 }, (_, n) => add(n, 'a', null)));
    expect(database.writeStats().commits).toBe(before + 1);
    expect(await rows()).toHaveLength(200);
  });

  it('failing write rolls back only its own changes', async () => {
    const failing = database.write(function* () {
      yield* run(insert, [2, 'half done', null]);
      throw new Error('no');
    });
    const twice = add(1, 'again', null);
    const results = await Promise.allSettled([
      add(1, 'a', null),
      failing,
      twice,
      add(3, 'c', null),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(failing).rejects.toThrow('no');
    expect(await rows()).toMatchObject([{ id: 1 }, { id: 3 }]);
    expect(database.lastError()).toBeUndefined();
  });

  it('write returns the result of its transaction', async () => {
    const transaction = function* (): Statements<number> {
      yield* run(insert, [1, 'a', null]);
      return 42;
    };
    await expect(database.write(transaction)).resolves.toBe(42);
    await expect(database.append(() => run('DELETE FROM note'))).resolves.toBe(1);
  });

  it('close commits pending writes and rejects later ones', async () => {
    const waiting = [add(1, 'a', null), database.append(() => run(insert, [2, 'b', null]))];
    await database.close();
    await Promise.all(waiting);
    await expect(add(3, 'c', null)).rejects.toThrow('closed');
    database = await openPostgres(fresh.url);
    expect(await rows()).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  it('writes of several instances are serialized', async () => {
    await add(1, '0', null);
    const beside = await Promise.all(Array.from({ length: 3 }, () => openPostgres(fresh.url)));
    const increment = function* (): Statements<void> {
      const row = yield* get(handTyped<{ text: string }>('SELECT text FROM note WHERE id = 1'));
      yield* run('UPDATE note SET text = ? WHERE id = 1', [String(Number(row?.text) + 1)]);
    };
    const counting = async (one: Database) => {
      for (let n = 0; n < 50; n++) await one.write(increment);
    };
    await Promise.all([database, ...beside].map(counting));
    expect(await rows()).toMatchObject([{ text: '200' }]);
    await Promise.all(beside.map((one) => one.close()));
  });

  it.each(['40001', '40P01'])('write is retried after error %s', async (code) => {
    await database.write(adds(1, 2, raise(code)));
    expect(await rows()).toHaveLength(1);
    expect(await attempts()).toBe(3);
  });

  it('write rejects with DATABASE_UNAVAILABLE after repeated serialization failures', async () => {
    await expect(database.write(adds(1, 99, raise('40001')))).rejects.toSatisfy(isUnavailable);
    expect(await rows()).toEqual([]);
  });

  it('write with unknown outcome is not retried', async () => {
    await expect(database.write(adds(1, 1, raise('40003')))).rejects.toSatisfy(isUnavailable);
    expect(await attempts()).toBe(1);
  });
});

describe('reads', () => {
  it('read sees one snapshot', async () => {
    await add(1, 'a', null);
    let writing: Promise<unknown> | undefined;
    // Run it once before: the first run starts again when its second statement shows up.
    await database.read(function* () {
      yield* all(sql`SELECT count(*) AS n FROM note`);
      yield* all(sql`SELECT count(*) AS n FROM note`);
    });
    const counts = await database.read(function* () {
      const [before] = yield* all(sql`SELECT count(*) AS n FROM note`);
      writing = add(2, 'b', null);
      yield* run('SELECT pg_sleep(0.2)');
      const [after] = yield* all(sql`SELECT count(*) AS n FROM note`);
      return [before, after];
    });
    await writing;
    expect(counts).toEqual([{ n: 1 }, { n: 1 }]);
    expect(await rows()).toHaveLength(2);
  });

  it('reads wait for slow reads without a connection timeout', async () => {
    const read = (seconds: number) =>
      database.read(() => all(handTyped<{ n: number }>(`SELECT 1 AS n FROM pg_sleep(${seconds})`)));
    // Four connections, and a timeout of three seconds.
    const found = await Promise.all([3.2, 3.2, 3.2, 3.2, 0, 0, 0, 0].map(read));
    expect(found).toEqual(Array.from({ length: 8 }, () => [{ n: 1 }]));
  });

  it('read that times out is rejected and the reads waiting behind it succeed', async () => {
    const tooSlow = `DO $$ BEGIN PERFORM pg_sleep(1.2); ${raise('57014')}; END $$`;
    const slow = Array.from({ length: 4 }, () => database.read(() => script(tooSlow)));
    const after = Array.from({ length: 4 }, () => rows());
    expect((await Promise.allSettled(slow)).map(({ status }) => status)).not.toContain('fulfilled');
    expect(await Promise.all(after)).toEqual([[], [], [], []]);
  });

  it('read is retried on another connection when its connection breaks', async () => {
    const found = database.read(() =>
      get(handTyped<{ n: number }>('SELECT 1 AS n, pg_sleep(0.4)')),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await execute(
      fresh.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT 1 AS n%'`,
    );
    expect(await found).toMatchObject({ n: 1 });
  });

  it('read transaction rejects writes', async () => {
    await expect(database.read(() => run('DELETE FROM note'))).rejects.toThrow();
  });
});

describe('schema', () => {
  it('concurrent instances migrate the schema once', async () => {
    const location = { DATABASE_URL: fresh.url, DATA_DIR: '' };
    const opened = await Promise.all(Array.from({ length: 4 }, () => openStores(location)));
    await Promise.all(opened.map((stores) => stores.close()));
    const [row] = await database.read(() =>
      all(sql`SELECT max(version) AS version FROM schema_version`),
    );
    expect(row).toEqual({ version: schemaVersion });
  });

  it('readiness fails after an incompatible migration by a newer version', async () => {
    const stores = await openStores({ DATABASE_URL: fresh.url, DATA_DIR: '' });
    const update = (version: number, oldest: number) =>
      execute(
        fresh.url,
        `INSERT INTO schema_version (version, oldest) VALUES (${version}, ${oldest})`,
      );
    await update(998, schemaVersion);
    await expect(stores.isReady()).resolves.toBeUndefined();
    await update(999, 999);
    await expect(stores.isReady()).rejects.toMatchObject({ code: 'NEWER_DATABASE' });
    await stores.close();
  });

  it('open rejects a database whose encoding lacks characters', async () => {
    const name = `test_${randomBytes(8).toString('hex')}`;
    await execute(
      server.url,
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`,
    );
    try {
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      const refusal = await openPostgres(url.href).catch((error: unknown) => error);
      expect(sentenceFor(refusal)).toMatch(/text as LATIN1.*UTF8/);
    } finally {
      await execute(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it('open rejects a database where the user may not create tables', async () => {
    const name = `test_${randomBytes(8).toString('hex')}`;
    const other = await freshDatabase(server);
    await execute(server.url, `CREATE ROLE ${name} LOGIN PASSWORD 'of no interest'`);
    try {
      const url = new URL(other.url);
      Object.assign(url, { username: name, password: 'of no interest' });
      const refusal = await openPostgres(url.href).catch((error: unknown) => error);
      expect(storageErrorSentence(refusal)).toMatch(/lacks a permission/);
    } finally {
      await other.drop();
      await execute(server.url, `DROP ROLE ${name}`);
    }
  });
});

describe('lost connection', () => {
  it('connection lost before the commit is replaced and the group is retried', async () => {
    const neighbour = add(2, 'b', null);
    await database.write(adds(1, 1, hangUp));
    await neighbour;
    expect(await rows()).toHaveLength(2);
    expect(await attempts()).toBe(2);
  });

  it('connection lost twice rejects with DATABASE_UNAVAILABLE', async () => {
    await expect(database.write(adds(1, 2, hangUp))).rejects.toSatisfy(isUnavailable);
    expect(storageErrorSentence(database.lastError())).toBeDefined();
    await add(2, 'b', null);
    expect(database.lastError()).toBeUndefined();
  });

  it('connection lost during the commit rejects the write and is not retried', async () => {
    await database.write(() =>
      script(`CREATE FUNCTION hang_up() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN ${hangUp}; RETURN NULL; END $$;
              CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON note
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hang_up()`),
    );
    await expect(database.write(adds(1, 0, 'NULL'))).rejects.toSatisfy(isUnavailable);
    expect(await attempts()).toBe(1);
    expect(await rows()).toEqual([]);
  });

  it('probe clears the last error after a lost connection', async () => {
    for (const write of [database.write, database.append]) {
      await expect(write(() => script(`DO $$ BEGIN ${hangUp}; END $$`))).rejects.toThrow();
      expect(storageErrorSentence(database.lastError())).toContain('starting or stopping');
      await database.probe();
      expect(database.lastError()).toBeUndefined();
    }
  });

  it('idle connection that is lost causes no error', async () => {
    await Promise.all([add(1, 'a', null), rows(), rows()]);
    const name = new URL(fresh.url).pathname.slice(1);
    await execute(
      server.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    await add(2, 'b', null);
    expect(await rows()).toHaveLength(2);
  });
});

describe('server errors', () => {
  it('open closes the connection at once when the URL lacks the password', async () => {
    const says = (step: number, words: string) => {
      const message = Buffer.alloc(9 + words.length);
      message.write('R');
      message.writeInt32BE(message.length - 1, 1);
      message.writeInt32BE(step, 5);
      message.write(words, 9, 'latin1');
      return message;
    };
    let left: Promise<unknown> | undefined;
    const server = createServer((socket) => {
      left = once(socket, 'close');
      socket.once('data', () => {
        socket.write(says(10, 'SCRAM-SHA-256\0\0'));
        socket.once('data', () => socket.write(says(11, 'r=x,s=eA==,i=4096')));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const refused = await openPostgres(`postgres://me@127.0.0.1:${port}/x`).catch((error) => error);
    expect(storageErrorSentence(refused)).toMatch(/requires a password/);
    await left;
    server.close();
  });

  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    'open rejects a server without TLS when the URL has sslmode=%s',
    async (mode) => {
      const url = new URL(fresh.url);
      url.searchParams.set('sslmode', mode);
      const warnings: Error[] = [];
      const track = (warning: Error) => warnings.push(warning);
      process.on('warning', track);
      const refused = await openPostgres(url.href).catch((error: unknown) => error);
      await new Promise((resolve) => setImmediate(resolve));
      process.off('warning', track);
      expect(storageErrorSentence(refused)).toMatch('does not support TLS');
      // A warning of the driver would be printed at every start.
      expect(warnings).toEqual([]);
    },
  );

  it('full disk rejects every write of the group', async () => {
    const neighbour = add(2, 'b', null);
    const full = database.write(adds(1, 1, raise('53100')));
    await Promise.all([
      expect(full).rejects.toSatisfy(isUnavailable),
      expect(neighbour).rejects.toSatisfy(isUnavailable),
    ]);
    expect(storageErrorSentence(database.lastError())).toMatch(/disk .* is full/);
  });

  it.each(['55P03', '57014', 'XX001'])('error %s rejects only its own write', async (code) => {
    const neighbour = add(2, 'b', null);
    await expect(database.write(adds(1, 9, raise(code)))).rejects.toSatisfy(isUnavailable);
    await neighbour;
    expect(await rows()).toMatchObject([{ id: 2 }]);
  });

  it.each([
    ['is read-only', '25006', /is read-only/],
    ['is behind a pooler that mixes up prepared statements', '42P05', /a connection pooler/],
  ])('write is retried once on a new connection when the server %s', async (_, code, sentence) => {
    const pid = () =>
      database.write(() => get(handTyped<{ n: number }>('SELECT pg_backend_pid() AS n')));
    const before = await pid();
    await database.write(adds(1, 1, raise(code)));
    expect(await pid()).not.toEqual(before);
    expect(await rows()).toHaveLength(1);
    const refused = await database.write(adds(2, 9, raise(code))).catch((error: unknown) => error);
    expect(storageErrorSentence(refused)).toMatch(sentence);
    expect(await rows()).toHaveLength(1);
  });

  it('invalid prepared statement is retried on another connection', async () => {
    const columns = () => all(sql`SELECT * FROM note`);
    const ways = [database.write, database.append, database.read];
    for (const ask of ways) await ask(columns);
    await execute(fresh.url, 'ALTER TABLE note ADD COLUMN more bigint');
    for (const ask of ways) expect(await ask(columns)).toEqual([]);
  });
});
