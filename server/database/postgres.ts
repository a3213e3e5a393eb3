/**
 * PostgreSQL, and what speaks its protocol: one database for any number of instances.
 *
 * Writes that arrive together are committed together, as in the embedded engine, since here, too, a
 * commit waits for a disk and each statement for the network. Jobs of `write` take turns across all
 * instances by the lock of one row, so that a job may decide by what it has read. Jobs of `append` need
 * no turn. Nothing is asked of the server that is PostgreSQL's alone: no advisory locks, no LISTEN.
 */
import {
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
  type Statement,
  type Steps,
  type Work,
} from './database.ts';

/** How many connections an instance has at most: two that write, and those that read. */
const writers = 2;
const readers = 4;

/** How long a connection may take to come about, in ms. */
const connectPatience = 3000;

/** How long a statement may take, in ms. After that the server gives it up, or we the server. */
const patience = 5000;
const readPatience = 30_000;
const graceOfServer = 1000;

/** The same for what builds the schema. */
const scriptPatience = 10 * 60_000;

/** After this a transaction whose instance has vanished is taken back by the server, in ms. */
const idlePatience = 15_000;

/** Most jobs one commit may hold. */
const groupLimit = 256;

/** How often a group runs again that others came in between of. */
const tries = 5;

/**
 * Opens the database at this address (`postgres://user:password@host/name`) for any number of
 * instances. Rejects with `DatabaseAway` when it cannot be had.
 */
export async function openPostgres(url: string): Promise<Database> {
  const writing = createPool(url, { max: writers, statementPatience: patience });
  const reading = createPool(url, { max: readers, statementPatience: readPatience });
  const done: Omit<Work, 'waiting'> = { commits: 0, jobs: 0 };
  let fault: unknown;
  const report = (error?: unknown, jobs = 0) => {
    fault = error;
    if (error !== undefined) return;
    done.commits += 1;
    done.jobs += jobs;
  };
  const ordered = createLane(writing, {
    // Whoever holds this row has their turn.
    begin: 'BEGIN; SELECT id FROM writer FOR UPDATE',
    report,
  });
  const beside = createLane(writing, { begin: 'BEGIN', report });
  let isOpen = true;
  const open = <T>(lane: Lane, job: Job<T>): Promise<T> =>
    isOpen ? lane.add(job) : Promise.reject(new Error('The database is closed.'));

  const database: Database = {
    engine: 'postgres',
    write: (job) => open(ordered, job),
    append: (job) => open(beside, job),
    read: (job) => within(reading, (client) => read(client, job)),
    async probe() {
      // The turn is a lock that is written down: a server that only reads refuses it.
      await database.write(() => get('SELECT 1 AS one'));
    },
    // What is deleted leaves the server's files by its own vacuum.
    shred: async () => true,
    work: () => ({ ...done, waiting: ordered.waiting() + beside.waiting() }),
    fault: () => fault,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await Promise.all([ordered.idle(), beside.idle()]);
      await Promise.all([writing.end(), reading.end()]);
    },
  };
  try {
    await within(writing, makeTurn);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function createPool(
  url: string,
  { max, statementPatience }: { max: number; statementPatience: number },
): Pool {
  const options: PoolConfig = {
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
      client.query(
        `SET statement_timeout = ${statementPatience};
         SET lock_timeout = ${statementPatience};
         SET idle_in_transaction_session_timeout = ${idlePatience};
         SET client_min_messages = warning;
         SET default_transaction_isolation = 'read committed'`,
      ),
  };
  const pool = new Pool(options);
  // A connection that breaks tells whoever uses it; that nobody does is no event.
  const ignore = () => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
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
    isSound = await isTakenBack(client);
    throw isSound && !isOfServer(error) ? error : new DatabaseAway(error);
  } finally {
    client.release(!isSound);
  }
}

/** Ends a transaction without keeping it; false: the connection is broken. */
const isTakenBack = (client: PoolClient): Promise<boolean> =>
  ask(client, { text: 'ROLLBACK' }, patience).then(
    () => true,
    () => false,
  );

/** The server says that it cannot serve now: it starts, stops, is full or only reads. */
const isOfServer = (error: unknown) => /^(08|25006|53|55P03|57P|58|XX)/.test(codeOf(error) ?? '');

