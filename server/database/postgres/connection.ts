/**
 * Connections to PostgreSQL. Every query has a timeout, and a broken connection never returns to its
 * pool.
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
import { codeOf, connectionLost, databaseUnavailable, isUnavailable } from '../../errors.ts';
import { minuteMs } from '../../time/units.ts';
import type { Statement, Statements } from '../database.ts';
import { checkedValues, type Value } from '../value.ts';

/** Connection timeout, in ms. */
const connectTimeoutMs = 3000;

/** Timeout of a writing statement, in ms, enforced by the server. */
export const statementTimeoutMs = 5000;

/** Timeout of a reading statement, in ms, enforced by the server. */
export const readTimeoutMs = 30_000;

/** How much longer than the server the client waits before it drops a hung connection, in ms. */
const clientGraceMs = 1000;

/** Timeout of scripts, which build the schema or process whole tables, in ms. */
const scriptTimeoutMs = 10 * minuteMs;

/** After this idle time the server rolls back the transaction of an instance that vanished, in ms. */
const idleTimeoutMs = 15_000;

/** A failure that took longer than this, in ms, is an outage: reject waiting work instead of retrying. */
export const brieflyMs = 1000;

export interface Connections {
  pool: Pool;
  /** Closes all connections; running queries have `timeoutMs` to finish. */
  end(timeoutMs: number): Promise<void>;
}

/** Opens a pool of at most `max` connections, with `timeoutMs` as statement and lock timeout. */
export function openConnections(
  url: string,
  options: { max: number; timeoutMs: number; readOnly?: boolean },
): Connections {
  const { max, timeoutMs, readOnly = false } = options;
  const sockets = new Set<Socket>();
  const config: PoolConfig = {
    connectionString: withVerifyFull(url),
    max,
    application_name: 'shingle',
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    // Reconnect regularly, so that a changed DNS record takes effect.
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
          text: `SET statement_timeout = ${timeoutMs};
             SET lock_timeout = ${timeoutMs};
             SET idle_in_transaction_session_timeout = ${idleTimeoutMs};
             SET client_min_messages = warning;
             SET standard_conforming_strings = on;
             SET default_transaction_read_only = ${readOnly};
             SET default_transaction_isolation = 'read committed'`,
        },
        connectTimeoutMs,
      ),
  };
  const pool = new Pool(config);
  // A query on a broken connection rejects by itself; an idle connection that breaks needs no handling.
  const ignore = () => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return {
    pool,
    async end(timeoutMs) {
      await Promise.race([pool.end(), pause(timeoutMs, undefined, { ref: false })]);
      // The driver leaves sockets open when the server hangs or rejected the login: that would delay exit.
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Replaces weaker values of `sslmode` by `verify-full`. The driver treats them all as `verify-full`, and
 * warns that its next version will not.
 */
const withVerifyFull = (url: string) =>
  url.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, 'verify-full');

/** The driver returns 64-bit integers as text. All stored numbers are safe integers, so parse them. */
const getTypeParser = (type: number) =>
  type === types.builtins.INT8 || type === types.builtins.NUMERIC
    ? Number
    : types.getTypeParser(type);

/**
 * Runs `work` on a connection of the pool, and rolls back the open transaction if it throws. Throws
 * `CONNECTION_LOST` when the connection broke, and `DATABASE_UNAVAILABLE` when there is none.
 */
export async function withConnection<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw databaseUnavailable(error);
  }
  let isUsable = false;
  try {
    const result = await work(client);
    isUsable = true;
    return result;
  } catch (error) {
    isUsable = !needsNewConnection(error) && (await rollBack(client));
    if (!isUsable) throw connectionLost(isUnavailable(error) ? error.cause : error);
    throw asUnavailable(error);
  } finally {
    client.release(!isUsable);
  }
}

/** Rolls a transaction back; resolves with false when the connection is broken. */
export const rollBack = (client: PoolClient): Promise<boolean> =>
  queryText(client, 'ROLLBACK').then(
    () => true,
    () => false,
  );

