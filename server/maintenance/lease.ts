/** What the last night's work came to, kept beside the database: a new start knows it, and so does a command. */
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Database, get, run, type Statements } from '../database/database.ts';

const night = z.object({ at: z.number(), trouble: z.array(z.string()) });

export interface NightlyRun {
  /** When the work began, milliseconds since 1970, UTC. */
  at: number;
  /** What went wrong, in sentences for the owner. */
  trouble: string[];
}

/** Whether the night's work is the asker's, somebody else's at this moment, or done. */
export type LeaseResult = 'ours' | 'theirs' | 'done';

export interface NightlyLease {
  /** The last night that was worked through; undefined while there is none, or it cannot be read. */
  read(): Promise<NightlyRun | undefined>;
  /**
   * Takes on the work of the night that began at `since`, unless somebody else has done so. For `lease`
   * ms it is nobody else's; all times in milliseconds, UTC.
   */
  acquire(night: { now: number; since: number; lease: number }): Promise<LeaseResult>;
  write(night: NightlyRun): Promise<void>;
}

/** The record in this data folder, where one site works. */
export function fileLease(folder: string): NightlyLease {
  const path = join(folder, 'last-night.json');
  return {
    async read() {
      try {
        return nightOf(readFileSync(path, 'utf8'));
      } catch {
        return undefined;
      }
    },
    acquire: async () => 'ours',
    async write(value) {
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify(value)}\n`, { mode: 0o600 });
      renameSync(draft, path);
    },
  };
}

/** Throws when the text is none. */
const nightOf = (text: string): NightlyRun => night.parse(JSON.parse(text));

/** The record that instances on one database share. */
export function databaseLease(database: Database): NightlyLease {
  const worker = randomUUID();
  return {
    async read() {
      const row = await database.read(() => get<Row>(theNight));
      return lastOf(row);
    },
    acquire: ({ now, since, lease }) =>
      database.write(function* (): Statements<LeaseResult> {
        const row = yield* get<Row>(theNight);
        const last = lastOf(row);
        // A time in the future tells nothing.
        if (last && last.at >= since && last.at <= now + lease) return 'done';
        const until = row?.until ?? 0;
        const isTheirs = row?.worker !== worker && until > now && until <= now + 2 * lease;
        if (isTheirs) return 'theirs';
        yield* run(
          `INSERT INTO night (id, worker, until) VALUES (1, ?, ?)
           ON CONFLICT (id) DO UPDATE SET worker = excluded.worker, until = excluded.until`,
          [worker, now + lease],
        );
        return 'ours';
      }),
    write: (value) =>
      database.write(function* () {
        yield* run(
          `INSERT INTO night (id, last) VALUES (1, ?)
           ON CONFLICT (id) DO UPDATE SET last = excluded.last, worker = NULL, until = NULL`,
          [JSON.stringify(value)],
        );
      }),
  };
}

interface Row {
  worker: string | null;
  until: number | null;
  last: string | null;
}

const theNight = 'SELECT worker, until, last FROM night';

const lastOf = (row: Row | undefined) => (row?.last == null ? undefined : nightOf(row.last));
