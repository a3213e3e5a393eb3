/**
 * Connections to PostgreSQL, and how they are spoken to: everything that is asked has a time limit, and a
 * connection that was found broken is not used again.
 */
import { Socket } from 'node:net';
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
import { codeOf } from '../../error-code.ts';
import { DatabaseUnavailable, type Statement, type Statements } from '../database.ts';
import { checkedValues, type Value } from '../value.ts';

/** How long a connection may take to come about, in ms. */
const connectPatience = 3000;

/** How long a statement may take, in ms. After that the server gives it up, or we the server. */
export const statementTimeoutMs = 5000;
export const readTimeoutMs = 30_000;
const graceOfServer = 1000;

/** The same for what builds the schema. */
const scriptPatience = 10 * 60_000;

/** After this a transaction whose instance has vanished is taken back by the server, in ms. */
const idlePatience = 15_000;

/** Beyond this an attempt that failed was no blip, in ms: who waits behind it need not wait for another. */
export const brieflyMs = 1000;

/** The connection broke while it was used: another one may do. */
export class ConnectionLost extends DatabaseUnavailable {}

export interface Connections {
  pool: Pool;
  /** Lets them go; what is under way has so many ms to end. */
  end(patience: number): Promise<void>;
}

export function openConnections(
  url: string,
  options: { max: number; statementPatience: number; onlyReads?: boolean },
): Connections {
  const { max, statementPatience, onlyReads = false } = options;
  const sockets = new Set<Socket>();
  const config: PoolConfig = {
    connectionString: verifying(url),
    max,
    application_name: 'shingle',
    connectionTimeoutMillis: connectPatience,
    idleTimeoutMillis: 60_000,
    // An address that was moved to another machine is found again.
    maxLifetimeSeconds: 30 * 60,
    keepAlive: true,
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
    pipeline: true,
    types: { getTypeParser },
    onConnect: (client) =>
      query(
        client,
        {
          text: `SET statement_timeout = ${statementPatience};
             SET lock_timeout = ${statementPatience};
             SET idle_in_transaction_session_timeout = ${idlePatience};
             SET client_min_messages = warning;
             SET standard_conforming_strings = on;
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
  return {
    pool,
    async end(patience) {
      await Promise.race([pool.end(), pause(patience, undefined, { ref: false })]);
      // A server that hangs takes no leave, and of one that let nobody in the driver takes none.
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * The address with the word for what the driver does: whatever stands there, it checks the certificate
 * and the name. It warns at each of these words that its next version will not.
 */
const verifying = (url: string) =>
  url.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, 'verify-full');

/** Whole numbers come as text, since they may be larger than ours are exact: none of ours is. */
const getTypeParser = (type: number) =>
  type === types.builtins.INT8 || type === types.builtins.NUMERIC
    ? Number
    : types.getTypeParser(type);

/** Gives `job` a connection; one that was found broken is not used again. */
export async function withConnection<T>(
  pool: Pool,
  job: (client: PoolClient) => Promise<T>,
): Promise<T> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
  let isSound = false;
  try {
    const result = await job(client);
    isSound = true;
    return result;
  } catch (error) {
    isSound = !needsNewConnection(error) && (await rollBack(client));
    if (!isSound) throw new ConnectionLost(error);
    throw asUnavailable(error);
  } finally {
    client.release(!isSound);
  }
}

/** Ends a transaction without keeping it; false: the connection is broken. */
export const rollBack = (client: PoolClient): Promise<boolean> =>
  queryText(client, 'ROLLBACK').then(
    () => true,
    () => false,
  );

export const hasCode = (codes: RegExp) => (error: unknown) => codes.test(codeOf(error) ?? '');

/** The server cannot serve anybody now: it starts, stops, is full, only reads, or does not let us in. */
export const isServerError = hasCode(/^(08|25006|40003|42501|53|57P|58)/);

/** It cannot do this one thing now: it is too slow, somebody else holds a row, or something is damaged. */
export const isStatementError = hasCode(/^(55P03|57014|XX)/);

/**
 * Another connection may do better: this one has come to a server that only reads since another took its
 * place, or does not know statements any more that were prepared on it, or knows those of others.
 */
export const needsNewConnection = hasCode(/^(25006|0A000|26000|42P05)$/);

/**
 * Others came in between, and it is worth trying again. Not when nobody knows what became of it, which
 * is 40003.
 */
export const isSerializationFailure = hasCode(/^(40001|40P01)$/);

export const asUnavailable = (error: unknown) =>
  isServerError(error) || isStatementError(error) ? new DatabaseUnavailable(error) : error;

/** Goes through a job, whose statements are answered one after the other. */
export async function runStatements<T>(
  steps: Statements<T>,
  give: (statement: Statement) => Promise<unknown>,
): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await give(step.value));
  return step.value;
}

export async function execute(
  client: PoolClient,
  statement: Statement,
  limit: number,
): Promise<unknown> {
  const { does, values } = statement;
  const text = textOf(statement);
  if (does === 'script') return query(client, { text: unhurried + text }, scriptPatience);
  if (does === 'each') return changed(client, text, { rows: statement.rows ?? [], limit });
  const { rows, rowCount } = await query(client, queryOf(text, values), limit);
  return does === 'run' ? rowCount : rows;
}

/** In a transaction, what builds or looks through whole tables. */
const unhurried = `SET LOCAL statement_timeout = ${scriptPatience};
  SET LOCAL lock_timeout = ${scriptPatience};
`;

/** Which of these rows the statement says, by their first columns, that it has changed anything for. */
async function changed(
  client: ClientBase,
  text: string,
  { rows, limit }: { rows: readonly (readonly Value[])[]; limit: number },
): Promise<boolean[]> {
  const answered = await query(client, queryOf(text, [JSON.stringify(rows)]), limit);
  const keys = new Set(answered.rows.map((row) => Object.values(row)[0]));
  return rows.map(([key]) => keys.has(key));
}

/** Sends a query. One that is not answered in time ends its connection, and whatever waits on it. */
export function query(client: ClientBase, query: QueryConfig, limit: number): Promise<QueryResult> {
  // The driver's types do not know that a query may have a time limit of its own.
  const limited: QueryConfig & { query_timeout: number } = {
    ...query,
    query_timeout: limit + graceOfServer,
  };
  return client.query(limited);
}

/** Sends what has no values. */
export const queryText = (client: PoolClient, text: string) =>
  query(client, { text }, statementTimeoutMs);

interface Prepared {
  name: string;
  text: string;
  parameterCount: number;
}

const prepared = new Map<string, Prepared>();

/** The statement as the server wants it, with numbered marks, and the name it is prepared under. */
function preparedOf(text: string): Prepared {
  const known = prepared.get(text);
  if (known) return known;
  let n = 0;
  const numbered = text.replace(/\?/g, () => {
    n += 1;
    return `$${n}`;
  });
  const made = { name: `s${prepared.size}`, text: numbered, parameterCount: n };
  prepared.set(text, made);
  return made;
}

function queryOf(text: string, values: readonly Value[]): QueryConfig {
  const { parameterCount, ...query } = preparedOf(text);
  return { ...query, values: checkedValues(text, parameterCount, values) };
}

export const textOf = ({ sql }: Statement) => (typeof sql === 'string' ? sql : sql.postgres);

/**
 * Does what comes after the begin of a transaction without waiting for its answer: both travel at once.
 * When the begin has failed, that is what is wrong.
 */
export async function pipelined<T>(begun: Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const [begin, result] = await Promise.allSettled([begun, work()]);
  if (begin.status === 'rejected') throw begin.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
