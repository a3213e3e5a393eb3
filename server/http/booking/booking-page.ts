/**
 * `/booking/<token>`: a booking, which its visitor can move, cancel and answer questions about, and its
 * calendar file. It works without JavaScript. GET changes nothing: mail scanners open every link.
 */

import type { Request, Response } from 'express';
import type { Context } from '../../app/context.ts';
import { answer } from '../../booking/booking.ts';
import { linkOf } from '../../booking/calls.ts';
import { eventOf } from '../../booking/emails.ts';
import { icsOf } from '../../booking/ics.ts';
import type { Booking } from '../../booking/rows.ts';
import { idIn } from '../../booking/token.ts';
import { dateInWords, isSameClock, timesInWords, zoneInWords } from '../../contract/times.ts';
import { fillWords, type SiteWords } from '../../contract/words/words.ts';
import { toStorable } from '../../text/storable.ts';
import { isoOf } from '../../time/iso.ts';
import { ApiError } from '../../trpc/errors.ts';
import { formFailure } from '../form-failure.ts';
import type { AddRoute } from '../handler.ts';
import { bodyLimit } from '../request/body.ts';
import { pathOf, queryOf } from '../request/url.ts';
import { sendRedirect } from '../response.ts';
import { callProcedure } from '../rest.ts';
import { freeTimesVariables, zoneOf } from './free-times.ts';
import {
  type BookingPagesOptions,
  frameOf,
  limitGuesses,
  sendCalendar,
  sendNotFound,
  withErrorPage,
} from './responses.ts';

/** Below this prefix, the rest of the path is the token of a booking, with `.ics` for its calendar file. */
export const bookingPrefix = '/booking/';

/** Longest answer to a question, in characters. */
const maxAnswer = 2000;

/** Adds the route of the paths below `bookingPrefix`. */
export function addBookingPage(addRoute: AddRoute, options: BookingPagesOptions): void {
  // An unknown booking has no call, so its errors use the page of the strategy call.
  const show = withErrorPage(options, 'strategy-call', async (ctx, { req, res }) => {
    const found = await bookingIn(ctx, req);
    if (!found) return sendNotFound(options, res);
    if (found.isFile) return sendFile(options, ctx, res, found.booking);
    return sendBooking(options, ctx, { ...found, res, query: queryOf(req) });
  });
  const change = withErrorPage(options, 'strategy-call', async (ctx, { req, res }) => {
    if (ctx.request.isForeign) {
      throw new ApiError('FOREIGN_ORIGIN');
    }
    const found = await bookingIn(ctx, req);
    if (!found || found.isFile) return sendNotFound(options, res);
    return changeBooking(options, ctx, { ...found, req, res });
  });
  addRoute(new RegExp(`^${bookingPrefix}`), 'page', 'GET', 'HEAD', 'POST')
    .get(show)
    .post(change);
}

interface Found {
  booking: Booking;
  token: string;
}

/** The booking of the path; undefined for an unknown or forged token. Many of these are refused (429). */
async function bookingIn(
  ctx: Context,
  req: Request,
): Promise<(Found & { isFile: boolean }) | undefined> {
  const name = pathOf(req).slice(bookingPrefix.length);
  const isFile = name.endsWith('.ics');
  const token = isFile ? name.slice(0, -'.ics'.length) : name;
  const id = idIn(token, await ctx.bookingKey());
  if (id === undefined) {
    await limitGuesses(ctx);
    return undefined;
  }
  const booking = await ctx.bookings.find(id);
  return booking && { booking, token, isFile };
}

/** Sends the call as a file for calendars. */
async function sendFile(
  { publicOrigin }: BookingPagesOptions,
  { callOf, words, bookingKey }: Context,
  res: Response,
  booking: Booking,
) {
  const event = eventOf(booking, { callOf, words, origin: publicOrigin, key: await bookingKey() });
  sendCalendar(res, 'call.ics', icsOf([event]));
}

interface BookingPage extends Found {
  res: Response;
  query: URLSearchParams;
  status?: number;
  error?: string;
  nearest?: readonly string[];
  chosen?: string;
  /** Shows the answers also of a call that takes no more. */
  keepsAnswers?: boolean;
}

