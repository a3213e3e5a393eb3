/** The visits that lead to bookings: their source, and their count among the visitors' activities. */

import { ownHosts, type RecordServices, record } from '../analytics/record.ts';
import { sourceOf } from '../attribution/source-name.ts';
import type { BookingVisits } from '../booking/booking.ts';
import { buttonNames } from '../contract/button-names.ts';

/** Connects bookings with the analytics, which are another feature. */
export const createBookingVisits = (services: RecordServices): BookingVisits => ({
  of({ request }, { button, ...referral }) {
    if (request.wantsPrivacy) return { source: null, button: null };
    return {
      source: sourceOf(referral, ownHosts({ ...services, request })) ?? null,
      button: buttonNames.find((name) => name === button) ?? null,
    };
  },
  async count(ctx, { source, button }) {
    const known = buttonNames.find((name) => name === button) ?? null;
    const reported = { activity: 'call_booked', button: known, source } as const;
    // A storage error is counted as an outage; the booking itself is stored.
    await record(
      { ...services, request: ctx.request, session: ctx.session },
      { ...reported, isAutomated: false, wantsPrivacy: false },
    ).catch(() => {});
  },
});
