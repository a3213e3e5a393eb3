/** Pauses of bookings: all visitors together have booked as many calls as a quota allows. */
import { columns } from '../database/columns.ts';
import { get, type Statements } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { Email } from '../email/email.ts';
import { queueEmail } from '../email/store.ts';
import type { Quota } from '../rate-limit/limiter.ts';
import { hourMs } from '../time/units.ts';

export interface Pause {
  /** The quota that is full; of several the one that is full longest. */
  quota: Quota;
  /** When visitors can book again, in ms since 1970, UTC. */
  until: number;
}

/** Also counts bookings that were cancelled since: a visitor who books and cancels again sends emails, too. */
const selectOldestCounted = sql`SELECT ${columns('booking', { at: 'created_at' })} FROM booking
  WHERE created_at > ? AND state <> 'blocked' ORDER BY created_at DESC LIMIT 1 OFFSET ?`;

/** Returns the pause at this time; undefined while visitors can book. */
export function* pauseAt(quotas: readonly Quota[], at: number): Statements<Pause | undefined> {
  let pause: Pause | undefined;
  for (const quota of quotas) {
    const { max, windowMs } = quota;
    const oldest = yield* get(selectOldestCounted, [at - windowMs, max - 1]);
    const until = (oldest?.at ?? 0) + windowMs;
    if (oldest && until > (pause?.until ?? 0)) pause = { quota, until };
  }
  return pause;
}

const selectQueuedAt = sql`SELECT ${columns('outbox', { at: 'queued_at' })} FROM outbox WHERE id = ?`;

/** Queues the email about a pause unless one was queued within the window of the quota. */
export function* queuePauseEmail(
  email: Email,
  { quota: { windowMs }, at }: { quota: Quota; at: number },
): Statements<boolean> {
  // An id for each window of the clock, so that instances with one outbox queue it once.
  const window = Math.floor(at / windowMs);
  const idOf = (n: number) => `paused-${windowMs / hourMs}-${n}`;
  const last = yield* get(selectQueuedAt, [idOf(window - 1)]);
  if (last && last.at > at - windowMs) return false;
  return yield* queueEmail({ ...email, id: idOf(window) }, at);
}
