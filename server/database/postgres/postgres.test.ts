/** The engine's promises on a real PostgreSQL server, and what it does when that lets it down. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sentenceFor } from '../../app/startup-errors.ts';
import { openStores } from '../../app/stores.ts';
import { storageErrorSentence } from '../../health/storage-errors.ts';
import {
  execute,
  type FreshDatabase,
  freshDatabase,
  schemaOn,
} from '../../testing/postgres/server.ts';
import { sharedPostgres } from '../../testing/postgres/shared.ts';
import {
  all,
  type Database,
  DatabaseUnavailable,
  get,
  run,
  type Statements,
  script,
} from '../database.ts';
import { migrate, NewerDatabase, schemaVersion } from '../migrate.ts';
import type { Value } from '../value.ts';
import { openPostgres } from './postgres.ts';

let server: { url: string };
/** Of this file alone: some tests end all its connections. */
let own: FreshDatabase;
/** A schema in it, of the test that is running. */
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
  of.read(() => all<{ id: number }>('SELECT id, text, bytes FROM note ORDER BY id'));

/** Says in SQL that the server does this once for each of the first `times` tries. */
const firstTimes = (times: number, what: string) =>
  script(`DO $$ BEGIN IF nextval('tries') <= ${times} THEN ${what}; END IF; END $$`);
const raise = (code: string) => `RAISE EXCEPTION 'made up' USING ERRCODE = '${code}'`;
const hangUp = 'PERFORM pg_terminate_backend(pg_backend_pid())';

/** How often the server was asked to. No transaction takes that back. */
const tried = async () => {
  const row = await database.read(() => get<{ n: number }>('SELECT last_value AS n FROM tries'));
  return row?.n;
};

/** A job that meets this on its first tries, and adds a row in the end. */
const adds = (id: number, times: number, what: string) =>
  function* (): Statements<void> {
    yield* run(insert, [id, 'a', null]);
    yield* firstTimes(times, what);
  };

describe('the guard', () => {
  it.each([
    ['a boolean', [1, true, null]],
    ['undefined', [1, undefined, null]],
    ['a fraction', [1.5, 'a', null]],
    ['a number beyond 2^53', [2 ** 60, 'a', null]],
    ['text with NUL', [1, 'a\0b', null]],
    ['half a surrogate pair', [1, '\ud800', null]],
    ['too few values', [1, 'a']],
    ['too many values', [1, 'a', null, null]],
  ])('refuses %s', async (_, values) => {
    await expect(add(...values)).rejects.toThrow(TypeError);
    expect(await rows()).toEqual([]);
  });

  it('gives numbers and bytes back as they came', async () => {
    const bytes = Buffer.from([0, 200, 255]);
    await add(2 ** 53 - 1, 'a', bytes);
    expect(await rows()).toEqual([{ id: 2 ** 53 - 1, text: 'a', bytes }]);
  });
});

