import { columns, count } from '../database/columns.ts';
import {
  all,
  type Database,
  get,
  run,
  type Statements,
  writeUntilDone,
} from '../database/database.ts';
import { equalsIgnoringCase, sql } from '../database/sql.ts';
import { storable } from '../database/value.ts';
import type { Email, OutboxEmail } from '../email/email.ts';
import { deliveriesOf, eraseEmails, queueEmail, unsentEmails } from '../email/store.ts';
import type { Quota } from '../rate-limit/limiter.ts';
import { type Pause, pauseAt, queuePauseEmail } from './pause.ts';
import {
  type BlockedTime,
  type Booking,
  type BookingState,
  bookings,
  busyNear,
  byId,
  insertBlocked,
  insertBooked,
  type ListedBooking,
  visitorEmailId,
} from './rows.ts';
import type { BusySpan, Span } from './slots.ts';

/** The emails about a booking. */
export type EmailsOf = (booking: Booking) => readonly OutboxEmail[];

/** Whether a time is free next to these busy times. The database may call it more than once. */
export type IsFree = (busy: readonly BusySpan[]) => boolean;

/** Maximum rows per transaction of a deletion, so that visitors' writes can interleave. */
const deleteBatch = 1000;

export type BookingStore = ReturnType<typeof createBookingStore>;

