/** Transactions that book, move, cancel and remind of calls. Each queues its emails and its event, too. */
import { columns, count } from '../database/columns.ts';
import { get, run, type Statements } from '../database/database.ts';
import { equalsIgnoringCase, sql } from '../database/sql.ts';
import type { Email, OutboxEmail } from '../email/email.ts';
import { queueEmail } from '../email/store.ts';
import type { Quota } from '../rate-limit/limiter.ts';
import type { WebhookEvent } from '../webhooks/event.ts';
import { queueEvent } from '../webhooks/store.ts';
import { type Pause, pauseAt, queuePauseEmail } from './pause.ts';
import { type Booking, bookings, busyNear, byId, insertBooked } from './rows.ts';
import type { BusySpan } from './slots.ts';

/** The emails about a booking. */
export type EmailsOf = (booking: Booking) => readonly OutboxEmail[];

/** The event about a booking for the webhook receiver. */
export type EventOf = (booking: Booking) => WebhookEvent;

/** Whether a time is free next to these busy times. The database may call it more than once. */
type IsFree = (busy: readonly BusySpan[]) => boolean;

/** What a booking must respect, and the emails about it. */
export interface BookOptions {
  idempotencyKey: string;
  isFree: IsFree;
  /** Maximum upcoming calls of one visitor. */
  maxUpcoming: number;
  /** Maximum bookings of all visitors together. */
  quotas: readonly Quota[];
  emails: EmailsOf;
  /** Undefined without a webhook receiver. */
  event?: EventOf | undefined;
  /** Writes the email about a pause to the owner; undefined without a mail server. */
  pausedEmail?: ((pause: Pause) => Email) | undefined;
}

type Booked =
  | { status: 'booked' | 'repeated'; booking: Booking }
  | { status: 'taken' }
  | { status: 'limited' }
  | { status: 'paused'; pause: Pause; isEmailed: boolean };

/**
 * Stores a booking, its emails and its event unless its time is taken: it reads the busy times, asks `isFree` and
 * inserts, and a unique index excludes a second booking of the same time. A retry with the same idempotency
 * key returns the stored booking as `repeated`. `limited`: the visitor has `maxUpcoming` upcoming calls
 * already. `paused`: one of the quotas is full; `isEmailed` when this queued the email about it.
 */
export function* book(
  booking: Booking,
  { idempotencyKey, isFree, maxUpcoming, quotas, emails, event, pausedEmail }: BookOptions,
): Statements<Booked> {
  // The busy times first: most of many requests at once end here.
  const isTaken = !isFree(yield* busyNear({ from: booking.start, to: booking.end }));
  const [stored] = yield* bookings('WHERE idempotency_key = ?', [idempotencyKey]);
  if (stored) return { status: 'repeated', booking: stored };
  if (isTaken) return { status: 'taken' };
  const upcoming = yield* get(countUpcoming, [booking.createdAt, booking.email]);
  if ((upcoming?.n ?? 0) >= maxUpcoming) return { status: 'limited' };
  const at = booking.createdAt;
  const pause = yield* pauseAt(quotas, at);
  if (pause) {
    const { quota } = pause;
    const isEmailed =
      pausedEmail !== undefined && (yield* queuePauseEmail(pausedEmail(pause), { quota, at }));
    return { status: 'paused', pause, isEmailed };
  }
  if (!(yield* insertBooked(booking, idempotencyKey))) return { status: 'taken' };
  yield* queueAll(emails(booking), booking.changedAt);
  if (event) yield* queueEvent(event(booking), booking.changedAt);
  return { status: 'booked', booking };
}

const countUpcoming = sql`SELECT ${columns('booking', { n: count })} FROM booking
  WHERE state = 'booked' AND starts_at > ? AND ${equalsIgnoringCase('email')}`;