/** Others came in between, and it is worth trying again. */
const isCrossed = (error: unknown) => /^40/.test(codeOf(error) ?? '');

/** Makes the row whose lock is the turn of whoever writes, unless it is there. */
async function makeTurn(client: PoolClient): Promise<void> {
  for (let n = 1; ; n += 1) {
    try {
      const { rowCount } = await client.query('SELECT id FROM writer');
      if (rowCount) return;
      await client.query('INSERT INTO writer (id) VALUES (1) ON CONFLICT DO NOTHING');
    } catch (error) {
      // It is not there yet, or another instance has made it at the same moment.
      if (n === tries || !/^(42P01|42P07|23505)$/.test(codeOf(error) ?? '')) throw error;
      await client
        .query('CREATE TABLE IF NOT EXISTS writer (id bigint PRIMARY KEY CHECK (id = 1))')
        .catch(() => {});
    }
  }
}

/** Begins of jobs that ask more than one thing, which must be of one moment. */
const several = new Set<string>();

/** Runs a job that changes nothing. A single question needs no transaction around it. */
async function read<T>(client: PoolClient, job: Job<T>): Promise<T> {
  const steps = job();
  const first = steps.next();
  if (first.done) return first.value;
  const text = textOf(first.value);
  if (!several.has(text)) {
    const second = steps.next(await answer(client, first.value, readPatience));
    if (second.done) return second.value;
    // Nothing was changed, so it may begin anew; next time it is known.
    several.add(text);
  }
  return snapshot(client, job);
}

/** All that the job reads is of the moment of its first statement. */
async function snapshot<T>(client: PoolClient, job: Job<T>): Promise<T> {
  const begun = ask(client, { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' }, patience);
  const result = await behind(begun, () =>
    drive(job(), (statement) => answer(client, statement, readPatience)),
  );
  await ask(client, { text: 'COMMIT' }, patience);
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

interface Lane {
  add<T>(job: Job<T>): Promise<T>;
  waiting(): number;
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
}

interface Waiting {
  job: Job<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Jobs that are committed in groups, one group after the other. */
function createLane(
  pool: Pool,
  { begin, report }: { begin: string; report: (error?: unknown, jobs?: number) => void },
): Lane {
  let waiting: Waiting[] = [];
  let going: Promise<void> | undefined;

  const settle = async (group: Waiting[]) => {
    try {
      const tell = await commit(pool, begin, group);
      report(undefined, group.length);
      for (const one of tell) one();
    } catch (error) {
      report(error);
      for (const { reject } of group) reject(error);
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
    waiting: () => waiting.length,
    idle: async () => going,
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
      const isStale = n === 1 && error instanceof DatabaseAway && !state.isCommitting;
      if (!(isStale || isCrossed(error)) || n === tries) throw error;
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
  await ask(client, { text: 'COMMIT' }, patience);
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
  const begun = start(client, begin);
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
    if (isCrossed(error) || !(await isTakenBack(client))) throw error;
    return undefined;
  }
}

/** Runs each job under a savepoint of its own, so that only that one fails which does. */
async function alone(client: PoolClient, begin: string, group: Waiting[]): Promise<(() => void)[]> {
  await start(client, begin);
  const settle: (() => void)[] = [];
  for (const { job, resolve, reject } of group) {
    await client.query('SAVEPOINT job');
    try {
      const result = await drive(job(), give(client));
      await client.query('RELEASE SAVEPOINT job');
      settle.push(() => resolve(result));
    } catch (error) {
      await client.query('ROLLBACK TO SAVEPOINT job');
      if (isCrossed(error)) throw error;
      settle.push(() => reject(error));
    }
  }
  return settle;
}

const start = (client: PoolClient, begin: string) => ask(client, { text: begin }, patience);

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
function ask(client: PoolClient, query: QueryConfig, limit: number): Promise<QueryResult> {
  // The driver's types do not know that a query may have a time limit of its own.
  const limited: QueryConfig & { query_timeout: number } = {
    ...query,
    query_timeout: limit + graceOfServer,
  };
  return client.query(limited);
}

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
