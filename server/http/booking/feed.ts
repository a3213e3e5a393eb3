/** The booked calls as a calendar that the owner's programs subscribe to. Anyone with its address can read it. */
import { eventOf } from '../../booking/emails.ts';
import { icsOf } from '../../booking/ics.ts';
import { isFeedToken } from '../../booking/token.ts';
import { dayMs } from '../../time/units.ts';
import type { AddRoute } from '../handler.ts';
import { pathOf } from '../request/url.ts';
import { type BookingPagesOptions, limitGuesses, sendCalendar, sendNotFound } from './responses.ts';

/** Below this prefix, the rest of the path is the token of the owner's calendar feed, with `.ics`. */
export const feedPrefix = '/calendar/';

/** How long past calls stay in the feed, in ms. */
const feedPastMs = 90 * dayMs;

/** Adds the route of the paths below `feedPrefix`. */
export function addBookingFeed(addRoute: AddRoute, options: BookingPagesOptions): void {
  addRoute(new RegExp(`^${feedPrefix}`), 'page', 'GET', 'HEAD').get(async (req, res) => {
    const ctx = options.createContext(req, res);
    const key = await ctx.bookingKey();
    const token = /^(.+)\.ics$/.exec(pathOf(req).slice(feedPrefix.length))?.[1] ?? '';
    if (!isFeedToken(token, key)) {
      await limitGuesses(ctx);
      return sendNotFound(options, res);
    }
    const booked = await ctx.bookings.booked({
      from: ctx.now() - feedPastMs,
      to: Number.MAX_SAFE_INTEGER,
    });
    const { callOf, words } = ctx;
    const events = booked.map((booking) => ({
      ...eventOf(booking, { callOf, words, origin: options.publicOrigin, key }),
      summary: `${callOf(booking.call).title}: ${booking.name}`,
    }));
    sendCalendar(res, 'calls.ics', icsOf(events));
  });
}
