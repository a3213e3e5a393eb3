/** Schemas of what the dashboard's procedures return. */
import { z } from 'zod';
import { callNames } from '../contract/calls.ts';
import type { Row } from '../database/schema.ts';
import { cashSum, currency, currencySum, saleFields, saleOutput } from '../sales/outputs.ts';
import { count, isoTime, localDate, omittable } from '../text/outputs.ts';

/** Money in whole units of the owner's currency, such as dollars. */
const revenue = z.number().describe('Net of refunds, in whole units of the owner’s currency.');

const startDate = isoTime.describe('The start of the window, which it contains.');
const asOf = isoTime.describe('The end of the window, which it does not contain.');
const countedSince = isoTime
  .nullable()
  .describe('The first page view that was ever counted; null before it.');

const summary = z
  .object({
    pageViews: count,
    ctaClicks: count,
    checkoutOpens: count,
    callsBooked: count.describe('Calls booked in a calendar on the page.'),
    conversions: count.describe('Sales not fully refunded.'),
    totalRevenue: z
      .number()
      .describe(
        'From the sales of the period in the owner’s currency, net of refunds at any later time. In whole units, such as dollars, as `refundedRevenue` and `disputedRevenue`.',
      ),
    refundedRevenue: z.number().describe('Refunded from the sales of the period.'),
    disputedRevenue: z.number().describe('The part of `totalRevenue` in open disputes.'),
    conversionRate: z
      .number()
      .describe('Sales as a percentage of page views, unrounded; 0 without views.'),
    ctaConversionRate: z
      .number()
      .describe('Call-to-action clicks as a percentage of page views, unrounded.'),
  })
  .meta({ id: 'Summary' });

/** The figures on the dashboard's cards. */
export type Summary = z.output<typeof summary>;

const stripe = z.object({
  checkedAt: isoTime
    .nullable()
    .describe(
      'When both sides were compared; null, like the figures, before the first comparison.',
    ),
  lastEventAt: isoTime.nullable(),
  net: z
    .number()
    .nullable()
    .describe(
      'Net revenue of the last thirty days at Stripe, in whole units of the owner’s currency.',
    ),
  ourNet: z.number().nullable(),
  differing: count.describe('Number of payments that differ.'),
  payments: z.array(z.string()).describe('Stripe’s ids of the first ones.'),
  alert: z
    .string()
    .nullable()
    .describe('Why the sync with Stripe fails, in sentences for the owner.'),
});

/** The comparison with Stripe in the dashboard's response. */
export type ListedStripe = z.output<typeof stripe>;

/** Output of `analytics.dashboard`. */
export const dashboardOutput = z.object({
  currency: currency.describe('The owner’s currency, of all revenue here: ISO 4217, upper case.'),
  summary,
  conversions: z.array(saleOutput).describe('The newest 100 sales not fully refunded.'),
  otherCurrencies: z.array(currencySum).describe('Sales in other currencies, never converted.'),
  otherSales: z
    .array(currencySum)
    .describe(
      'Sales of the same Stripe account that are not of the product, or counted under another id: the figures leave them out.',
    ),
  cash: z.array(cashSum).describe('The money of the period by its own date.'),
  doubts: z
    .array(z.object({ sales: z.array(saleOutput) }))
    .describe(
      'The newest 20 pairs of sales that may be one, for `analytics.settleDoubt`. Then the first one stays.',
    ),
  calls: z
    .object({
      cancelled: count.describe('Of those booked in the period.'),
      soon: count.describe('Number of calls in the next seven days.'),
      timeZone: z.string().describe('The owner’s, in which calls are listed.'),
      next: z.array(
        z.object({ id: z.string(), call: z.enum(callNames), name: z.string(), start: isoTime }),
      ),
    })
    .describe('Calls booked in the calendar of this site; `next` is empty for API keys.'),
  alert: z.string().nullable().describe('Owner alerts as text.'),
  unread: count.describe('Unread messages in the inbox.'),
  isDemo: z.boolean().describe('Whether the data are made up by the command `demo`.'),
  stripe: stripe.nullable().describe('Null unless connected.'),
  startDate,
  asOf,
});