/** Creates the store of bookings and blocked times. */
export function createBookingStore(database: Database) {
  return {
    /** The key that signs the links of bookings; stores and returns `fresh` when there is none. */
    key: (fresh: Buffer) =>
      database.write(function* (): Statements<Buffer> {
        yield* run(
          `INSERT INTO secret (name, value) VALUES ('booking', ?) ON CONFLICT DO NOTHING`,
          [fresh],
        );
        return Buffer.from((yield* get(selectKey))?.value ?? fresh);
      }),

    /** The booked and blocked times that overlap this span, or are closer than the longest gap. */
    busy: (span: Span) => database.read(() => busyNear(span)),

    /**
     * Stores a booking and its emails unless its time is taken: one transaction reads the busy times, asks
     * `isFree` and inserts, and a unique index excludes a second booking of the same time. A retry with the
     * same idempotency key returns the stored booking as `repeated`. `limited`: the visitor has
     * `maxUpcoming` upcoming calls already. `paused`: all visitors together have reached one of the quotas;
     * `isEmailed` when this queued the email about it.
     */
    book: (
      booking: Booking,
      {
        idempotencyKey,
        isFree,
        maxUpcoming,
        quotas,
        emails,
        pausedEmail,
      }: {
        idempotencyKey: string;
        isFree: IsFree;
        maxUpcoming: number;
        quotas: readonly Quota[];
        emails: EmailsOf;
        /** Writes the email about a pause to the owner; undefined without a mail server. */
        pausedEmail?: ((pause: Pause) => Email) | undefined;
      },
    ) =>
      database.write(function* (): Statements<
        | { status: 'booked' | 'repeated'; booking: Booking }
        | { status: 'taken' }
        | { status: 'limited' }
        | { status: 'paused'; pause: Pause; isEmailed: boolean }
      > {
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
            pausedEmail !== undefined &&
            (yield* queuePauseEmail(pausedEmail(pause), { quota, at }));
          return { status: 'paused', pause, isEmailed };
        }
        if (!(yield* insertBooked(booking, idempotencyKey))) return { status: 'taken' };
        yield* queueAll(emails(booking), booking.changedAt);
        return { status: 'booked', booking };
      }),

    /** The pause of bookings at this time; undefined while visitors can book. */
    pause: (quotas: readonly Quota[], at: number) => database.read(() => pauseAt(quotas, at)),

    /**
     * Moves a booking to another time unless that is taken. `closed`: it was cancelled or has begun, or its
     * visitor changed it `maxChanges` times already. Undefined for an unknown id.
     */
    move: (
      id: string,
      {
        start,
        end,
        at,
        isFree,
        maxChanges,
        emails,
      }: NewTime & {
        at: number;
        isFree: IsFree;
        /** Undefined: the owner moves it, which does not count. */
        maxChanges: number | undefined;
        emails: EmailsOf;
      },
    ) =>
      database.write(function* (): Statements<Changed | undefined> {
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
        return { status: 'changed', booking: changed };
      }),

    /** Cancels a booking, which frees its time. `closed`: it has begun. Undefined for an unknown id. */
    cancel: (id: string, { at, emails }: { at: number; emails: EmailsOf }) =>
      database.write(function* (): Statements<Changed | undefined> {
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
        return { status: 'changed', booking: changed };
      }),

    /** Stores the visitor's answers, or the owner's note. Returns false for an unknown id. */
    update: (
      id: string,
      { answers, ownerNote }: { answers?: Booking['answers']; ownerNote?: string },
    ) =>
      database.write(function* (): Statements<boolean> {
        const changed = yield* run(updateTexts, [
          answers === undefined ? null : JSON.stringify(answers),
          ownerNote === undefined ? null : storable(ownerNote),
          id,
        ]);
        return changed > 0;
      }),

    /** A booking by its id. */
    find: async (id: string): Promise<Booking | undefined> =>
      (await database.read(() => bookings(byId, [id])))[0],

    /**
     * One page of bookings: upcoming ones from the next on, past and cancelled ones from the newest on.
     * `after` is the last one of the page before.
     */
    list: ({
      state,
      now,
      after,
      limit,
    }: {
      state: BookingState;
      now: number;
      after?: Pick<Booking, 'start' | 'id'> | undefined;
      limit: number;
    }) =>
      database.read(function* (): Statements<ListedBooking[]> {
        const { condition, order } = lists[state];
        const [direction, start, id] = after
          ? [order === 'ASC' ? '>' : '<', after.start, after.id]
          : ['', 0, ''];
        const found = yield* bookings(
          `WHERE ${condition} ${direction && `AND (starts_at, id) ${direction} (?, ?)`}
           ORDER BY starts_at ${order}, id ${order} LIMIT ?`,
          [...(state === 'cancelled' ? [] : [now]), ...(after ? [start, id] : []), limit],
        );
        const ids = found.map(visitorEmailId);
        const deliveries = yield* deliveriesOf(ids);
        return found.map((booking) => ({
          ...booking,
          delivery: deliveries.get(visitorEmailId(booking)),
        }));
      }),

    /** Every booking, also the cancelled ones, by its time, read in batches of 200. */
    async *all(): AsyncIterable<Booking> {
      let after: Pick<Booking, 'start' | 'id'> = { start: Number.MIN_SAFE_INTEGER, id: '' };
      for (;;) {
        const { start, id } = after;
        const found = await database.read(() => bookings(pageOfAll, [start, id, exportBatch]));
        yield* found;
        const last = found.at(-1);
        if (!last || found.length < exportBatch) return;
        after = last;
      }
    },

    /** Booked calls that end after `from`, in order; at most a thousand. */
    booked: (from: number) =>
      database.read(() =>
        bookings(`WHERE state = 'booked' AND ends_at > ? ORDER BY starts_at LIMIT 1000`, [from]),
      ),

    /**
     * What the dashboard says of the calls: how many of those booked in `window` were cancelled since, how many
     * start in the seven days after `now`, and the next three.
     */
    overview: (window: Span, now: number) =>
      database.read(function* (): Statements<CallsOverview> {
        const cancelled = yield* get(countCancelled, [window.from, window.to]);
        const soon = yield* get(countSoon, [now, now + 7 * dayMs]);
        const next = yield* bookings(nextCalls, [now]);
        return { cancelled: cancelled?.n ?? 0, soon: soon?.n ?? 0, next };
      }),

    /** Number of bookings by state. */
    counts: (now: number) =>
      database.read(function* (): Statements<Record<BookingState, number>> {
        const counted = { upcoming: 0, past: 0, cancelled: 0 };
        for (const state of Object.keys(counted) as BookingState[]) {
          const values = state === 'cancelled' ? [] : [now];
          counted[state] = (yield* get(countIn[state], values))?.n ?? 0;
        }
        return counted;
      }),

    /** Blocks a time. Returns false when a call or a blocked time starts at the same moment. */
    block: (time: BlockedTime, at: number) => database.write(() => insertBlocked(time, at)),

    /** Deletes a blocked time. Returns false for an unknown id. */
    unblock: (id: string) =>
      database.write(function* (): Statements<boolean> {
        return (yield* run(`DELETE FROM booking WHERE id = ? AND state = 'blocked'`, [id])) > 0;
      }),

    /** The blocked times that end after `now`, in order. */
    blocked: (now: number) =>
      database.read(() => all(selectBlocked, [now])) as Promise<BlockedTime[]>,

    /**
     * Queues a reminder of each call that starts within `withinMs` and was booked earlier than that. Returns
     * the number of emails.
     */
    remind: (now: number, withinMs: number, write: EmailsOf) =>
      database.write(function* (): Statements<number> {
        const due = yield* bookings(
          `WHERE state = 'booked' AND starts_at > ? AND starts_at <= ? AND created_at < starts_at - ?
             AND NOT EXISTS (SELECT 1 FROM outbox
               WHERE outbox.id = 'visitor-reminder-' || booking.id || '-' || booking.sequence)
           ORDER BY starts_at LIMIT 100`,
          [now, now + withinMs, withinMs],
        );
        let queued = 0;
        for (const booking of due) queued += yield* queueAll(write(booking), now);
        return queued;
      }),

    /** Bookings of this address, the newest first. */
    of: (email: string) =>
      database.read(() =>
        bookings(sql`WHERE ${equalsIgnoringCase('email')} ORDER BY starts_at DESC, id`, [email]),
      ),

    /** Deletes the bookings of this address, and erases emails to it. Returns the number of bookings. */
    erase: (email: string) =>
      database.write(function* (): Statements<number> {
        const found = yield* bookings(sql`WHERE ${equalsIgnoringCase('email')}`, [email]);
        const isAbout = (id: string) => found.some((booking) => id.includes(booking.id));
        yield* eraseEmails(email, (yield* unsentEmails()).filter(isAbout));
        return yield* run(sql`DELETE FROM booking WHERE ${equalsIgnoringCase('email')}`, [email]);
      }),

    /** Deletes bookings and blocked times that ended before `before`. Returns their number. */
    deleteOld: (before: number) => writeUntilDone(database, () => run(deleteOld, [before])),
  };
}

