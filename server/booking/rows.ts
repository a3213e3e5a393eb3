/** Bookings as rows of the database, and the busy times of all tables, as the statements of a transaction. */
import type { CallName } from '../contract/calls.ts';
import { columns } from '../database/columns.ts';
import { all, exists, run, type Statements } from '../database/database.ts';
import { type Row, schema } from '../database/schema.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { Delivery } from '../email/email.ts';
import { isoOf } from '../time/iso.ts';
import { dayMs } from '../time/units.ts';
import type { BusySpan, Span } from './slots.ts';

/** The states of a booking. */
export const bookedStates = ['booked', 'cancelled'] as const;

/** A call that a visitor booked. Times are milliseconds since 1970, UTC. */
export interface Booking {
  id: string;
  call: CallName;
  start: number;
  end: number;
  /** Time to keep free before and after it, in ms. */
  gapMs: number;
  state: (typeof bookedStates)[number];
  /** Increases with each change. */
  sequence: number;
  createdAt: number;
  changedAt: number;
  name: string;
  email: string;
  /** Time zone of the visitor. */
  timeZone: string;
  /** What the visitor wrote with the booking. */
  note: string | null;
  /** The visitor's answers by question. */
  answers: Readonly<Record<string, string>>;
  /** What the owner wrote about it. */
  ownerNote: string | null;
  /** Path of the source of the visit (see `server/attribution`); null for a direct visit. */
  source: string | null;
  /** The call-to-action that led to it. */
  button: string | null;
}

/** A time at which the owner takes no calls. */
export interface BlockedTime extends Span {
  id: string;
  ownerNote: string | null;
}

/** A booking with the delivery of the last email to the visitor. */
export interface ListedBooking extends Booking {
  delivery: Delivery | undefined;
}

/** A booking as the API and the commands send it: with its times as ISO 8601, without its gap. */
export const withIsoTimes = <B extends Booking>({
  start,
  end,
  gapMs: _,
  createdAt,
  changedAt,
  ...booking
}: B) => ({
  ...booking,
  start: isoOf(start),
  end: isoOf(end),
  createdAt: isoOf(createdAt),
  changedAt: isoOf(changedAt),
});

/** The lists of bookings. */
export const bookingStates = ['upcoming', 'past', 'cancelled'] as const;
export type BookingState = (typeof bookingStates)[number];

/** The id of the email to the visitor about this version of the booking. */
export const visitorEmailId = ({ id, sequence }: Pick<Booking, 'id' | 'sequence'>) =>
  `visitor-${id}-${sequence}`;

const bookingColumns = columns(
  'booking',
  'id',
  'call',
  'state',
  'sequence',
  'name',
  'email',
  'note',
  'answers',
  'source',
  'button',
  {
    start: 'starts_at',
    end: 'ends_at',
    gapMs: 'gap',
    createdAt: 'created_at',
    changedAt: 'changed_at',
    timeZone: 'time_zone',
    ownerNote: 'owner_note',
  },
);

export const byId = `WHERE id = ? AND state <> 'blocked'`;

/** Selects bookings. `rest` is the end of the statement from its conditions on. */
export function* bookings(
  rest: string | Sql,
  values: readonly (string | number | null)[] = [],
): Statements<Booking[]> {
  const rows = yield* all(sql`SELECT ${bookingColumns} FROM booking ${rest}`, values);
  return rows.map(({ call, state, name, email, timeZone, answers, ...booking }) => ({
    ...booking,
    call: call as CallName,
    state: state as Booking['state'],
    name: name ?? '',
    email: email ?? '',
    timeZone: timeZone ?? 'UTC',
    answers: answers === null ? {} : (JSON.parse(answers) as Booking['answers']),
  }));
}

const columnNames = Object.keys(schema.booking) as (keyof Row<'booking'>)[];

const insertBooking = `INSERT INTO booking (${columnNames.join(', ')})
  VALUES (${columnNames.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`;

/** Stores a booking unless its start or its idempotency key is taken; returns whether it was stored. */
export function* insertBooked(booking: Booking, idempotencyKey: string): Statements<boolean> {
  const row: Row<'booking'> = {
    id: booking.id,
    call: booking.call,
    starts_at: booking.start,
    ends_at: booking.end,
    gap: booking.gapMs,
    state: booking.state,
    sequence: booking.sequence,
    created_at: booking.createdAt,
    changed_at: booking.changedAt,
    idempotency_key: idempotencyKey,
    name: booking.name,
    email: booking.email,
    time_zone: booking.timeZone,
    note: booking.note,
    answers: Object.keys(booking.answers).length > 0 ? JSON.stringify(booking.answers) : null,
    owner_note: booking.ownerNote,
    source: booking.source,
    button: booking.button,
    visitor_changes: 0,
  };
  const values = columnNames.map((name) => row[name]);
  return (yield* run(insertBooking, values)) > 0;
}

/** Stores a blocked time unless its start is taken; returns whether it was stored. */
export function* insertBlocked(
  { id, from, to, ownerNote }: BlockedTime,
  at: number,
): Statements<boolean> {
  const inserted = yield* run(
    `INSERT INTO booking (id, starts_at, ends_at, gap, state, sequence, created_at, changed_at, owner_note)
     VALUES (?, ?, ?, 0, 'blocked', 0, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [id, from, to, at, at, ownerNote],
  );
  return inserted > 0;
}

/** Longest gap between calls, in ms. `site.config.ts` allows no longer one. */
const longestGapMs = dayMs;

const selectBusy = sql`SELECT ${columns('booking', { from: 'starts_at', to: 'ends_at', gapMs: 'gap' })}
  FROM booking WHERE state IN ('booked', 'blocked') AND ends_at > ? AND starts_at < ? AND id <> ?`;

const selectBusyElsewhere = sql`SELECT ${columns('busy_span', { from: 'starts_at', to: 'ends_at' })}
  FROM busy_span WHERE ends_at > ? AND starts_at < ?`;

const unread = 'SELECT 1 AS one FROM busy_calendar WHERE read_at IS NULL';

/** All times: none is free until each calendar of the owner was read once. */
const always = { from: -8.64e15, to: 8.64e15 };

/** The busy times of bookings, blocked times and the owner's other calendars. */
export function* busyNear({ from, to }: Span, except = ''): Statements<BusySpan[]> {
  const window = [from - longestGapMs, to + longestGapMs];
  const own: BusySpan[] = yield* all(selectBusy, [...window, except]);
  const elsewhere = yield* all(selectBusyElsewhere, window);
  return (yield* exists(unread)) ? [always] : [...own, ...elsewhere];
}
