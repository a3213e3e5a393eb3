/**
 * PostgreSQL, and what speaks its protocol: one database for any number of instances.
 *
 * Writes that arrive together are committed together, as in the embedded engine, since here, too, a
 * commit waits for a disk and each statement for the network. Jobs of `write` take turns across all
 * instances by the lock of one row, so that a job may decide by what it has read. Jobs of `append` need
 * no turn. Nothing is asked of the server that is PostgreSQL's alone: no advisory locks, no LISTEN.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import {
  type Database,
  DatabaseUnavailable,
  get,
  type Transaction,
  UnsupportedDatabase,
} from '../database.ts';
import {
  hasCode,
  openConnections,
  queryText,
  statementTimeoutMs,
  withConnection,
} from './connection.ts';
import { openReadPool, type ReadPool } from './read-pool.ts';
import { closeTimeoutMs, createWriteQueue, type WriteQueue } from './write-queue.ts';

/** How long it may take to find out whether the database takes writes, in ms. */
const probePatience = 4000;

export type Postgres = Database & Pick<ReadPool, 'snapshot'>;

/**
 * Opens the database at this address (`postgres://user:password@host/name`) for any number of
 * instances. Rejects with `DatabaseAway` when it cannot be had.
 */
export async function openPostgres(url: string): Promise<Postgres> {
  const readers = openReadPool(url);
  const open = () => openConnections(url, { max: 1, statementPatience: statementTimeoutMs });
  // Each lane has a connection of its own: when one is lost, the next is new, and none that has rested
  // as long and is as dead.
  const turns = open();
  // Whoever holds this row has their turn.
  const ordered = createWriteQueue(turns, 'BEGIN; SELECT id FROM writer FOR UPDATE');
  const beside = createWriteQueue(open(), 'BEGIN');
  let isOpen = true;
  const inLane = <T>(lane: WriteQueue, job: Transaction<T>): Promise<T> =>
    isOpen ? lane.add(job) : Promise.reject(new Error('The database is closed.'));

  const database: Postgres = {
    engine: 'postgres',
    write: (job) => inLane(ordered, job),
    append: (job) => inLane(beside, job),
    read: readers.read,
    snapshot: readers.snapshot,
    async probe() {
      // The turn is a lock that is written down: a server that only reads refuses it. Both lanes are asked,
      // since each remembers its own fault, and nobody may visit for hours.
      const ask = () => get('SELECT 1 AS one');
      await soon(Promise.all([database.write(ask), database.append(ask)]));
    },
    // What is deleted leaves the server's files by its own vacuum.
    wipeDeletedRows: async () => true,
    writeStats() {
      const [one, other] = [ordered.stats(), beside.stats()];
      return {
        commits: one.commits + other.commits,
        jobs: one.jobs + other.jobs,
        waiting: one.waiting + other.waiting,
      };
    },
    lastError: () => ordered.lastError() ?? beside.lastError(),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await Promise.all([ordered.close(), beside.close(), readers.end(closeTimeoutMs)]);
    },
  };
  try {
    await withConnection(turns.pool, async (client) => {
      await requireEveryLetter(client);
      await makeTurn(client);
    });
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
    throw new DatabaseUnavailable(new Error('timeout'));
  });
  try {
    await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    timer.abort();
  }
}

/**
 * Throws `UnfitDatabase` where a visitor's words may be refused for a letter or a smile in them. SQL_ASCII,
 * which a machine without a language gets, keeps every byte as it comes.
 */
async function requireEveryLetter(client: PoolClient): Promise<void> {
  const { rows } = await queryText(client, 'SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return;
  throw new UnsupportedDatabase(
    `This PostgreSQL database keeps its text as ${encoding}, which does not know every letter. ` +
      `Please create another: CREATE DATABASE shingle ENCODING 'UTF8' TEMPLATE template0;`,
  );
}

/** How often two instances may get in each other's way that both make it. */
const triesToMake = 5;

/** Makes the row whose lock is the turn of whoever writes, unless it is there. */
async function makeTurn(client: PoolClient): Promise<void> {
  for (let n = 1; ; n += 1) {
    try {
      const { rowCount } = await queryText(client, 'SELECT id FROM writer');
      if (rowCount) return;
      await queryText(client, 'INSERT INTO writer (id) VALUES (1) ON CONFLICT DO NOTHING');
    } catch (error) {
      if (n === triesToMake || !isMissing(error)) throw error;
      await queryText(
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
const isThere = hasCode(/^(42P07|42710|23505)$/);
