import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { callNames } from '../contract/calls.ts';
import { nounOf } from '../contract/contact-fields.ts';
import { en } from '../contract/words/en.ts';
import { fillWords } from '../contract/words/words.ts';
import { listedDelivery } from '../email/listed-delivery.ts';
import { receivingEmailInput, timeZoneInput } from '../text/inputs.ts';
import { done } from '../text/outputs.ts';
import { storableText } from '../text/storable.ts';
import { isoOf } from '../time/iso.ts';
import { dayMs, minuteMs } from '../time/units.ts';
import { dateAt, timeOf } from '../time/zone.ts';
import { ApiError } from '../trpc/errors.ts';
import {
  adminMutation,
  publicMutation,
  publicProcedure,
  readProcedure,
  router,
} from '../trpc/trpc.ts';
import { book, cancel, move, notFound } from './booking.ts';
import { isDate, parseHours } from './calls.ts';
import { bookedOutput, changedOutput, listOutput, slotsOutput } from './outputs.ts';
import { bookingStates, withIsoTimes } from './rows.ts';
import { pageOfDays } from './schedule.ts';
import { feedTokenOf, idIn, tokenOf } from './token.ts';
import { countBooking, visitOf } from './visits.ts';

const call = z.enum(callNames, 'The call must be strategy-call or inbox-review.');

const instant = z.iso
  .datetime({ offset: true, error: 'Please send a time such as 2026-11-25T09:30:00Z.' })
  .transform(Date.parse);

/** Maximum lengths of the fields in characters. */
const maxLength = { name: 200, note: 5000 };

/** What a visitor sends to book a call. */
const bookingInput = z.object(
  {
    call,
    start: instant,
    name: storableText
      .trim()
      .min(1, fillWords(en.errors.fillIn, { field: nounOf('name') }))
      .max(maxLength.name, fillWords(en.errors.nameLong, { max: String(maxLength.name) })),
    email: receivingEmailInput,
    timeZone: timeZoneInput.nullish(),
    note: storableText
      .trim()
      .max(maxLength.note, fillWords(en.errors.noteLong, { max: String(maxLength.note) }))
      .nullish(),
    search: z.string().nullish().describe('The query string of the page’s URL.'),
    referrer: z.string().nullish().describe('With `search`, it determines the traffic source.'),
    button: z.string().nullish().describe('The call-to-action that led to the booking.'),
  },
  'Please send an object with call, start, name and email.',
);

/** Bookings in one page of the owner's list. */
const pageSize = 50;

/** More than the seven days of the list, also when a clock change makes one longer. */
const eightDaysMs = 8 * dayMs;

const listInput = z.object({
  state: z.enum(bookingStates).optional(),
  after: z
    .string()
    .regex(/^\d{1,15} [\w-]{1,40}$/, 'after must be the value of next on the page before.')
    .optional()
    .describe('`next` of the page before.'),
});

/** A text that only the owner sees. */
const ownerNote = storableText
  .trim()
  .max(maxLength.note, `Please shorten the note to ${maxLength.note} characters.`);

/** A time of one date, by the clock of the owner. */
const blockInput = z
  .object({
    date: z.string().refine(isDate, 'Please choose a date.'),
    from: z.string(),
    to: z.string(),
    note: ownerNote.nullish(),
  })
  .refine(({ from, to }) => parseHours(`${from}-${to}`) !== undefined, {
    error: 'Please choose an end that is after the start.',
    path: ['to'],
  });