/** Returns a predicate for errors whose SQLSTATE matches `codes`. */
export const hasCode = (codes: RegExp) => (error: unknown) => codes.test(codeOf(error) ?? '');

/** The whole server is unavailable: it starts, stops, is full, is read-only, or rejects the login. */
export const isServerError = hasCode(/^(08|25006|40003|42501|53|57P|58)/);

/** One statement failed: it timed out, another transaction holds a lock, or data are damaged. */
export const isStatementError = hasCode(/^(55P03|57014|XX)/);

/**
 * A new connection may work: after a failover this one leads to a read-only server, or a connection
 * pooler in between lost its prepared statements or mixed them with those of other clients.
 */
export const needsNewConnection = hasCode(/^(25006|0A000|26000|42P05)$/);

/**
 * A serialization failure or a deadlock: a retry is safe. After 40003 (completion unknown) it is not,
 * because the transaction may have been committed.
 */
export const isSerializationFailure = hasCode(/^(40001|40P01)$/);

/** Wraps server and statement errors in `DATABASE_UNAVAILABLE`; returns other errors unchanged. */
export const asUnavailable = (error: unknown) =>
  isServerError(error) || isStatementError(error) ? databaseUnavailable(error) : error;

/** Runs the statements of a transaction one after the other; resolves with its result. */
export async function runStatements<T>(
  statements: Statements<T>,
  executeOne: (statement: Statement) => Promise<unknown>,
): Promise<T> {
  let step = statements.next();
  while (!step.done) step = statements.next(await executeOne(step.value));
  return step.value;
}

/** Executes a statement; resolves with what its `kind` promises. */
export async function execute(
  client: PoolClient,
  statement: Statement,
  timeoutMs: number,
): Promise<unknown> {
  const { kind, values } = statement;
  const text = textOf(statement);
  if (kind === 'script') return query(client, { text: raiseTimeouts + text }, scriptTimeoutMs);
  const { rows, rowCount } = await query(client, queryOf(text, values), timeoutMs);
  return kind === 'run' ? rowCount : rows;
}

/** Scripts build or scan whole tables, so the rest of their transaction gets longer timeouts. */
const raiseTimeouts = `SET LOCAL statement_timeout = ${scriptTimeoutMs};
  SET LOCAL lock_timeout = ${scriptTimeoutMs};
`;

/** Sends a query. If the server does not respond in time, its connection and all queries on it fail. */
export function query(
  client: ClientBase,
  query: QueryConfig,
  timeoutMs: number,
): Promise<QueryResult> {
  // `query_timeout` is missing in the driver's types.
  const limited: QueryConfig & { query_timeout: number } = {
    ...query,
    query_timeout: timeoutMs + clientGraceMs,
  };
  return client.query(limited);
}

/** Sends SQL without parameters, with the timeout of writes. */
export const queryText = (client: PoolClient, text: string) =>
  query(client, { text }, statementTimeoutMs);

interface Prepared {
  name: string;
  text: string;
  parameterCount: number;
}

const preparedByText = new Map<string, Prepared>();

/** Numbers the parameters, as PostgreSQL requires, and names the prepared statement. */
function preparedOf(text: string): Prepared {
  const cached = preparedByText.get(text);
  if (cached) return cached;
  let n = 0;
  const numbered = text.replace(/\?/g, () => {
    n += 1;
    return `$${n}`;
  });
  const prepared = { name: `s${preparedByText.size}`, text: numbered, parameterCount: n };
  preparedByText.set(text, prepared);
  return prepared;
}

function queryOf(text: string, values: readonly Value[]): QueryConfig {
  const { parameterCount, ...query } = preparedOf(text);
  return { ...query, values: checkedValues(text, parameterCount, values) };
}

/** The PostgreSQL text of a statement. */
const textOf = ({ sql }: Statement) => (typeof sql === 'string' ? sql : sql.postgres);

/**
 * Starts `work` without waiting for `first` (a `BEGIN`), which saves a round trip. When both fail, the
 * error of `first` is the cause, so it is thrown.
 */
export async function pipelined<T>(first: Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const [begin, result] = await Promise.allSettled([first, work()]);
  if (begin.status === 'rejected') throw begin.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
