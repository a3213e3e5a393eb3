/**
 * Made-up visits, calls and sales of the last two years for a dashboard that has none yet. All figures are
 * computed from one list, so they agree with each other.
 */

import { buttonNames } from '../../server/contract/button-names.ts';
import { decimalsOf } from '../../server/contract/money.ts';
import {
  type SampleEvent,
  type SampleSale,
  sampleActivity,
} from '../../server/contract/sample/activity.ts';
import { currency } from '../../site.defaults.ts';
import {
  type Conversion,
  emptyReport,
  type Figures,
  type Filter,
  type Period,
  type Report,
} from '../admin/report.ts';
import type { Day, Insights } from '../insights/use-insights.ts';
import type { Months } from '../insights/use-months.ts';

const dayMs = 24 * 60 * 60_000;

/** Days of sample data: at least 24 months. */
const sampleDays = 24 * 31;

const sampleEvents = 40_000;

/** One of so many booked calls is cancelled. */
const cancelledEvery = 10;

const callers = [
  { name: 'Priya Natarajan', source: 'newsletter/email/case-study', button: 'hero' },
  { name: 'Tom Okafor', source: 'instagram', button: 'header' },
  { name: 'Mateo Silva', source: 'newsletter', button: 'footer' },
] as const;

type Row = SampleEvent | (SampleSale & { activity: 'sale' });

/** All rows up to `now`, oldest first: the same during a UTC day, so that filtered figures are parts of others. */
function rowsUntil(now: number): Row[] {
  const midnight = (Math.floor(now / dayMs) + 1) * dayMs;
  const options = { events: sampleEvents, days: sampleDays, seed: 'sample', currency };
  return [...sampleActivity({ ...options, now: midnight })]
    .flatMap(({ events, sales }) => [
      ...events,
      ...sales.map((sale) => ({ ...sale, activity: 'sale' as const })),
    ])
    .filter(({ at }) => at < now)
    .sort((a, b) => a.at - b.at);
}

/**
 * The report of a period up to `now` (ms since 1970) and of a filter, its insights and months in the
 * browser's time zone.
 */
export function sampleOf(
  period: Period,
  now: number,
  filter: Filter = {},
): { report: Report; insights: Insights; months: Months } {
  const from = now - period * dayMs;
  const before = from - period * dayMs;
  const allRows = rowsUntil(now);
  const rows = allRows.filter(isIn(filter));
  const current = between(rows, from, now);
  const earlier = between(rows, before, from);
  const figures = figuresIn(current);
  const daysOf = (rows: Row[], start: number, end: number) =>
    datesIn(start, end).map(({ date, dayStart, dayEnd }): Day => {
      const [cutStart, cutEnd] = [Math.max(dayStart, start), Math.min(dayEnd, end)];
      return {
        date,
        ...measuredIn(between(rows, cutStart, cutEnd)),
        isWhole: cutStart === dayStart && cutEnd === dayEnd,
        startDate: iso(cutStart),
        asOf: iso(cutEnd),
      };
    });
  const sales = current.filter(isSale).reverse();
  const calls = callers.filter(isIn(filter));
  const inPeriod = between(allRows, from, now);
  const sources = [...new Set(inPeriod.map(({ source }) => source ?? 'direct'))].toSorted();
  /** A row of a list, which has all of its kind, so that they can be compared. */
  const rowOf = (change: Filter) => measuredIn(inPeriod.filter(isIn({ ...filter, ...change })));
  const taken = sum(sales.map(({ amount }) => amount));
  const refunded = sum(sales.map((sale) => sale.refunded));
  return {
    report: {
      ...emptyReport,
      days: period,
      filter,
      startDate: iso(from),
      receivedAt: now,
      timeWindow: undefined,
      figures,
      currency,
      recent: sales.filter(isConversion).slice(0, 10).map(listed),
      cash:
        filter.source || filter.button
          ? []
          : [
              {
                currency,
                taken,
                refunded,
                lost: 0,
                tax: 0,
                fees: Math.round(taken * 0.029) + 30 * sales.length,
              },
            ],
      calls: {
        cancelled: Math.floor(figures.callsBooked / cancelledEvery),
        soon: calls.length,
        timeZone: zoneOfBrowser(),
        next: calls.map(({ name }, i) => ({
          id: `sample-${i}`,
          call: 'strategy-call',
          name,
          start: iso(timeOfDay(now + (i + 1) * dayMs, 10 + 2 * i)),
        })),
      },
    },
    insights: {
      period,
      filter,
      timeZone: zoneOfBrowser(),
      days: daysOf(current, from, now),
      previous: figuresIn(earlier),
      previousDays: daysOf(earlier, before, from),
      hasVisits: true,
      sources: [...new Set(sources.map((path) => path.split('/')[0] ?? path))]
        .map((source) => {
          const campaigns = sources.filter((path) => path.startsWith(`${source}/`));
          return {
            ...(source !== 'direct' && { source }),
            ...rowOf({ source }),
            ...(campaigns.length > 0 && {
              campaigns: campaigns.map((path) => ({ source: path, ...rowOf({ source: path }) })),
            }),
          };
        })
        .sort((a, b) => b.revenue - a.revenue),
      buttons: buttonNames
        .map((button) => ({ button, ...rowOf({ button }) }))
        .filter(({ ctaClicks, callsBooked }) => ctaClicks + callsBooked > 0)
        .sort((a, b) => b.revenue - a.revenue || b.ctaClicks - a.ctaClicks),
      excluded: { bot: 13 * period, owner: period, prefetch: period >> 1, privacy: period >> 2 },
    },
    months: monthsOf(rows, now),
  };
}

