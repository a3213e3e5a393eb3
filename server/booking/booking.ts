/** Books, moves and cancels calls: the checks, the limits and the emails around the store. */

import { createHash, randomUUID } from 'node:crypto';
import type { CallName } from '../contract/calls.ts';
import type { SiteWords } from '../contract/words/words.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import { networkOf } from '../rate-limit/network.ts';
import { isoOf } from '../time/iso.ts';
import { dayMs, hourMs } from '../time/units.ts';
import { ApiError, refuse } from '../trpc/errors.ts';
import type { EmailsOf, EventOf } from './changes-sql.ts';
import { type Change, type EmailOptions, emailsAbout, pausedEmail } from './emails.ts';
import type { FreeTimes } from './free-times.ts';
import type { Booking } from './rows.ts';
import { nearest, type Schedule } from './schedule.ts';
import type { BookingStore } from './store.ts';
import type { BookingVisit } from './visits.ts';

/** What the procedures of this feature use. */
export interface BookingServices {
  bookings: BookingStore;
  schedule: Schedule;
  freeTimes: FreeTimes;
  /** The key that signs the links of bookings. */
  bookingKey: () => Promise<Buffer>;
  /** What the pages of bookings say. */
  words: SiteWords;
  /** The name and the place of a call. */
  callOf: EmailOptions['callOf'];
  /** What emails say; undefined without a mail server: no email is queued. */
  bookingEmails: Omit<EmailOptions, 'key'> | undefined;
  /** Since when the owner's other calendars are up to date; null: not yet; undefined: there are none. */
  busyTimesAt: () => Promise<number | null | undefined>;
  /** Limits bookings and their answers. */
  messageLimiter: RateLimiter;
  outboxWorker: Pick<OutboxWorker, 'wake'> | undefined;
  /** Delivers events to the owner's receiver; undefined without one: no event is queued. */
  webhooks: Pick<OutboxWorker, 'wake'> | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
}

/** What a visitor asks for. */
export interface BookingRequest extends BookingVisit {
  call: CallName;
  /** Milliseconds since 1970, UTC. */
  start: number;
  name: string;
  email: string;
  timeZone: string;
  note: string | null;
}

/** Maximum upcoming calls of one email address. A maximum of one would reveal who has booked. */
const maxUpcoming = 2;

/** Most changes of one booking by its visitor, each of which sends emails. Those of the owner do not count. */
const maxChanges = 5;

/** How often the answers of one booking are stored. */
const answersQuota = { max: 30, windowMs: hourMs };

/** Most bookings of one network, and of all visitors, so that nobody can fill the calendar. */
const visitorQuota = { max: 3, windowMs: dayMs };
export const siteQuotas = [
  { max: 10, windowMs: hourMs },
  { max: 20, windowMs: dayMs },
];

/**
 * Books a call and queues its emails. Resolves once both are on disk; a retry with the same key returns the
 * stored booking. Throws `SLOT_TAKEN` with the closest free times, or a 429 beyond a limit.
 */
export async function book(
  services: BookingServices,
  request: BookingRequest,
  { addressBlock, idempotencyKey }: { addressBlock: string; idempotencyKey: string | undefined },
): Promise<{ booking: Booking; isNew: boolean }> {
  const { bookings, schedule, bookingEmails, now } = services;
  const { call, start } = request;
  const at = now();
  const { lengthMs, gapMs } = schedule.rules(call);
  const booking: Booking = {
    ...request,
    id: randomUUID(),
    end: start + lengthMs,
    gapMs,
    state: 'booked',
    sequence: 0,
    createdAt: at,
    changedAt: at,
    answers: {},
    ownerNote: null,
  };
  const release = await consumeBooking(services.messageLimiter, networkOf(addressBlock));
  const stored = await bookings
    .book(booking, {
      idempotencyKey: idempotentId(idempotencyKey ?? booking.id, booking),
      isFree: (busy) => schedule.isFree(call, start, busy, at),
      maxUpcoming,
      quotas: siteQuotas,
      emails: await emailsOf(services, 'booked'),
      event: eventOf(services, 'booked'),
      pausedEmail: bookingEmails && ((pause) => pausedEmail(pause, bookingEmails)),
    })
    .catch((error: unknown) => {
      // Not awaited: when the database hangs, the visitor would wait for a second timeout.
      release().catch(() => {});
      throw error;
    });
  if (stored.status !== 'booked') await release();
  if (stored.status === 'taken') {
    throw new ApiError('SLOT_TAKEN', { nearest: await nearestTo(services, call, start) });
  }
  if (stored.status === 'limited') throw new ApiError('BOOKING_LIMIT_REACHED', { wait: dayMs });
  if (stored.status === 'paused') {
    if (stored.isEmailed) services.outboxWorker?.wake();
    throw new ApiError('BOOKINGS_PAUSED', { wait: stored.pause.until - at });
  }
  services.outboxWorker?.wake();
  services.webhooks?.wake();
  return { booking: stored.booking, isNew: stored.status === 'booked' };
}

