/** The lease of the nightly job and the record of its last run, for later processes and commands. */
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { columns } from '../database/columns.ts';
import { type Database, get, run, type Statements } from '../database/database.ts';
import { sql } from '../database/sql.ts';

const nightlyRun = z.object({
  /** When the run started, milliseconds since 1970, UTC. */
  at: z.number(),
  /** The problems it found, as sentences for the owner. */
  problems: z.array(z.string()),
});

export type NightlyRun = z.infer<typeof nightlyRun>;

/** This instance holds the lease, another instance holds it, or tonight's run is already complete. */
export type LeaseResult = 'acquired' | 'held' | 'done';

export interface NightlyLease {
  /** Returns the last complete run; undefined if there is none, or a file cannot be read. */
  read(): Promise<NightlyRun | undefined>;
  /**
   * Acquires the lease of the night that began at `since`, for `leaseMs`, unless another instance holds
   * it. Times are milliseconds since 1970, UTC.
   */
  acquire(night: { now: number; since: number; leaseMs: number }): Promise<LeaseResult>;
  /** Records a complete run and releases the lease. */
  write(run: NightlyRun): Promise<void>;
}

/** Creates the lease of a data folder. Only one site runs on a folder, so it is always acquired. */
export function fileLease(folder: string): NightlyLease {
  const path = join(folder, 'last-night.json');
  return {
    async read() {
      try {
        return parseRun(readFileSync(path, 'utf8'));
      } catch {
        return undefined;
      }
    },
    acquire: async () => 'acquired',
    async write(value) {
      const temporaryFile = `${path}.${process.pid}`;
      writeFileSync(temporaryFile, `${JSON.stringify(value)}\n`, { mode: 0o600 });
      renameSync(temporaryFile, path);
    },
  };
}

/** Throws when the text is not a run. */
const parseRun = (text: string) => nightlyRun.parse(JSON.parse(text));

/** Creates the lease that instances on one database share. */
export function databaseLease(database: Database): NightlyLease {
  const worker = randomUUID();
  return {
    async read() {
      const row = await database.read(() => get(selectNight));
      return lastRunOf(row);
    },
    acquire: ({ now, since, leaseMs }) =>
      database.write(function* (): Statements<LeaseResult> {
        const row = yield* get(selectNight);
        const last = lastRunOf(row);
        // Ignore times too far in the future: an instance whose clock was ahead wrote them.
        if (last && last.at >= since && last.at <= now + leaseMs) return 'done';
        const until = row?.until ?? 0;
        const isHeld = row?.worker !== worker && until > now && until <= now + 2 * leaseMs;
        if (isHeld) return 'held';
        yield* run(
          `INSERT INTO nightly_job (id, worker, leased_until) VALUES (1, ?, ?)
           ON CONFLICT (id) DO UPDATE SET worker = excluded.worker, leased_until = excluded.leased_until`,
          [worker, now + leaseMs],
        );
        return 'acquired';
      }),
    write: (value) =>
      database.write(function* () {
        yield* run(
          `INSERT INTO nightly_job (id, last_run) VALUES (1, ?)
           ON CONFLICT (id) DO UPDATE SET last_run = excluded.last_run, worker = NULL, leased_until = NULL`,
          [JSON.stringify(value)],
        );
      }),
  };
}

const selectNight = sql`SELECT ${columns('nightly_job', 'worker', { until: 'leased_until', last: 'last_run' })} FROM nightly_job`;

const lastRunOf = (row: { last: string | null } | undefined) =>
  row?.last == null ? undefined : parseRun(row.last);
