/**
 * PostgreSQL and compatible servers: one database for any number of instances.
 *
 * Writes that arrive together share a group commit, because a commit waits for a disk and each statement
 * for the network. `write` serializes transactions across all instances by a lock on one row, so that a
 * transaction can decide by what it has read; `append` takes no lock.
 *
 * Advisory locks and LISTEN are not used, because compatible servers may lack them.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { AppError, databaseUnavailable } from '../../errors.ts';
import { type Database, exists, type Transaction } from '../database.ts';
import {
  hasCode,
  openConnections,
  queryText,
  statementTimeoutMs,
  withConnection,
} from './connection.ts';
import { openReadPool, type ReadPool } from './read-pool.ts';
import { closeTimeoutMs, createWriteQueue, type WriteQueue } from './write-queue.ts';

/** Timeout of `probe`, in ms. */
const probeTimeoutMs = 4000;

export type Postgres = Database & Pick<ReadPool, 'snapshot'>;

/**
 * Opens the database at this URL (`postgres://user:password@host/name`), for any number of instances.
 * Rejects with `DATABASE_UNAVAILABLE` when there is no connection, and with `UNSUPPORTED_DATABASE` when
 * its encoding cannot store every character.
 */
export async function openPostgres(url: string): Promise<Postgres> {
  const readPool = openReadPool(url);
  const open = () => openConnections(url, { max: 1, timeoutMs: statementTimeoutMs });
  // One connection for each queue: a retry after a lost connection then opens a new one, instead of
  // taking another idle connection that died in the same outage.
  const serialConnections = open();
  // The lock on this row serializes writes across instances.
  const serialQueue = createWriteQueue(
    serialConnections,
    'BEGIN; SELECT id FROM writer FOR UPDATE',
  );
  const appendQueue = createWriteQueue(open(), 'BEGIN');
  let isOpen = true;
  const enqueue = <T>(queue: WriteQueue, transaction: Transaction<T>): Promise<T> =>
    isOpen ? queue.add(transaction) : Promise.reject(new Error('The database is closed.'));

  const database: Postgres = {
    engine: 'postgres',
    write: (transaction) => enqueue(serialQueue, transaction),
    append: (transaction) => enqueue(appendQueue, transaction),
    read: readPool.read,
    snapshot: readPool.snapshot,
    async probe() {
      // A row lock is a write, so a read-only server rejects it. Probe both queues: each keeps its last
      // error, which would otherwise last until the next visitor.
      const select = () => exists('SELECT 1 AS one');
      await withProbeTimeout(Promise.all([database.write(select), database.append(select)]));
    },
    // The server's own vacuum removes deleted rows from its files.
    wipeDeletedRows: async () => true,
    writeStats() {
      const [serial, append] = [serialQueue.stats(), appendQueue.stats()];
      return {
        commits: serial.commits + append.commits,
        writes: serial.writes + append.writes,
        waiting: serial.waiting + append.waiting,
      };
    },
    lastError: () => serialQueue.lastError() ?? appendQueue.lastError(),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await Promise.all([serialQueue.close(), appendQueue.close(), readPool.end(closeTimeoutMs)]);
    },
  };
  try {
    await withConnection(serialConnections.pool, async (client) => {
      await requireUnicode(client);
      await createWriterRow(client);
    });
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Rejects with `DATABASE_UNAVAILABLE` after `probeTimeoutMs`. It does not cancel `work`. */
async function withProbeTimeout(work: Promise<unknown>): Promise<void> {
  const timeout = pause(probeTimeoutMs, undefined, { ref: false }).then(() => {
    throw databaseUnavailable(new Error('timeout'));
  });
  await Promise.race([work, timeout]);
}

/**
 * Throws `UNSUPPORTED_DATABASE` for an encoding that lacks characters, such as emoji. SQL_ASCII, the
 * default on machines without a locale, stores every byte unchanged.
 */
async function requireUnicode(client: PoolClient): Promise<void> {
  const { rows } = await queryText(client, 'SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return;
  throw new AppError(
    'UNSUPPORTED_DATABASE',
    `This PostgreSQL database keeps its text as ${encoding}, which cannot store every character. ` +
      `Please create another: CREATE DATABASE shingle ENCODING 'UTF8' TEMPLATE template0;`,
  );
}

/** Attempts to create the writer row while other instances create it at the same time. */
const createAttempts = 5;

/** Creates the row whose lock serializes writes, unless it exists. */
async function createWriterRow(client: PoolClient): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { rowCount } = await queryText(client, 'SELECT id FROM writer');
      if (rowCount) return;
      await queryText(client, 'INSERT INTO writer (id) VALUES (1) ON CONFLICT DO NOTHING');
    } catch (error) {
      if (attempt === createAttempts || !isMissingTable(error)) throw error;
      await queryText(
        client,
        'CREATE TABLE IF NOT EXISTS writer (id bigint PRIMARY KEY CHECK (id = 1))',
      ).catch((error: unknown) => {
        if (!isDuplicate(error)) throw error;
      });
    }
  }
}

const isMissingTable = hasCode(/^42P01$/);

/** Another instance created the table at the same time (a race). */
const isDuplicate = hasCode(/^(42P07|42710|23505)$/);