/** The procedures `booking.*`: free times, bookings by visitors, and the owner's list. */
export const bookingRouter = router({
  /** Ten days that have free times, by date in `timeZone` (default: the owner's). */
  slots: publicProcedure({ summary: 'List the free times of a call' })
    .input(
      z.object({
        call,
        from: z.string().refine(isDate, 'from must be a date such as 2026-11-25.').optional(),
        timeZone: timeZoneInput.optional(),
      }),
    )
    .output(slotsOutput)
    .query(async ({ ctx, input }) => {
      const zone = input.timeZone ?? ctx.schedule.timeZone;
      const times = await ctx.freeTimes(input.call);
      const { days, next } = pageOfDays(times, { timeZone: zone, from: input.from });
      return {
        call: input.call,
        minutes: ctx.schedule.call(input.call).minutes,
        timeZone: zone,
        days: days.map(({ date, slots }) => ({ date, slots: slots.map(isoOf) })),
        next,
      };
    }),

  /** Responds once the booking and its emails are on disk. */
  create: publicMutation({
    summary: 'Book a call',
    description: 'Responds once the booking is stored.',
    errors: ['SLOT_TAKEN', 'BOOKING_LIMIT_REACHED', 'BOOKINGS_PAUSED'],
    isIdempotent: true,
    limit: { name: 'booking', max: 30, windowMs: 10 * minuteMs },
  })
    .input(bookingInput)
    .output(bookedOutput)
    .mutation(async ({ ctx, input }) => {
      const { search, referrer, button, timeZone, note, ...request } = input;
      const visit = visitOf(ctx, {
        search: search ?? '',
        referrer: referrer ?? ctx.request.referrer,
        button: button ?? '',
      });
      const { booking, isNew } = await book(
        ctx,
        {
          ...request,
          ...visit,
          timeZone: timeZone ?? ctx.schedule.timeZone,
          note: note || null,
        },
        ctx.request,
      );
      // Not awaited: a second commit would double the time to the response.
      if (isNew) void countBooking(ctx, visit);
      return {
        start: isoOf(booking.start),
        end: isoOf(booking.end),
        url: `/booking/${tokenOf(booking.id, await ctx.bookingKey())}`,
      };
    }),

  change: publicMutation({
    summary: 'Move or cancel a booking',
    description: 'The token is the end of the booking’s `url`.',
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_CLOSED', 'SLOT_TAKEN'],
    limit: { name: 'booking change', max: 30, windowMs: 60_000 },
  })
    .input(
      z
        .object({
          token: z.string(),
          start: instant.optional(),
          cancel: z.literal(true).optional(),
        })
        .refine(({ start, cancel }) => (start === undefined) === Boolean(cancel), {
          error: 'Please send either start or cancel.',
        }),
    )
    .output(changedOutput)
    .mutation(async ({ ctx, input: { token, start } }) => {
      const id = idIn(token, await ctx.bookingKey()) ?? notFound();
      const booking = await (start === undefined
        ? cancel(ctx, id)
        : move(ctx, id, { start, byOwner: await ctx.session.isAdmin() }));
      return { start: isoOf(booking.start), end: isoOf(booking.end), state: booking.state };
    }),

  /**
   * Upcoming (default), past or cancelled ones, with the number of each, the blocked times to come and the
   * next seven days.
   */
  list: readProcedure({
    scope: 'read:bookings',
    summary: 'List bookings',
    description: 'Fifty a page.',
  })
    .input(listInput.optional())
    .output(listOutput)
    .query(async ({ ctx, input }) => {
      const now = ctx.now();
      const [start, id] = input?.after?.split(' ') ?? [];
      const found = await ctx.bookings.list({
        state: input?.state ?? 'upcoming',
        now,
        after: start === undefined || id === undefined ? undefined : { start: Number(start), id },
        limit: pageSize + 1,
      });
      const page = found.slice(0, pageSize);
      const last = page.at(-1);
      const key = await ctx.bookingKey();
      const [counts, blocked, booked, busyTimesAt] = await Promise.all([
        ctx.bookings.counts(now),
        ctx.bookings.blocked(now),
        ctx.bookings.booked({ from: now, to: now + eightDaysMs }),
        ctx.busyTimesAt(),
      ]);
      const { timeZone } = ctx.schedule;
      const dates = booked.map((booking) => dateAt(booking.start, timeZone));
      // Their tokens allow more than a key may: changes, and reading after it is revoked.
      const hasTokens = ctx.request.bearer === undefined;
      return {
        bookings: page.map(({ delivery, ...booking }) => ({
          ...withIsoTimes(booking),
          url: hasTokens ? `/booking/${tokenOf(booking.id, key)}` : undefined,
          delivery: delivery && listedDelivery(delivery),
        })),
        next: found.length > pageSize && last ? `${last.start} ${last.id}` : undefined,
        counts,
        blocked: blocked.map(({ id, from, to, ownerNote }) => ({
          id,
          start: isoOf(from),
          end: isoOf(to),
          note: ownerNote,
        })),
        feed: hasTokens ? `/calendar/${feedTokenOf(key)}.ics` : undefined,
        week: ctx.schedule.week(now).map((day) => ({
          ...day,
          calls: dates.filter((date) => date === day.date).length,
        })),
        questions: {
          'strategy-call': ctx.schedule.call('strategy-call').questions.length,
          'inbox-review': ctx.schedule.call('inbox-review').questions.length,
        },
        busyTimesAt: typeof busyTimesAt === 'number' ? isoOf(busyTimesAt) : busyTimesAt,
        timeZone,
        isMailed: ctx.outboxWorker !== undefined,
      };
    }),

  note: adminMutation({
    summary: 'Write a note about a booking',
    errors: ['BOOKING_NOT_FOUND'],
  })
    .input(z.object({ id: storableText, note: ownerNote }))
    .output(done)
    .mutation(async ({ ctx, input: { id, note } }) => {
      if (!(await ctx.bookings.note(id, note))) notFound();
      return { ok: true };
    }),

  /** Booked calls stay. */
  block: adminMutation({
    summary: 'Block a time of one date, by the owner’s clock',
    errors: ['TIME_IN_USE'],
  })
    .input(blockInput)
    .output(done)
    .mutation(async ({ ctx, input: { date, from, to, note } }) => {
      const hours = parseHours(`${from}-${to}`);
      if (!hours) throw new ApiError('MALFORMED_JSON');
      const { timeZone } = ctx.schedule;
      const blocked = {
        id: randomUUID(),
        from: timeOf(date, hours.start, timeZone),
        to: timeOf(date, hours.end, timeZone),
        ownerNote: note || null,
      };
      if (!(await ctx.bookings.block(blocked, ctx.now()))) {
        throw new ApiError('TIME_IN_USE');
      }
      return { ok: true };
    }),

  unblock: adminMutation({ summary: 'Make a blocked time free again' })
    .input(z.object({ id: storableText }))
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await ctx.bookings.unblock(input.id);
      return { ok: true };
    }),
});
