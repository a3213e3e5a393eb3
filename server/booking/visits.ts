/** The visits that lead to bookings: their source, and their count among the visitors' activities. */

import { ownHosts, type RecordContext, record } from '../analytics/record.ts';
import { sourceOf } from '../attribution/source-name.ts';
import { buttonNames } from '../contract/button-names.ts';
import type { Booking } from './rows.ts';

/** Where a visit came from: the path of the source, and the call-to-action. Null: unknown, or direct. */
export type BookingVisit = Pick<Booking, 'source' | 'button'>;

const buttonNamed = (text: string | null) => buttonNames.find((name) => name === text) ?? null;

/** The visit of a request; both are null when the visitor asked not to be counted. */
export function visitOf(
  ctx: RecordContext,
  { button, ...referral }: { search: string; referrer: string; button: string },
): BookingVisit {
  if (ctx.request.wantsPrivacy) return { source: null, button: null };
  return { source: sourceOf(referral, ownHosts(ctx)) ?? null, button: buttonNamed(button) };
}

/** Counts a booked call among the visitor's activities. Never rejects. */
export const countBooking = (ctx: RecordContext, { source, button }: BookingVisit) =>
  record(ctx, {
    activity: 'call_booked',
    button: buttonNamed(button),
    source,
    isAutomated: false,
    wantsPrivacy: false,
    // A storage error is counted as an outage; the booking itself is stored.
  }).catch(() => {});