interface CallsOverview {
  cancelled: number;
  soon: number;
  next: Booking[];
}

/** The new times of a booking. */
interface NewTime {
  start: number;
  end: number;
}

/** What became of a change. */
interface Changed {
  status: 'changed' | 'unchanged' | 'taken' | 'closed';
  booking: Booking;
}

const isClosed = ({ state, start }: Booking, at: number) => state === 'cancelled' || start <= at;

function* queueAll(emails: readonly OutboxEmail[], at: number): Statements<number> {
  let queued = 0;
  for (const email of emails) if (yield* queueEmail(email, at)) queued += 1;
  return queued;
}

const selectKey = sql`SELECT ${columns('secret', 'value')} FROM secret WHERE name = 'booking'`;

const countUpcoming = sql`SELECT ${columns('booking', { n: count })} FROM booking
  WHERE state = 'booked' AND starts_at > ? AND ${equalsIgnoringCase('email')}`;

const selectVisitorChanges = sql`SELECT ${columns('booking', { n: 'visitor_changes' })}
  FROM booking WHERE id = ?`;

const exportBatch = 200;
const pageOfAll = `WHERE state <> 'blocked' AND (starts_at, id) > (?, ?)
  ORDER BY starts_at, id LIMIT ?`;

const updateTexts = `UPDATE booking SET answers = coalesce(CAST(? AS text), answers),
    owner_note = coalesce(CAST(? AS text), owner_note)
  WHERE id = ? AND state <> 'blocked'`;

/** Past calls were not cancelled; a cancelled one stays cancelled when its time is over. */
const lists: Record<BookingState, { condition: string; order: 'ASC' | 'DESC' }> = {
  upcoming: { condition: `state = 'booked' AND ends_at > ?`, order: 'ASC' },
  past: { condition: `state = 'booked' AND ends_at <= ?`, order: 'DESC' },
  cancelled: { condition: `state = 'cancelled'`, order: 'DESC' },
};

const countWhere = (state: BookingState) =>
  sql`SELECT ${columns('booking', { n: count })} FROM booking WHERE ${lists[state].condition}`;
const countIn = {
  upcoming: countWhere('upcoming'),
  past: countWhere('past'),
  cancelled: countWhere('cancelled'),
};

const dayMs = 24 * 60 * 60_000;

const countCancelled = sql`SELECT ${columns('booking', { n: count })} FROM booking
  WHERE state = 'cancelled' AND created_at >= ? AND created_at < ?`;
const countSoon = sql`SELECT ${columns('booking', { n: count })} FROM booking
  WHERE state = 'booked' AND starts_at >= ? AND starts_at < ?`;
const nextCalls = `WHERE state = 'booked' AND ends_at > ? ORDER BY starts_at LIMIT 3`;

const selectBlocked = sql`SELECT ${columns('booking', 'id', {
  from: 'starts_at',
  to: 'ends_at',
  ownerNote: 'owner_note',
})} FROM booking WHERE state = 'blocked' AND ends_at > ? ORDER BY starts_at`;

const deleteOld = `DELETE FROM booking WHERE id IN (
  SELECT id FROM booking WHERE ends_at < ? LIMIT ${deleteBatch})`;