/**
 * Moves a booking to another free time of its call; `byOwner` without counting it as a change. Throws
 * `SLOT_TAKEN`, or an `ApiError` for a booking that is unknown, over or cancelled.
 */
export async function move(
  services: BookingServices,
  id: string,
  { start, byOwner }: { start: number; byOwner: boolean },
): Promise<Booking> {
  const { bookings, schedule, now } = services;
  const found = (await bookings.find(id)) ?? notFound();
  const at = now();
  const result = await bookings.move(id, {
    start,
    end: start + schedule.rules(found.call).lengthMs,
    at,
    isFree: (busy) => schedule.isFree(found.call, start, busy, at),
    maxChanges: byOwner ? undefined : maxChanges,
    emails: await emailsOf(services, 'moved'),
    event: eventOf(services, 'moved'),
  });
  if (result?.status === 'taken') {
    throw new ApiError('SLOT_TAKEN', { nearest: await nearestTo(services, found.call, start) });
  }
  return changedOf(services, result);
}

/** Cancels a booking, which frees its time. Cancelling it again changes nothing. */
export async function cancel(services: BookingServices, id: string): Promise<Booking> {
  const emails = await emailsOf(services, 'cancelled');
  const event = eventOf(services, 'cancelled');
  const at = services.now();
  return changedOf(services, await services.bookings.cancel(id, { at, emails, event }));
}

/**
 * Stores the visitor's answers. Throws `RATE_LIMITED`, or `BOOKING_CLOSED` for a call that is cancelled or
 * has begun.
 */
export async function answer(
  { bookings, messageLimiter, now }: BookingServices,
  id: string,
  answers: Booking['answers'],
): Promise<void> {
  refuse(await messageLimiter.consume(`answers of ${id}`, answersQuota));
  if (!(await bookings.answer(id, answers, now()))) closed();
}

function changedOf(
  { outboxWorker, webhooks }: BookingServices,
  result: Awaited<ReturnType<BookingStore['cancel']>>,
): Booking {
  const { status, booking } = result ?? notFound();
  if (status === 'closed') closed();
  outboxWorker?.wake();
  webhooks?.wake();
  return booking;
}

function closed(): never {
  throw new ApiError('BOOKING_CLOSED');
}

/** Throws the error about a booking that does not exist, or whose token is forged. */
export function notFound(): never {
  throw new ApiError('BOOKING_NOT_FOUND');
}

async function emailsOf(
  { bookingEmails, bookingKey }: BookingServices,
  change: Change,
): Promise<EmailsOf> {
  if (!bookingEmails) return () => [];
  const options = { ...bookingEmails, key: await bookingKey() };
  return (booking) => emailsAbout(booking, change, options);
}

const eventTypes = {
  booked: 'booking.created',
  moved: 'booking.moved',
  cancelled: 'booking.cancelled',
} as const;

/** Writes the event about a change, with what the email to the owner says. */
function eventOf({ webhooks }: BookingServices, change: Change): EventOf | undefined {
  if (!webhooks) return undefined;
  return ({ id, call, start, end, name, email, timeZone, note, source, button, ...booking }) => ({
    id: `booking-${change}-${id}-${booking.sequence}`,
    at: booking.changedAt,
    type: eventTypes[change],
    data: {
      id,
      call,
      start: isoOf(start),
      end: isoOf(end),
      name,
      email,
      timeZone,
      note,
      source,
      button,
    },
  });
}

async function nearestTo(services: BookingServices, call: CallName, start: number) {
  return nearest(await services.freeTimes(call), start);
}

/**
 * Returns the id that deduplicates a booking: the form's key, its time and its address. A guess of time and
 * address alone would return the booking of somebody else.
 */
function idempotentId(key: string, { start, email }: Pick<Booking, 'start' | 'email'>): string {
  return createHash('sha256')
    .update(JSON.stringify([key, start, email]))
    .digest('base64url');
}

/** Counts a booking of a network. Returns the function that takes it back if none is stored. */
async function consumeBooking(limiter: RateLimiter, network: string): Promise<() => Promise<void>> {
  const key = `booked by ${network}`;
  const wait = await limiter.consume(key, visitorQuota);
  const release = async () => limiter.release(key);
  if (wait === 0) return release;
  await release();
  throw new ApiError('BOOKING_LIMIT_REACHED', { wait });
}