describe('writes', () => {
  it('that arrive together share one commit', async () => {
    const before = database.writeStats().commits;
    await Promise.all(Array.from({ length: 200 }, (_, n) => add(n, 'a', null)));
    expect(database.writeStats().commits).toBe(before + 1);
    expect(await rows()).toHaveLength(200);
  });

  it('that fail take back their own changes and nobody else’s', async () => {
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

  it('return what the job returned', async () => {
    const job = function* (): Statements<number> {
      yield* run(insert, [1, 'a', null]);
      return 42;
    };
    await expect(database.write(job)).resolves.toBe(42);
    await expect(database.append(() => run('DELETE FROM note'))).resolves.toBe(1);
  });

  it('that wait are committed by close, later ones refused', async () => {
    const waiting = [add(1, 'a', null), database.append(() => run(insert, [2, 'b', null]))];
    await database.close();
    await Promise.all(waiting);
    await expect(add(3, 'c', null)).rejects.toThrow('closed');
    database = await openPostgres(fresh.url);
    expect(await rows()).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  it('of several instances take turns: what one has read stays true', async () => {
    await add(1, '0', null);
    const beside = await Promise.all(Array.from({ length: 3 }, () => openPostgres(fresh.url)));
    const increment = function* (): Statements<void> {
      const row = yield* get<{ text: string }>('SELECT text FROM note WHERE id = 1');
      yield* run('UPDATE note SET text = ? WHERE id = 1', [String(Number(row?.text) + 1)]);
    };
    const counting = async (one: Database) => {
      for (let n = 0; n < 50; n++) await one.write(increment);
    };
    await Promise.all([database, ...beside].map(counting));
    expect(await rows()).toMatchObject([{ text: '200' }]);
    await Promise.all(beside.map((one) => one.close()));
  });

  it.each(['40001', '40P01'])('that others came in between of run again: %s', async (code) => {
    await database.write(adds(1, 2, raise(code)));
    expect(await rows()).toHaveLength(1);
    expect(await tried()).toBe(3);
  });

  it('that always meet others are refused as what may go tomorrow', async () => {
    await expect(database.write(adds(1, 99, raise('40001')))).rejects.toThrow(DatabaseUnavailable);
    expect(await rows()).toEqual([]);
  });

  it('of which nobody knows whether they were kept do not run again', async () => {
    await expect(database.write(adds(1, 1, raise('40003')))).rejects.toThrow(DatabaseUnavailable);
    expect(await tried()).toBe(1);
  });
});

describe('reads', () => {
  it('see one moment', async () => {
    await add(1, 'a', null);
    let writing: Promise<unknown> | undefined;
    // A job may begin anew: this one shall know by then that it asks twice.
    await database.read(function* () {
      yield* all('SELECT count(*) AS n FROM note');
      yield* all('SELECT count(*) AS n FROM note');
    });
    const counts = await database.read(function* () {
      const [before] = yield* all('SELECT count(*) AS n FROM note');
      writing = add(2, 'b', null);
      yield* run('SELECT pg_sleep(0.2)');
      const [after] = yield* all('SELECT count(*) AS n FROM note');
      return [before, after];
    });
    await writing;
    expect(counts).toEqual([{ n: 1 }, { n: 1 }]);
    expect(await rows()).toHaveLength(2);
  });

  it('wait for slow ones before them, which is no sign of a server that is away', async () => {
    const slow = Array.from({ length: 8 }, () =>
      database.read(() => all<{ n: number }>('SELECT 1 AS n FROM pg_sleep(3.2)')),
    );
    expect(await Promise.all(slow)).toEqual(Array.from({ length: 8 }, () => [{ n: 1 }]));
  });

  it('that take too long themselves are refused, and not those that wait for them', async () => {
    const tooSlow = `DO $$ BEGIN PERFORM pg_sleep(1.2); ${raise('57014')}; END $$`;
    const slow = Array.from({ length: 4 }, () => database.read(() => script(tooSlow)));
    const after = Array.from({ length: 4 }, () => rows());
    expect((await Promise.allSettled(slow)).map(({ status }) => status)).not.toContain('fulfilled');
    expect(await Promise.all(after)).toEqual([[], [], [], []]);
  });

  it('of a connection that broke begin anew on another', async () => {
    const found = database.read(() => get<{ n: number }>('SELECT 1 AS n, pg_sleep(0.4)'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await execute(
      fresh.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT 1 AS n%'`,
    );
    expect(await found).toMatchObject({ n: 1 });
  });

  it('write nothing', async () => {
    await expect(database.read(() => run('DELETE FROM note'))).rejects.toThrow();
  });
});

describe('a schema', () => {
  it('is built once, however many build it', async () => {
    const place = { DATABASE_URL: fresh.url, DATA_DIR: '' };
    const opened = await Promise.all(Array.from({ length: 4 }, () => openStores(place)));
    await Promise.all(opened.map((stores) => stores.close()));
    const [row] = await database.read(() =>
      all('SELECT max(version) AS version FROM schema_version'),
    );
    expect(row).toEqual({ version: schemaVersion });
  });

  it('of a newer version is refused with a sentence', async () => {
    await migrate(database);
    await database.write(() => run('INSERT INTO schema_version (version) VALUES (999)'));
    const opening = openStores({ DATABASE_URL: fresh.url, DATA_DIR: '' });
    await expect(opening).rejects.toThrow(NewerDatabase);
  });

  it('of a newer version that says that this one works with it is taken as it is', async () => {
    await migrate(database);
    const newer = `INSERT INTO schema_version (version, oldest) VALUES (999, ${schemaVersion})`;
    await database.write(() => run(newer));
    const stores = await openStores({ DATABASE_URL: fresh.url, DATA_DIR: '' });
    await expect(stores.contact.count()).resolves.toBe(0);
    await stores.close();
  });

  it('of a newer version makes an older program unready, unless it says that this one works with it', async () => {
    const stores = await openStores({ DATABASE_URL: fresh.url, DATA_DIR: '' });
    const update = (version: number, oldest: number) =>
      execute(
        fresh.url,
        `INSERT INTO schema_version (version, oldest) VALUES (${version}, ${oldest})`,
      );
    await update(998, schemaVersion);
    await expect(stores.isReady()).resolves.toBeUndefined();
    await update(999, 999);
    await expect(stores.isReady()).rejects.toThrow(NewerDatabase);
    await stores.close();
  });

  it('that could not keep every letter is refused with a sentence', async () => {
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

  it('that the user may not build is refused with a sentence', async () => {
    const name = `test_${randomBytes(8).toString('hex')}`;
    const other = await freshDatabase(server);
    await execute(server.url, `CREATE ROLE ${name} LOGIN PASSWORD 'of no interest'`);
    try {
      const url = new URL(other.url);
      Object.assign(url, { username: name, password: 'of no interest' });
      const refusal = await openPostgres(url.href).catch((error: unknown) => error);
      expect(storageErrorSentence(refusal)).toMatch(/may not do this/);
    } finally {
      await other.drop();
      await execute(server.url, `DROP ROLE ${name}`);
    }
  });
});

describe('a connection that is lost', () => {
  it('before the commit is replaced, and the group runs again', async () => {
    const neighbour = add(2, 'b', null);
    await database.write(adds(1, 1, hangUp));
    await neighbour;
    expect(await rows()).toHaveLength(2);
    expect(await tried()).toBe(2);
  });

  it('twice is a database that is away', async () => {
    await expect(database.write(adds(1, 2, hangUp))).rejects.toThrow(DatabaseUnavailable);
    expect(storageErrorSentence(database.lastError())).toBeDefined();
    await add(2, 'b', null);
    expect(database.lastError()).toBeUndefined();
  });

  it('during the commit: nobody is told that it was kept, and it does not run again', async () => {
    await database.write(() =>
      script(`CREATE FUNCTION hang_up() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN ${hangUp}; RETURN NULL; END $$;
              CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON note
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hang_up()`),
    );
    await expect(database.write(adds(1, 0, 'NULL'))).rejects.toThrow(DatabaseUnavailable);
    expect(await tried()).toBe(1);
    expect(await rows()).toEqual([]);
  });

  it('is no fault any more once a probe has come through, though nobody has visited since', async () => {
    for (const lane of [database.write, database.append]) {
      await expect(lane(() => script(`DO $$ BEGIN ${hangUp}; END $$`))).rejects.toThrow();
      expect(storageErrorSentence(database.lastError())).toContain('starts or stops');
      await database.probe();
      expect(database.lastError()).toBeUndefined();
    }
  });

  it('while it rests is no event', async () => {
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

describe('a server', () => {
  it('that asks for a password which its address lacks is left at once', async () => {
    const says = (step: number, words: string) => {
      const message = Buffer.alloc(9 + words.length);
      message.write('R');
      message.writeInt32BE(message.length - 1, 1);
      message.writeInt32BE(step, 5);
      message.write(words, 9, 'latin1');
      return message;
    };
    let left: Promise<unknown> | undefined;
    const door = createServer((socket) => {
      left = once(socket, 'close');
      socket.once('data', () => {
        socket.write(says(10, 'SCRAM-SHA-256\0\0'));
        socket.once('data', () => socket.write(says(11, 'r=x,s=eA==,i=4096')));
      });
    }).listen(0, '127.0.0.1');
    await once(door, 'listening');
    const { port } = door.address() as AddressInfo;
    const refused = await openPostgres(`postgres://me@127.0.0.1:${port}/x`).catch((error) => error);
    expect(storageErrorSentence(refused)).toMatch(/asks for a password/);
    await left;
    door.close();
  });

  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    'that does not encrypt is not spoken to where its address says sslmode=%s',
    async (mode) => {
      const url = new URL(fresh.url);
      url.searchParams.set('sslmode', mode);
      const warnings: Error[] = [];
      const keep = (warning: Error) => warnings.push(warning);
      process.on('warning', keep);
      const refused = await openPostgres(url.href).catch((error: unknown) => error);
      await new Promise((resolve) => setImmediate(resolve));
      process.off('warning', keep);
      expect(storageErrorSentence(refused)).toMatch('does not encrypt');
      // The driver's own words would be all that the owner reads first at every start.
      expect(warnings).toEqual([]);
    },
  );

  it('whose disk is full refuses all of a group, and says so', async () => {
    const neighbour = add(2, 'b', null);
    const full = database.write(adds(1, 1, raise('53100')));
    await Promise.all([
      expect(full).rejects.toThrow(DatabaseUnavailable),
      expect(neighbour).rejects.toThrow(DatabaseUnavailable),
    ]);
    expect(storageErrorSentence(database.lastError())).toMatch(/disk .* is full/);
  });

  it.each(['55P03', '57014', 'XX001'])(
    'that cannot do one thing now refuses that: %s',
    async (code) => {
      const neighbour = add(2, 'b', null);
      await expect(database.write(adds(1, 9, raise(code)))).rejects.toThrow(DatabaseUnavailable);
      await neighbour;
      expect(await rows()).toMatchObject([{ id: 2 }]);
    },
  );

  it.each([
    ['only reads', '25006', /can only be read/],
    ['is behind a pooler that mixes up what is prepared', '42P05', /a pooler/],
  ])('that %s is left for one that does better, once', async (_, code, sentence) => {
    const pid = () => database.write(() => get<{ n: number }>('SELECT pg_backend_pid() AS n'));
    const before = await pid();
    await database.write(adds(1, 1, raise(code)));
    expect(await pid()).not.toEqual(before);
    expect(await rows()).toHaveLength(1);
    const refused = await database.write(adds(2, 9, raise(code))).catch((error: unknown) => error);
    expect(storageErrorSentence(refused)).toMatch(sentence);
    expect(await rows()).toHaveLength(1);
  });

  it('that does not know a prepared statement any more is asked on another connection', async () => {
    const columns = () => all('SELECT * FROM note');
    const ways = [database.write, database.append, database.read];
    for (const ask of ways) await ask(columns);
    await execute(fresh.url, 'ALTER TABLE note ADD COLUMN more bigint');
    for (const ask of ways) expect(await ask(columns)).toEqual([]);
  });
});

interface Line {
  url: string;
  /** From now on nothing passes, and nothing is closed. */
  freeze(): void;
  /** How many connections there are. */
  count(): number;
  close(): void;
}

/** A way to the database that can hang at any moment. */
async function lineTo(address: string): Promise<Line> {
  const url = new URL(address);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const door = createServer((near) => {
    keep(near);
    const far = connect(Number(port), hostname);
    keep(far);
    near.on('data', (chunk) => isFrozen || far.write(chunk)).on('close', () => far.destroy());
    far.on('data', (chunk) => isFrozen || near.write(chunk)).on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((door.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze() {
      isFrozen = true;
    },
    count: () => sockets.size / 2,
    close() {
      door.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** How long it takes until this is refused as a database that is away, in ms. */
async function refusal(of: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await expect(of).rejects.toThrow(DatabaseUnavailable);
  return performance.now() - begun;
}

describe('a server that hangs', () => {
  const lines: Line[] = [];
  const through = async () => {
    const line = await lineTo(fresh.url);
    lines.push(line);
    return { line, there: await openPostgres(line.url) };
  };
  afterEach(() => {
    for (const line of lines.splice(0)) line.close();
  });

  /** Each hangs at another moment; together, since each takes its seconds. */
  const moments: [string, (one: Awaited<ReturnType<typeof through>>) => Promise<unknown>[]][] = [
    [
      'before anything',
      ({ line, there }) => {
        line.freeze();
        return Array.from({ length: 1000 }, (_, id) =>
          there.write(() => run(insert, [id, 'a', null])),
        );
      },
    ],
    [
      'amid a job',
      ({ line, there }) => [
        there.append(function* () {
          line.freeze();
          yield* run(insert, [1, 'a', null]);
        }),
      ],
    ],
    [
      'before a savepoint is released',
      ({ line, there }) => {
        let times = 0;
        return [
          there.write(function* () {
            times += 1;
            if (times === 1) yield* run('SELECT 1 / 0');
            line.freeze();
          }),
        ];
      },
    ],
    [
      'before a read',
      ({ line, there }) => {
        line.freeze();
        return Array.from({ length: 100 }, () => there.read(() => all('SELECT 1')));
      },
    ],
    [
      'at the end of a read',
      ({ line, there }) => [
        there.read(function* () {
          yield* all('SELECT 1');
          yield* all('SELECT 2');
          line.freeze();
        }),
      ],
    ],
    [
      'when it is asked whether it is well',
      ({ line, there }) => {
        line.freeze();
        return [there.probe()];
      },
    ],
  ];

  /** What the product promises, on a machine that does nothing else; the limit of a read is 31 seconds. */
  const most = process.env.TEST_LONG ? 10_500 : 25_000;

  it('is given up within seconds, whatever it was doing, and holds no end up', async () => {
    await Promise.all(
      moments.map(async ([moment, hang]) => {
        const one = await through();
        const waits = await Promise.all(hang(one).map(refusal));
        expect(Math.max(...waits), moment).toBeLessThan(most);
        expect(one.line.count(), moment).toBeLessThan(7);
        const begun = performance.now();
        await one.there.close();
        expect(performance.now() - begun, moment).toBeLessThan(most);
      }),
    );
  });

  it('ends within seconds when it is let go amid a write and a read', async () => {
    const { line, there } = await through();
    const under = [
      there.write(function* () {
        line.freeze();
        yield* run(insert, [1, 'a', null]);
      }),
      there.write(() => run(insert, [2, 'a', null])),
      there.read(() => all('SELECT pg_sleep(29)')),
    ].map((one) => expect(one).rejects.toThrow());
    await expect.poll(() => there.writeStats().waiting, { timeout: 20_000 }).toBe(0);
    const begun = performance.now();
    await there.close();
    expect(performance.now() - begun).toBeLessThan(5500);
    await Promise.all(under);
  });

  it('at the start is given up, too', async () => {
    const line = await lineTo(fresh.url);
    lines.push(line);
    line.freeze();
    expect(await refusal(openPostgres(line.url))).toBeLessThan(most);
  });
});
