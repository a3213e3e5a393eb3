/**
 * PostgreSQL, and what speaks its protocol: one database for any number of instances.
 *
 * Writes that arrive together are committed together, as in the embedded engine, since here, too, a
 * commit waits for a disk and each statement for the network. Jobs of `write` take turns across all
 * instances by the lock of one row, so that a job may decide by what it has read. Jobs of `append` need
 * no turn. Nothing is asked of the server that is PostgreSQL's alone: no advisory locks, no LISTEN.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ClientBase,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryConfig,
  type QueryResult,
  types,
} from 'pg';
import { codeOf } from '../error-code.ts';
import { bind } from './bind.ts';
import {
  type Database,
  DatabaseAway,
  get,
  type Job,
  type Reader,
  type Statement,
  type Steps,
  type Work,
} from './database.ts';

/** How many connections an instance has at most that read; two more write, one for each lane. */
const readers = 4;

/** How long a connection may take to come about, in ms. */
const connectPatience = 3000;

/** How long a statement may take, in ms. After that the server gives it up, or we the server. */
const patience = 5000;
const readPatience = 30_000;
const graceOfServer = 1000;

/** The same for what builds the schema. */
const scriptPatience = 10 * 60_000;

/** How long it may take to find out whether the database takes writes, in ms. */
const probePatience = 4000;

/** How long what is under way may take once the database is let go, in ms. */
const lastPatience = 1000;

/** Beyond this an attempt that failed was no blip, in ms: who came meanwhile need not wait for another. */
const blip = 1000;

/** After this a transaction whose instance has vanished is taken back by the server, in ms. */
const idlePatience = 15_000;

/** The same of one that only reads, and does long work between two reads. */
const idleReaderPatience = 60 * 60_000;

/** Most jobs one commit may hold. */
const groupLimit = 256;

/** How often a group runs again that others came in between of. */
const tries = 5;

/** The connection broke while it was used: another one may do. */
class ConnectionLost extends DatabaseAway {}

export interface Postgres extends Database {
  /** Gives `job` a reader that finds everything as it is at one moment, however long the job takes. */
  moment<T>(job: (reader: Reader) => Promise<T>): Promise<T>;
}

/**
 * Opens the database at this address (`postgres://user:password@host/name`) for any number of
 * instances. Rejects with `DatabaseAway` when it cannot be had.
 */
export async function openPostgres(url: string): Promise<Postgres> {
  const reading = openConnections(url, {
    max: readers,
    statementPatience: readPatience,
    onlyReads: true,
  });
  const open = () => openConnections(url, { max: 1, statementPatience: patience });
  // Each lane has a connection of its own: when one is lost, the next is new, and none that has rested
  // as long and is as dead.
  const turns = open();
  // Whoever holds this row has their turn.
  const ordered = createLane(turns, 'BEGIN; SELECT id FROM writer FOR UPDATE');
  const beside = createLane(open(), 'BEGIN');
  let isOpen = true;
  const inLane = <T>(lane: Lane, job: Job<T>): Promise<T> =>
    isOpen ? lane.add(job) : Promise.reject(new Error('The database is closed.'));

  const database: Postgres = {
    engine: 'postgres',
    write: (job) => inLane(ordered, job),
    append: (job) => inLane(beside, job),
    read: (job) => within(reading.pool, (client) => read(client, job)),
    moment: (job) => within(reading.pool, (client) => moment(client, job)),
    async probe() {
      // The turn is a lock that is written down: a server that only reads refuses it.
      await soon(database.write(() => get('SELECT 1 AS one')));
    },
    // What is deleted leaves the server's files by its own vacuum.
    shred: async () => true,
    work() {
      const [one, other] = [ordered.work(), beside.work()];
      return {
        commits: one.commits + other.commits,
        jobs: one.jobs + other.jobs,
        waiting: one.waiting + other.waiting,
      };
    },
    fault: () => ordered.fault() ?? beside.fault(),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await Promise.all([ordered.close(), beside.close(), reading.end(lastPatience)]);
    },
  };
  try {
    await within(turns.pool, makeTurn);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Rejects when `work` is not done soon; it goes on by itself. */
async function soon(work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const late = pause(probePatience, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new DatabaseAway(new Error('timeout'));
  });
  try {
    await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    timer.abort();
  }
}

