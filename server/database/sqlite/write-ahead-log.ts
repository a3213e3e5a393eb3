/** The write-ahead log of a connection: its state, and copying it into the main file. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** The log as a connection sees it. */
export interface LogState {
  /** The pages in it, and how many of them have been copied into the main file. */
  pages: number;
  copiedPages: number;
  /** How long the file must be to hold all commits. */
  bytes: number;
  dataVersion: number | undefined;
}

/** Bytes before the first page of a log, and before each page (https://sqlite.org/fileformat.html#walformat). */
const logHeaderBytes = 32;
const frameHeaderBytes = 24;

interface Checkpoint {
  busy: number;
  log: number;
  checkpointed: number;
}

/** Returns a function that returns the state of the log; undefined within a transaction. */
export function createLogReader(database: DatabaseSyncInstance): () => LogState | undefined {
  const [page] = database.prepare('PRAGMA page_size').all() as { page_size: number }[];
  const frameBytes = frameHeaderBytes + (page?.page_size ?? 0);
  // Copies nothing.
  const state = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  return () => {
    if (database.isTransaction) return undefined;
    const [row] = state.all() as unknown as Checkpoint[];
    const pages = Math.max(0, row?.log ?? 0);
    return {
      pages,
      copiedPages: Math.max(0, row?.checkpointed ?? 0),
      bytes: pages > 0 ? logHeaderBytes + pages * frameBytes : 0,
      dataVersion: dataVersion(database),
    };
  };
}

/**
 * Copies the log into the main file; TRUNCATE also empties it. Returns false if another program that reads or
 * writes kept it from finishing. Throws when the disk fails: the log then still has the data.
 */
export function checkpoint(database: DatabaseSyncInstance, mode: 'PASSIVE' | 'TRUNCATE'): boolean {
  const [row] = database.prepare(`PRAGMA wal_checkpoint(${mode})`).all() as unknown as Checkpoint[];
  return row?.busy === 0 && row.log === row.checkpointed;
}

/** Changes when another connection commits; undefined when the files cannot be read. */
export function dataVersion(database: DatabaseSyncInstance): number | undefined {
  try {
    const [row] = database.prepare('PRAGMA data_version').all() as { data_version: number }[];
    return row?.data_version;
  } catch {
    return undefined;
  }
}