/** The new time of a booking, and what it must respect. */
export interface MoveOptions {
  start: number;
  end: number;
  at: number;
  isFree: IsFree;
  /** Undefined: the owner moves it, which does not count. */
  maxChanges: number | undefined;
  emails: EmailsOf;
  event?: EventOf | undefined;
}

/** What became of a change. */
interface Changed {
  status: 'changed' | 'unchanged' | 'taken' | 'closed';
  booking: Booking;
}

/**
 * Moves a booking to another time unless that is taken. `closed`: it was cancelled or has begun, or its
 * visitor changed it `maxChanges` times already. Undefined for an unknown id.
 */
export function* move(
  id: string,
  { start, end, at, isFree, maxChanges, emails, event }: MoveOptions,
): Statements<Changed | undefined> {
  const [booking] = yield* bookings(byId, [id]);
  if (!booking) return undefined;
  if (isClosed(booking, at)) return { status: 'closed', booking };
  if (booking.start === start) return { status: 'unchanged', booking };
  if (maxChanges !== undefined) {
    const made = yield* get(selectVisitorChanges, [id]);
    if ((made?.n ?? 0) >= maxChanges) return { status: 'closed', booking };
  }
  const busy = yield* busyNear({ from: start, to: end }, id);
  if (!isFree(busy)) return { status: 'taken', booking };
  const moved = yield* run(
    `UPDATE booking SET starts_at = ?, ends_at = ?, sequence = sequence + 1, changed_at = ?,
       visitor_changes = visitor_changes + ?
     WHERE id = ?`,
    [start, end, at, Number(maxChanges !== undefined), id],
  );
  if (moved === 0) return undefined;
  const changed = { ...booking, start, end, sequence: booking.sequence + 1, changedAt: at };
  yield* queueAll(emails(changed), at);
  if (event) yield* queueEvent(event(changed), at);
  return { status: 'changed', booking: changed };
}

const selectVisitorChanges = sql`SELECT ${columns('booking', { n: 'visitor_changes' })}
  FROM booking WHERE id = ?`;

/** Cancels a booking, which frees its time. `closed`: it has begun. Undefined for an unknown id. */
export function* cancel(
  id: string,
  { at, emails, event }: Pick<MoveOptions, 'at' | 'emails' | 'event'>,
): Statements<Changed | undefined> {
  const [booking] = yield* bookings(byId, [id]);
  if (!booking) return undefined;
  if (booking.state === 'cancelled') return { status: 'unchanged', booking };
  if (isClosed(booking, at)) return { status: 'closed', booking };
  yield* run(
    `UPDATE booking SET state = 'cancelled', sequence = sequence + 1, changed_at = ? WHERE id = ?`,
    [at, id],
  );
  const changed: Booking = {
    ...booking,
    state: 'cancelled',
    sequence: booking.sequence + 1,
    changedAt: at,
  };
  yield* queueAll(emails(changed), at);
  if (event) yield* queueEvent(event(changed), at);
  return { status: 'changed', booking: changed };
}

const isClosed = ({ state, start }: Booking, at: number) => state === 'cancelled' || start <= at;

/**
 * Queues a reminder of each call that starts within `withinMs` and was booked earlier than that. Returns the
 * number of emails.
 */
export function* remind(now: number, withinMs: number, emails: EmailsOf): Statements<number> {
  const due = yield* bookings(
    `WHERE state = 'booked' AND starts_at > ? AND starts_at <= ? AND created_at < starts_at - ?
       AND NOT EXISTS (SELECT 1 FROM outbox
         WHERE outbox.id = 'visitor-reminder-' || booking.id || '-' || booking.sequence)
     ORDER BY starts_at LIMIT 100`,
    [now, now + withinMs, withinMs],
  );
  let queued = 0;
  for (const booking of due) queued += yield* queueAll(emails(booking), now);
  return queued;
}

function* queueAll(emails: readonly OutboxEmail[], at: number): Statements<number> {
  let queued = 0;
  for (const email of emails) if (yield* queueEmail(email, at)) queued += 1;
  return queued;
}