interface Connections {
  pool: Pool;
  /** Lets them go; what is under way has so many ms to end. */
  end(patience: number): Promise<void>;
}

function openConnections(
  url: string,
  options: { max: number; statementPatience: number; onlyReads?: boolean },
): Connections {
  const { max, statementPatience, onlyReads = false } = options;
  const config: PoolConfig = {
    connectionString: url,
    max,
    application_name: 'shingle',
    connectionTimeoutMillis: connectPatience,
    idleTimeoutMillis: 60_000,
    // An address that was moved to another machine is found again.
    maxLifetimeSeconds: 30 * 60,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser },
    onConnect: (client) =>
      ask(
        client,
        {
          text: `SET statement_timeout = ${statementPatience};
             SET lock_timeout = ${statementPatience};
             SET idle_in_transaction_session_timeout = ${idlePatience};
             SET client_min_messages = warning;
             SET default_transaction_read_only = ${onlyReads};
             SET default_transaction_isolation = 'read committed'`,
        },
        connectPatience,
      ),
  };
  const pool = new Pool(config);
  // A connection that breaks tells whoever uses it; that nobody does is no event.
  const ignore = () => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  const used = new Set<PoolClient>();
  pool.on('acquire', (client) => void used.add(client));
  pool.on('release', (_, client) => void used.delete(client));
  return {
    pool,
    async end(patience) {
      await Promise.race([pool.end(), pause(patience, undefined, { ref: false })]);
      // A server that hangs takes no leave.
      for (const client of used) client.connection.stream.destroy();
    },
  };
}

/** Whole numbers come as text, since they may be larger than ours are exact: none of ours is. */
const getTypeParser = (type: number) =>
  type === types.builtins.INT8 || type === types.builtins.NUMERIC
    ? Number
    : types.getTypeParser(type);

/** Gives `job` a connection; one that was found broken is not used again. */
async function within<T>(pool: Pool, job: (client: PoolClient) => Promise<T>): Promise<T> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw new DatabaseAway(error);
  }
  let isSound = false;
  try {
    const result = await job(client);
    isSound = true;
    return result;
  } catch (error) {
    isSound = !isOutworn(error) && (await isTakenBack(client));
    if (!isSound) throw new ConnectionLost(error);
    throw asAway(error);
  } finally {
    client.release(!isSound);
  }
}

/** Ends a transaction without keeping it; false: the connection is broken. */
const isTakenBack = (client: PoolClient): Promise<boolean> =>
  say(client, 'ROLLBACK').then(
    () => true,
    () => false,
  );

const hasCode = (codes: RegExp) => (error: unknown) => codes.test(codeOf(error) ?? '');

/** The server cannot serve anybody now: it starts, stops, is full, only reads, or does not let us in. */
const isOfServer = hasCode(/^(08|25006|40003|42501|53|57P|58)/);

/** It cannot do this one thing now: it is too slow, somebody else holds a row, or something is damaged. */
const isHeldUp = hasCode(/^(55P03|57014|XX)/);

/**
 * Another connection may do better: this one has come to a server that only reads since another took its
 * place, or does not know statements any more that were prepared on it.
 */
const isOutworn = hasCode(/^(25006|0A000|26000)$/);

/**
 * Others came in between, and it is worth trying again. Not when nobody knows what became of it, which
 * is 40003.
 */
const isCrossed = hasCode(/^(40001|40P01)$/);

const asAway = (error: unknown) =>
  isOfServer(error) || isHeldUp(error) ? new DatabaseAway(error) : error;

/** Makes the row whose lock is the turn of whoever writes, unless it is there. */
async function makeTurn(client: PoolClient): Promise<void> {
  for (let n = 1; ; n += 1) {
    try {
      const { rowCount } = await say(client, 'SELECT id FROM writer');
      if (rowCount) return;
      await say(client, 'INSERT INTO writer (id) VALUES (1) ON CONFLICT DO NOTHING');
    } catch (error) {
      if (n === tries || !isMissing(error)) throw error;
      await say(
        client,
        'CREATE TABLE IF NOT EXISTS writer (id bigint PRIMARY KEY CHECK (id = 1))',
      ).catch((error: unknown) => {
        if (!isThere(error)) throw error;
      });
    }
  }
}

