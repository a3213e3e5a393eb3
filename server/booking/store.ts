import { columns, computed, count } from '../database/columns.ts';
import {
  all,
  type Database,
  get,
  readInBatches,
  run,
  type Statements,
  writeUntilDone,
} from '../database/database.ts';
import { ensureSecret } from '../database/secrets.ts';
import { equalsIgnoringCase, sql } from '../database/sql.ts';
import { deliveriesOf, eraseEmails, unsentEmails } from '../email/store.ts';
import type { Quota } from '../rate-limit/limiter.ts';
import { dayMs } from '../time/units.ts';
import {
  type BookOptions,
  book,
  cancel,
  type EmailsOf,
  type MoveOptions,
  move,
  remind,
} from './changes-sql.ts';
import { pauseAt } from './pause.ts';
import {
  type BlockedTime,
  type Booking,
  type BookingState,
  bookings,
  busyNear,
  byId,
  insertBlocked,
  type ListedBooking,
  visitorEmailId,
} from './rows.ts';
import type { Span } from './slots.ts';

/** Maximum rows per transaction of a deletion, so that visitors' writes can interleave. */
const deleteBatch = 1000;

export type BookingStore = ReturnType<typeof createBookingStore>;

/** Creates the store of bookings and blocked times. */
export function createBookingStore(database: Database) {
  return {
    /** The key that signs the links of bookings. */
    key: () => database.write(() => ensureSecret('booking')),

    /** The booked and blocked times that overlap this span, or are closer than the longest gap. */
    busy: (span: Span) => database.read(() => busyNear(span)),

    book: (booking: Booking, options: BookOptions) => database.write(() => book(booking, options)),

    /** The pause of bookings at this time; undefined while visitors can book. */
    pause: (quotas: readonly Quota[], at: number) => database.read(() => pauseAt(quotas, at)),

    move: (id: string, options: MoveOptions) => database.write(() => move(id, options)),

    cancel: (id: string, options: Pick<MoveOptions, 'at' | 'emails' | 'event'>) =>
      database.write(() => cancel(id, options)),

    /** Stores the visitor's answers. Returns false for a call that is unknown, cancelled or has begun at `at`. */
    answer: (id: string, answers: Booking['answers'], at: number) =>
      database.write(function* (): Statements<boolean> {
        return (yield* run(updateAnswers, [JSON.stringify(answers), id, at])) > 0;
      }),

    /** Stores the owner's note. Returns false for an unknown id. */
    note: (id: string, ownerNote: string) =>
      database.write(function* (): Statements<boolean> {
        return (yield* run(updateNote, [ownerNote, id])) > 0;
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

    /** Every booking, also the cancelled ones, by its time, read in batches. */
    all: (): AsyncIterable<Booking> =>
      readInBatches(database, (last: Booking | undefined, limit) =>
        bookings(pageOfAll, [last?.start ?? Number.MIN_SAFE_INTEGER, last?.id ?? '', limit]),
      ),

    /** Booked calls within a span, also those that begin or end outside it, in order. */
    booked: ({ from, to }: Span) =>
      database.read(() =>
        bookings(`WHERE state = 'booked' AND ends_at > ? AND starts_at < ? ORDER BY starts_at`, [
          from,
          to,
        ]),
      ),

    /**
     * What the dashboard says of the calls: how many of those booked in `window` were cancelled since, how many
     * start in the seven days after `now`, those at Calendly or Cal.com included, and the next three booked here. Only those of a source or campaign by its path
     * (null: direct) and of a button, when they are given.
     */
    overview: (window: Span, now: number, { source, button }: BookedFrom = {}) =>
      database.read(function* (): Statements<CallsOverview> {
        const from = [source === null ? '' : (source ?? null), button ?? null];
        const cancelled = yield* get(countCancelled, [window.from, window.to, ...from]);
        const soon = yield* get(countSoon, [now, now + 7 * dayMs, ...from]);
        const next = yield* bookings(nextCalls, [now, ...from]);
        const away = yield* get(countElsewhere, [
          ...[window.from, window.to, now, now + 7 * dayMs],
          ...from,
        ]);
        return {
          cancelled: (cancelled?.n ?? 0) + (away?.cancelled ?? 0),
          soon: (soon?.n ?? 0) + (away?.soon ?? 0),
          next,
        };
      }),

    /** Number of bookings by state. */
    counts: (now: number) =>
      database.read(function* (): Statements<Record<BookingState, number>> {
        return (yield* get(countByState, [now, now])) ?? { upcoming: 0, past: 0, cancelled: 0 };
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

    remind: (now: number, withinMs: number, emails: EmailsOf) =>
      database.write(() => remind(now, withinMs, emails)),

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

const pageOfAll = `WHERE state <> 'blocked' AND (starts_at, id) > (?, ?)
  ORDER BY starts_at, id LIMIT ?`;

const updateAnswers = `UPDATE booking SET answers = ?
  WHERE id = ? AND state = 'booked' AND starts_at > ?`;
const updateNote = `UPDATE booking SET owner_note = ? WHERE id = ? AND state <> 'blocked'`;

/** Past calls were not cancelled; a cancelled one stays cancelled when its time is over. */
const lists: Record<BookingState, { condition: string; order: 'ASC' | 'DESC' }> = {
  upcoming: { condition: `state = 'booked' AND ends_at > ?`, order: 'ASC' },
  past: { condition: `state = 'booked' AND ends_at <= ?`, order: 'DESC' },
  cancelled: { condition: `state = 'cancelled'`, order: 'DESC' },
};

const countIn = (state: BookingState) =>
  computed<number>(`count(*) FILTER (WHERE ${lists[state].condition})`);
const countByState = sql`SELECT ${columns('booking', {
  upcoming: countIn('upcoming'),
  past: countIn('past'),
  cancelled: countIn('cancelled'),
})} FROM booking`;

interface BookedFrom {
  source?: string | null | undefined;
  button?: string | undefined;
}

/** The source without its campaign. */
const sourceAlone = {
  sqlite: `substr(source, 1, instr(source || '/', '/') - 1)`,
  postgres: `split_part(source, '/', 1)`,
};

/** Without a source an empty text is one; null is any. */
const isBookedFrom = sql`coalesce(?, source, '') IN (coalesce(source, ''), coalesce(${sourceAlone}, ''))
  AND coalesce(?, button, '') = coalesce(button, '')`;

const countCancelled = sql`SELECT ${columns('booking', { n: count })} FROM booking
  WHERE state = 'cancelled' AND created_at >= ? AND created_at < ? AND ${isBookedFrom}`;
const countSoon = sql`SELECT ${columns('booking', { n: count })} FROM booking
  WHERE state = 'booked' AND starts_at >= ? AND starts_at < ? AND ${isBookedFrom}`;
const countElsewhere = sql`SELECT ${columns('external_call', {
  cancelled: computed<number>(
    `count(*) FILTER (WHERE state = 'cancelled' AND booked_at >= ? AND booked_at < ?)`,
  ),
  soon: computed<number>(
    `count(*) FILTER (WHERE state = 'booked' AND starts_at >= ? AND starts_at < ?)`,
  ),
})} FROM external_call WHERE ${isBookedFrom}`;
const nextCalls = sql`WHERE state = 'booked' AND ends_at > ? AND ${isBookedFrom} ORDER BY starts_at LIMIT 3`;

const selectBlocked = sql`SELECT ${columns('booking', 'id', {
  from: 'starts_at',
  to: 'ends_at',
  ownerNote: 'owner_note',
})} FROM booking WHERE state = 'blocked' AND ends_at > ? ORDER BY starts_at`;

const deleteOld = `DELETE FROM booking WHERE id IN (
  SELECT id FROM booking WHERE ends_at < ? LIMIT ${deleteBatch})`;