function monthsOf(rows: Row[], now: number): Months {
  const today = new Date(now);
  const measured = (start: Date, end: Date) => measuredIn(between(rows, +start, +end));
  const year = today.getFullYear();
  const yearAgo = new Date(new Date(now).setFullYear(year - 1));
  return {
    timeZone: zoneOfBrowser(),
    months: Array.from({ length: 24 }, (_, i) => {
      const start = new Date(year, today.getMonth() + i - 23, 1);
      const end = new Date(year, today.getMonth() + i - 22, 1);
      return { month: dateOf(start).slice(0, 7), ...measured(start, end) };
    }),
    yearToDate: measured(new Date(year, 0, 1), today),
    yearBefore: measured(new Date(year - 1, 0, 1), yearAgo),
    comparedUntil: dateOf(yearAgo),
    countedSince: iso(rows[0]?.at ?? now),
    asOf: iso(now),
  };
}

const zoneOfBrowser = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const iso = (at: number) => new Date(at).toISOString();
const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);

/** The rows of a span of time. */
const between = (rows: Row[], start: number, end: number) =>
  rows.filter(({ at }) => at >= start && at < end);

/** Whether a row or call is one that a filter selects. */
const isIn =
  ({ source, button }: Filter) =>
  (row: Pick<Row, 'source' | 'button'>) =>
    (source === undefined || `${row.source ?? 'direct'}/`.startsWith(`${source}/`)) &&
    (button === undefined || button === row.button);

const isSale = (row: Row) => row.activity === 'sale';

/** Whether a sale was not fully refunded. */
const isConversion = ({ amount, refunded }: SampleSale) => refunded < amount;

/** A sale as the API lists it. */
const listed = ({ id, at, amount, refunded, email, source, button }: SampleSale): Conversion => ({
  id,
  timestamp: iso(at),
  conversionValue: amount,
  currency,
  refunded,
  ...(email !== null && { email }),
  ...(source !== null && { source }),
  button,
});

/** The figures of rows that a filter selects. */
function figuresIn(rows: Row[]): Figures {
  const count = (activity: Row['activity']) =>
    rows.filter((row) => row.activity === activity).length;
  const sales = rows.filter(isSale);
  const conversions = sales.filter(isConversion).length;
  const ctaClicks = count('cta_click');
  const pageViews = count('page_view');
  const gross = sum(sales.map(({ amount }) => amount));
  const refunded = sum(sales.map((sale) => sale.refunded));
  const unit = 10 ** decimalsOf(currency);
  const perView = (n: number) => (pageViews === 0 ? 0 : (100 * n) / pageViews);
  return {
    pageViews,
    ctaClicks,
    conversions,
    checkoutOpens: count('checkout_open'),
    callsBooked: count('call_booked'),
    totalRevenue: (gross - refunded) / unit,
    refundedRevenue: refunded / unit,
    disputedRevenue: sum(sales.map(({ disputed }) => disputed)) / unit,
    conversionRate: perView(conversions),
    ctaConversionRate: perView(ctaClicks),
  };
}

/** The same with the revenue under its name in days, months and rows. */
function measuredIn(rows: Row[]) {
  const { totalRevenue: revenue, ...figures } = figuresIn(rows);
  return { ...figures, revenue };
}

/** The local days of a span, each from its midnight to the next. */
function datesIn(from: number, to: number) {
  const days: { date: string; dayStart: number; dayEnd: number }[] = [];
  for (let dayStart = timeOfDay(from, 0); dayStart < to; ) {
    const start = new Date(dayStart);
    const dayEnd = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1).getTime();
    days.push({ date: dateOf(start), dayStart, dayEnd });
    dayStart = dayEnd;
  }
  return days;
}

/** The local date, `2026-11-01`. */
const dateOf = (time: Date) => time.toLocaleDateString('sv-SE');

/** This hour of the local day of `at`. */
const timeOfDay = (at: number, hour: number) => new Date(at).setHours(hour, 0, 0, 0);