const isMissing = hasCode(/^42P01$/);

/** Another instance has made it at the same moment. */
const isThere = hasCode(/^(42P07|23505)$/);

/** Begins of jobs that ask more than one thing, which must be of one moment. */
const several = new Set<string>();

/** Runs a job that changes nothing. A single question needs no transaction around it. */
async function read<T>(client: PoolClient, job: Job<T>): Promise<T> {
  const steps = job();
  const first = steps.next();
  if (first.done) return first.value;
  const text = textOf(first.value);
  if (!several.has(text)) {
    // What says nothing travels ahead of it: a server that hangs is found out by that, which takes no
    // time, as a question may.
    const answered = await behind(say(client, ''), () => answer(client, first.value, readPatience));
    const second = steps.next(answered);
    if (second.done) return second.value;
    // Nothing was changed, so it may begin anew; next time it is known.
    several.add(text);
  }
  return snapshot(client, job);
}

/** All that the job reads is of the moment of its first statement. */
async function snapshot<T>(client: PoolClient, job: Job<T>): Promise<T> {
  const begun = say(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const result = await behind(begun, () =>
    drive(job(), (statement) => answer(client, statement, readPatience)),
  );
  await say(client, 'COMMIT');
  return result;
}

/**
 * Does what comes after the begin of a transaction without waiting for its answer: both travel at once.
 * When the begin has failed, that is what is wrong.
 */
async function behind<T>(begun: Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const [begin, result] = await Promise.allSettled([begun, work()]);
  if (begin.status === 'rejected') throw begin.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

const textOf = ({ sql }: Statement) => (typeof sql === 'string' ? sql : sql.postgres);

/** Runs work whose reads are all of one moment: that of the first. */
async function moment<T>(client: PoolClient, job: (reader: Reader) => Promise<T>): Promise<T> {
  const text = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL idle_in_transaction_session_timeout = ${idleReaderPatience}`;
  await ask(client, { text }, patience);
  const result = await job({
    engine: 'postgres',
    read: (steps) => drive(steps(), (statement) => answer(client, statement, readPatience)),
  });
  // What was read is of one moment, whatever becomes of the connection now.
  await isTakenBack(client);
  return result;
}

interface Lane {
  add<T>(job: Job<T>): Promise<T>;
  work(): Work;
  /** Why the last group could not be kept; undefined when it was. */
  fault(): unknown;
  /** Commits what waits, if that is soon, and lets the connection go. */
  close(): Promise<void>;
}

interface Waiting {
  job: Job<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Jobs that are committed in groups, one group after the other. */
function createLane({ pool, end }: Connections, begin: string): Lane {
  let waiting: Waiting[] = [];
  let going: Promise<void> | undefined;
  let fault: unknown;
  const done = { commits: 0, jobs: 0 };

  const refuse = (jobs: Waiting[], error: unknown) => {
    for (const { reject } of jobs) reject(error);
  };
  const settle = async (group: Waiting[]) => {
    const begun = performance.now();
    try {
      const tell = await commit(pool, begin, group);
      fault = undefined;
      done.commits += 1;
      done.jobs += group.length;
      for (const one of tell) one();
    } catch (error) {
      fault = error;
      refuse(group, error);
      // Or they would add up, and wait as long again each time.
      if (performance.now() - begun > blip) refuse(waiting.splice(0), error);
    }
  };
  const go = async () => {
    // After the requests of this turn of the event loop have been read: they share the commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const group = waiting.slice(0, groupLimit);
      waiting = waiting.slice(groupLimit);
      await settle(group);
    }
    going = undefined;
  };
  return {
    add: <T>(job: Job<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ job, resolve: resolve as Waiting['resolve'], reject });
        going ??= go();
      }),
    work: () => ({ ...done, waiting: waiting.length }),
    fault: () => fault,
    async close() {
      await Promise.race([going, pause(lastPatience, undefined, { ref: false })]);
      refuse(waiting.splice(0), new Error('The database is closed.'));
      await end(0);
    },
  };
}

/** What settles each job of a group that is committed. Throws when none is kept. */
async function commit(pool: Pool, begin: string, group: Waiting[]): Promise<(() => void)[]> {
  for (let n = 1; ; n += 1) {
    // Once it is told to commit, nobody knows what became of it when the connection breaks.
    const state = { isCommitting: false };
    try {
      return await within(pool, (client) => attempt(client, { begin, group, state }));
    } catch (error) {
      // A connection that has rested may have died meanwhile: one more try finds that out.
      const isStale = n === 1 && error instanceof ConnectionLost && !state.isCommitting;
      if (isStale || (isCrossed(error) && n < tries)) continue;
      throw isCrossed(error) ? new DatabaseAway(error) : error;
    }
  }
}

interface Attempt {
  begin: string;
  group: Waiting[];
  state: { isCommitting: boolean };
}

async function attempt(
  client: PoolClient,
  { begin, group, state }: Attempt,
): Promise<(() => void)[]> {
  const settle = (await together(client, begin, group)) ?? (await alone(client, begin, group));
  state.isCommitting = true;
  await say(client, 'COMMIT');
  return settle;
}

const give = (client: PoolClient) => (statement: Statement) => answer(client, statement, patience);

/** Runs all jobs in one transaction; undefined when one failed and everything was taken back. */
async function together(
  client: PoolClient,
  begin: string,
  group: Waiting[],
): Promise<(() => void)[] | undefined> {
  const settle: (() => void)[] = [];
  const begun = say(client, begin);
  try {
    await behind(begun, async () => {
      for (const { job, resolve } of group) {
        const result = await drive(job(), give(client));
        settle.push(() => resolve(result));
      }
    });
    return settle;
  } catch (error) {
    // Who never had their turn need not ask for it again, one by one.
    await begun;
    const isOfAll = isCrossed(error) || isOfServer(error) || isOutworn(error);
    if (isOfAll || !(await isTakenBack(client))) throw error;
    return undefined;
  }
}

/** Runs each job under a savepoint of its own, so that only that one fails which does. */
async function alone(client: PoolClient, begin: string, group: Waiting[]): Promise<(() => void)[]> {
  await say(client, begin);
  const settle: (() => void)[] = [];
  for (const { job, resolve, reject } of group) {
    await say(client, 'SAVEPOINT job');
    try {
      const result = await drive(job(), give(client));
      await say(client, 'RELEASE SAVEPOINT job');
      settle.push(() => resolve(result));
    } catch (error) {
      await say(client, 'ROLLBACK TO SAVEPOINT job');
      if (isCrossed(error) || isOfServer(error)) throw error;
      settle.push(() => reject(asAway(error)));
    }
  }
  return settle;
}

/** Goes through a job, whose statements are answered one after the other. */
async function drive<T>(
  steps: Steps<T>,
  give: (statement: Statement) => Promise<unknown>,
): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await give(step.value));
  return step.value;
}

async function answer(client: PoolClient, statement: Statement, limit: number): Promise<unknown> {
  const { does, values } = statement;
  const text = textOf(statement);
  if (does === 'script') return ask(client, { text }, scriptPatience);
  const query = { ...preparedOf(text), values: bind(text, values) };
  const { rows, rowCount } = await ask(client, query, limit);
  return does === 'run' ? rowCount : rows;
}

/** Sends a query. One that is not answered in time ends its connection, and whatever waits on it. */
function ask(client: ClientBase, query: QueryConfig, limit: number): Promise<QueryResult> {
  // The driver's types do not know that a query may have a time limit of its own.
  const limited: QueryConfig & { query_timeout: number } = {
    ...query,
    query_timeout: limit + graceOfServer,
  };
  return client.query(limited);
}

/** Sends what has no values. */
const say = (client: PoolClient, text: string) => ask(client, { text }, patience);

interface Prepared {
  name: string;
  text: string;
}

const prepared = new Map<string, Prepared>();

/** The statement as the server wants it, with numbered marks, and the name it is prepared under. */
function preparedOf(text: string): Prepared {
  const known = prepared.get(text);
  if (known) return known;
  let n = 0;
  const made = {
    name: `s${prepared.size}`,
    text: text.replace(/\?/g, () => {
      n += 1;
      return `$${n}`;
    }),
  };
  prepared.set(text, made);
  return made;
}