const day = z
  .object({
    date: localDate,
    isWhole: z.boolean().describe('Whether the window contains all of the day.'),
    startDate,
    asOf,
    pageViews: count,
    ctaClicks: count,
    conversions: count,
    revenue,
  })
  .meta({ id: 'Day' });

/** A day of the chart, with the part of it that lies in the window: from `startDate` to `asOf`. */
export type ListedDay = z.output<typeof day>;

const lineFigures = { ctaClicks: count, callsBooked: count, conversions: count, revenue };
const merged = omittable(count).describe(
  'Number of further entries in this line, which sums them up.',
);

const campaign = z
  .object({
    source: omittable(z.string()).describe('Its path: `newsletter/email/spring-sale`.'),
    merged,
    pageViews: count,
    ...lineFigures,
  })
  .meta({ id: 'Campaign' });

const source = z
  .object({
    source: omittable(z.string()).describe('Missing for direct visits.'),
    merged,
    pageViews: count,
    ...lineFigures,
    campaigns: omittable(z.array(campaign)).describe(
      'Parts of these figures: the first 30, and one sum of the others.',
    ),
  })
  .meta({ id: 'Source' });

/** The figures of a source with its campaigns, or of those that one line sums up. */
export type ListedSource = z.output<typeof source>;

const button = z
  .object({ button: omittable(z.string()), merged, ...lineFigures })
  .meta({ id: 'Button' });

/** The figures of a button, or of those that one line sums up. */
export type ListedButton = z.output<typeof button>;

const exclusionReasons = [
  ...(['bot', 'automated', 'prefetch', 'foreign'] as const),
  ...(['rate', 'privacy', 'owner', 'outage'] as const),
] satisfies Row<'excluded_count'>['reason'][];

/** Output of `analytics.breakdown`. */
export const breakdownOutput = z.object({
  timeZone: z.string().describe('The time zone of the days.'),
  daysTruncated: z
    .boolean()
    .describe('Whether the days begin after the period: they are its last 1,100.'),
  days: z.array(day).describe('At most the last 1,100.'),
  sources: z.array(source).describe('The first 30, and one sum of the others.'),
  buttons: z.array(button).describe('The first 30, and one sum of the others.'),
  previous: summary
    .nullable()
    .describe('The previous period of the same length; null unless counting covers all of it.'),
  previousDays: z
    .array(day)
    .describe('The days of the previous period; empty when `previous` is null.'),
  excluded: z
    .partialRecord(z.enum(exclusionReasons), count)
    .describe('Number of excluded requests by reason.'),
  countedSince,
  startDate,
  asOf,
});

const monthFigures = {
  pageViews: count.nullable(),
  ctaClicks: count.nullable(),
  conversions: count.nullable(),
  revenue: revenue.nullable(),
};
const months = z.object(monthFigures).describe('Null where counting had not begun.');

/** Output of `analytics.months`. */
export const monthsOutput = z.object({
  timeZone: z.string(),
  months: z
    .array(z.object({ month: z.string().describe('Local month: `2026-11`.'), ...monthFigures }))
    .describe('The last 24, oldest first; the last one is not over.'),
  yearToDate: months,
  yearBefore: months,
  comparedUntil: localDate.describe('The last local date in `yearBefore`.'),
  countedSince,
  asOf,
});

const rowsPage = {
  next: omittable(z.string()).describe('Send it as `after` for the next page.'),
  counted: count.describe('The dashboard’s number. It includes rows that were deleted since.'),
  startDate,
  asOf,
};

/** Output of `analytics.rows`: at most 100 rows, the newest first. */
export const rowsOutput = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sale'),
    rows: z.array(
      z.object({
        ...saleFields,
        isGivenBack: omittable(z.boolean()).describe(
          'Whether it was refunded in full, so that `counted` leaves it out.',
        ),
      }),
    ),
    ...rowsPage,
  }),
  z.object({
    kind: z.enum(['page_view', 'cta_click', 'checkout_open', 'call_booked']),
    rows: z.array(
      z.object({
        timestamp: isoTime,
        button: omittable(z.string()),
        source: omittable(z.string()),
      }),
    ),
    ...rowsPage,
  }),
]);
