/** Schemas of what the procedures `booking.*` return. */
import { z } from 'zod';
import { callNames } from '../contract/calls.ts';
import { deliveryOutput } from '../email/listed-delivery.ts';
import { count, isoTime, localDate, omittable } from '../text/outputs.ts';
import { bookedStates, bookingStates, type ListedBooking, type withIsoTimes } from './rows.ts';

const call = z.enum(callNames);
const state = z.enum(bookedStates);

/** The free times of a call, by local date. */
export const slotsOutput = z.object({
  call,
  minutes: z.number(),
  timeZone: z.string().describe('The time zone of the dates.'),
  days: z
    .array(z.object({ date: localDate, slots: z.array(isoTime) }))
    .describe('At most ten days with free times.'),
  next: omittable(localDate).describe('Send it as `from` for the next days.'),
});

export const bookedOutput = z.object({
  start: isoTime,
  end: isoTime,
  url: z.string().describe('The path of the booking, from which it is moved and cancelled.'),
});

export const changedOutput = z.object({ start: isoTime, end: isoTime, state });

/** A booking in the owner's list: a field of `Booking` that it lacks does not compile. */
export const bookingOutput = z
  .object({
    id: z.string(),
    call,
    start: isoTime,
    end: isoTime,
    state,
    sequence: count.describe('Increases with each change.'),
    createdAt: isoTime,
    changedAt: isoTime,
    name: z.string(),
    email: z.string(),
    timeZone: z.string().describe('Of the visitor.'),
    note: z.string().nullable().describe('What the visitor wrote with the booking.'),
    answers: z.record(z.string(), z.string()).describe('The visitor’s answers by question.'),
    ownerNote: z.string().nullable(),
    source: z.string().nullable().describe('Null for a direct visit.'),
    button: z.string().nullable().describe('The call-to-action that led to it.'),
    url: omittable(z.string()).describe(
      'The path from which it is moved and cancelled. Missing for API keys, which only read.',
    ),
    delivery: omittable(deliveryOutput),
  } satisfies Record<keyof ReturnType<typeof withIsoTimes<ListedBooking>> | 'url', z.ZodType>)
  .meta({ id: 'Booking' });

export const listOutput = z.object({
  bookings: z.array(bookingOutput),
  next: omittable(z.string()).describe('Send it as `after` for the next page.'),
  counts: z.record(z.enum(bookingStates), count),
  blocked: z
    .array(z.object({ id: z.string(), start: isoTime, end: isoTime, note: z.string().nullable() }))
    .describe('The blocked times to come.'),
  feed: omittable(z.string()).describe(
    'Path of the feed that the owner’s calendars can subscribe to. Missing for API keys.',
  ),
  week: z
    .array(z.object({ date: localDate, isOpen: z.boolean(), calls: count }))
    .describe('The next seven days, from today on.'),
  questions: z.record(call, count).describe('Number of questions about each call.'),
  busyTimesAt: omittable(isoTime.nullable()).describe(
    'Since when the owner’s other calendars are up to date; null: not yet. Missing without calendars.',
  ),
  timeZone: z.string().describe('Of the owner.'),
  isMailed: z.boolean().describe('Whether a mail server is configured.'),
});