export async function sendBooking(
  { pages }: Pick<BookingPagesOptions, 'pages'>,
  ctx: Context,
  { booking, token, res, query, status = 200, error, nearest, chosen, keepsAnswers }: BookingPage,
) {
  const path = bookingPrefix + token;
  const { language } = ctx.words;
  const { call, start } = booking;
  const zone = zoneOf(query) ?? booking.timeZone;
  const isUpcoming = booking.state === 'booked' && start > ctx.now();
  const isMoving = isUpcoming && (query.has('move') || nearest !== undefined);
  const { title, place } = ctx.callOf(call);
  const { questions } = ctx.schedule.call(call);
  const ownZone = ctx.schedule.timeZone;
  const action = `${path}?${new URLSearchParams({ move: '', timeZone: zone })}`;
  const times = { call, zone, query, path, action, nearest, chosen, keeps: { move: '' } };
  await pages.fill(res, 'booking', status, {
    ...(isMoving && (await freeTimesVariables(ctx, times))),
    ...frameOf(res.req),
    error,
    headline: isMoving ? ctx.words.bookingPages.move : headlineOf(booking, ctx),
    isUpcoming,
    isMoving,
    date: dateInWords(start, zone, language),
    times: clockOf(booking, zone, language),
    ownTimes: isSameClock(start, zone, ownZone) ? '' : clockOf(booking, ownZone, language),
    place,
    placeLink: linkOf(place),
    ...calendarLinks(booking, { title, place }),
    icsLink: `${path}.ics`,
    moveLink: `${path}?move`,
    bookLink: `/book/${call}`,
    self: path,
    email: booking.email,
    isMailed: ctx.bookingEmails !== undefined,
    hasQuestions: questions.length > 0 && (isUpcoming || keepsAnswers === true),
    isSaved: query.has('saved'),
    questions: questions.map((question, i) => ({
      question,
      field: `answer-${i}`,
      answer: booking.answers[question] ?? '',
    })),
  });
}

const clockOf = ({ start, end }: Booking, zone: string, language: string) =>
  `${timesInWords(start, end, zone, language)}, ${zoneInWords(start, zone, language)}`;

function headlineOf({ state, start }: Booking, { words, now }: Context): string {
  const copy = words.bookingPages;
  if (state === 'cancelled') return copy.cancelled;
  return start > now() ? copy.booked : copy.over;
}

/** Links that open the event in a calendar on the web. */
function calendarLinks(
  { start, end }: Booking,
  { title, place }: { title: string; place: string },
) {
  const short = (at: number) => isoOf(at).replace(/[-:]|\.000/g, '');
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    dates: `${short(start)}/${short(end)}`,
    location: place,
  });
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: isoOf(start),
    enddt: isoOf(end),
    location: place,
  });
  return {
    googleLink: `https://calendar.google.com/calendar/render?${google}`,
    outlookLink: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`,
  };
}

async function changeBooking(
  options: BookingPagesOptions,
  ctx: Context,
  { booking, token, req, res }: Found & { req: Request; res: Response },
) {
  const path = bookingPrefix + token;
  const form = await options.body.form(req, res, bodyLimit);
  const action = form.get('action');
  const start = form.get('start');
  const change = (input: object) => callProcedure('booking.change', async () => input, ctx);
  try {
    if (action === 'move' && !start) return sendRedirect(res, 303, `${path}?move`);
    if (action === 'cancel') await change({ token, cancel: true });
    else if (action === 'move') await change({ token, start });
    else if (action === 'answers') {
      const answers = answersIn(form, ctx, booking);
      const error = longAnswer(answers, ctx.words);
      if (error !== undefined) {
        const page = { booking: { ...booking, answers }, token, res, query: queryOf(req), error };
        return await sendBooking(options, ctx, { ...page, status: 400 });
      }
      await answer(ctx, booking.id, answers);
      return sendRedirect(res, 303, `${path}?saved#answers`);
    }
    sendRedirect(res, 303, path);
  } catch (error) {
    const { message, ...failure } = formFailure(options, error, { req, res, words: ctx.words });
    const page = { booking, token, res, query: queryOf(req), chosen: start ?? '', ...failure };
    // What was typed stays on the page.
    const typed = action === 'answers' && {
      booking: { ...booking, answers: answersIn(form, ctx, booking) },
      keepsAnswers: true,
    };
    await sendBooking(options, ctx, { ...page, ...typed, error: message });
  }
}

/** The answers by question, without empty ones. */
function answersIn(form: URLSearchParams, { schedule }: Context, { call }: Booking) {
  const answers = schedule.call(call).questions.flatMap((question, i) => {
    const answer = toStorable((form.get(`answer-${i}`) ?? '').trim());
    return answer ? [[question, answer] as const] : [];
  });
  return Object.fromEntries(answers);
}

/** What to do about an answer that is too long; undefined when none is. */
function longAnswer(
  answers: Record<string, string>,
  { errors, language }: SiteWords,
): string | undefined {
  const [question] = Object.entries(answers).find(([, answer]) => answer.length > maxAnswer) ?? [];
  if (question === undefined) return undefined;
  const max = maxAnswer.toLocaleString(language);
  return fillWords(errors.answerLong, { question, max });
}
