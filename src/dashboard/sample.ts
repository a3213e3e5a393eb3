/**
 * Invented visits, calls and sales of the last two years for a dashboard that has none yet. All figures are
 * computed from one list, so they agree with each other.
 */

import type { ButtonName } from '../../server/contract/api.ts';
import { decimalsOf } from '../../server/contract/money.ts';
import { currency } from '../../site.defaults.ts';
import type { Conversion, Figures, Filter, Period, Report } from '../admin/report.ts';
import type { Day, Insights } from '../insights/use-insights.ts';
import type { Months } from '../insights/use-months.ts';

const dayMs = 24 * 60 * 60_000;

/** Days of sample data: at least 24 months. */
const sampleDays = 24 * 31;

/** The shares of the visits, how many of a hundred lead to a click, and campaigns: '' is none. */
const sources: { name: string | undefined; share: number; clicks: number; campaigns?: string[] }[] =
  [
    {
      name: 'newsletter',
      share: 0.28,
      clicks: 14,
      campaigns: [
        '/email/welcome',
        '/email/case-study',
        '/email/case-study',
        '/email/spring-sale',
        '',
      ],
    },
    { name: 'instagram', share: 0.22, clicks: 7, campaigns: ['', '', '/social/reels'] },
    { name: 'google', share: 0.16, clicks: 10 },
    { name: undefined, share: 0.15, clicks: 9 },
    { name: 'linkedin', share: 0.11, clicks: 8 },
    { name: 'podcast', share: 0.08, clicks: 13 },
  ];

/** The buttons of the clicks with their shares. Only the last one leads to the checkout. */
const buttons = [
  { name: 'hero', share: 0.3 },
  { name: 'header', share: 0.16 },
  { name: 'pains', share: 0.08 },
  { name: 'service-management', share: 0.08 },
  { name: 'footer', share: 0.08 },
  { name: 'audit', share: 0.3 },
] as const satisfies readonly { name: ButtonName; share: number }[];

const buyers = ['priya.natarajan', 'tom.okafor', 'lena.brandt', 'mateo.silva', 'aisha.bello'];
const callers = [
  { name: 'Priya Natarajan', source: 'newsletter', button: 'hero' },
  { name: 'Tom Okafor', source: 'instagram', button: 'header' },
  { name: 'Mateo Silva', source: 'newsletter', button: 'footer' },
];

interface Visit {
  at: number;
  source: string | undefined;
  /** The button that was clicked. */
  button: ButtonName | undefined;
  hasBooked: boolean;
  hasCancelled: boolean;
  sale: (Conversion & { conversionValue: number; refunded: number }) | undefined;
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
  const allVisits = visitsUntil(now);
  const visits = allVisits.filter(({ at }) => at >= before).filter(isIn(filter));
  const figuresOf = (some: Visit[]) => figuresIn(some, filter);
  const inWindow = (start: number, end: number) => between(visits, start, end);
  const current = inWindow(from, now);
  const figures = figuresOf(current);
  const daysOf = (start: number, end: number) =>
    datesIn(start, end).map(({ date, dayStart, dayEnd }): Day => {
      const [cutStart, cutEnd] = [Math.max(dayStart, start), Math.min(dayEnd, end)];
      const { pageViews, ctaClicks, conversions, totalRevenue } = figuresOf(
        inWindow(cutStart, cutEnd),
      );
      return {
        date,
        pageViews,
        ctaClicks,
        conversions,
        revenue: totalRevenue,
        isWhole: cutStart === dayStart && cutEnd === dayEnd,
        startDate: iso(cutStart),
        asOf: iso(cutEnd),
      };
    });
  const sales = current.flatMap(({ sale }) => sale ?? []).reverse();
  const calls = callers.filter(isIn(filter));
  const inPeriod = allVisits.filter(({ at }) => at >= from);
  /** A row of a list, which has all of its kind, so that they can be compared. */
  const rowOf = (change: Filter) => {
    const row = { ...filter, ...change };
    const { totalRevenue: revenue, ...figures } = figuresIn(inPeriod.filter(isIn(row)), row);
    return { ...figures, revenue };
  };
  const taken = sum(sales.map(({ conversionValue }) => conversionValue));
  const refunded = sum(sales.map((sale) => sale.refunded));
  return {
    report: {
      days: period,
      filter,
      startDate: iso(from),
      receivedAt: now,
      timeWindow: undefined,
      figures,
      currency,
      recent: sales.filter(isConversion).slice(0, 10),
      ...{
        otherCurrencies: [],
        otherSales: [],
        doubts: [],
        unread: 0,
        alert: null,
        isDemo: false,
        stripe: null,
      },
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
        cancelled: current.filter(({ hasCancelled }) => hasCancelled).length,
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
      days: daysOf(from, now),
      previous: figuresOf(inWindow(before, from)),
      previousDays: daysOf(before, from),
      hasVisits: true,
      sources: sources
        .map(({ name: source, campaigns }) => ({
          ...(source && { source }),
          ...rowOf({ source: source ?? 'direct' }),
          ...(campaigns && {
            campaigns: [...new Set(campaigns)]
              .flatMap((campaign) => (campaign ? `${source}${campaign}` : []))
              .map((path) => ({ source: path, ...rowOf({ source: path }) })),
          }),
        }))
        .sort((a, b) => b.revenue - a.revenue),
      buttons: buttons
        .map(({ name: button }) => ({ button, ...rowOf({ button }) }))
        .sort((a, b) => b.revenue - a.revenue),
      excluded: { bot: 13 * period, owner: period, prefetch: period >> 1, privacy: period >> 2 },
    },
    months: monthsOf(allVisits.filter(isIn(filter)), now, filter),
  };
}

function monthsOf(visits: Visit[], now: number, filter: Filter): Months {
  const today = new Date(now);
  const measured = (start: Date, end: Date) => {
    const { pageViews, ctaClicks, conversions, totalRevenue } = figuresIn(
      between(visits, +start, +end),
      filter,
    );
    return { pageViews, ctaClicks, conversions, revenue: totalRevenue };
  };
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
    countedSince: iso(visits[0]?.at ?? now),
    asOf: iso(now),
  };
}

const zoneOfBrowser = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const iso = (at: number) => new Date(at).toISOString();
const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);

/** The visits of a span of time. `visits` are sorted by time, and too many to go through for each day. */
const between = (visits: Visit[], start: number, end: number) =>
  visits.slice(countBefore(visits, start), countBefore(visits, end));

/** The number of visits before a time, by binary search. */
function countBefore(visits: Visit[], time: number): number {
  let [low, high] = [0, visits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((visits[middle]?.at ?? time) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a visit or call is one that a filter selects. */
const isIn =
  ({ source, button }: Filter) =>
  (one: { source: string | undefined; button: string | undefined }) =>
    (source === undefined || `${one.source ?? 'direct'}/`.startsWith(`${source}/`)) &&
    (button === undefined || button === one.button);

/** Whether a sale was not fully refunded. */
const isConversion = ({ conversionValue, refunded }: NonNullable<Visit['sale']>) =>
  refunded < conversionValue;

/** The figures of visits that a filter selects. Those of a button have no page views. */
function figuresIn(visits: Visit[], filter: Filter): Figures {
  const count = (has: (visit: Visit) => unknown) => visits.filter(has).length;
  const sales = visits.flatMap(({ sale }) => sale ?? []);
  const conversions = sales.filter(isConversion).length;
  const ctaClicks = count(({ button }) => button);
  const pageViews = filter.button === undefined ? visits.length : 0;
  const gross = sum(sales.map(({ conversionValue }) => conversionValue));
  const refunded = sum(sales.map((sale) => sale.refunded));
  const unit = 10 ** decimalsOf(currency);
  const perView = (n: number) => (pageViews === 0 ? 0 : (100 * n) / pageViews);
  return {
    pageViews,
    ctaClicks,
    conversions,
    checkoutOpens: 2 * sales.length,
    callsBooked: count(({ hasBooked }) => hasBooked),
    totalRevenue: (gross - refunded) / unit,
    refundedRevenue: refunded / unit,
    disputedRevenue: 0,
    conversionRate: perView(conversions),
    ctaConversionRate: perView(ctaClicks),
  };
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

/** All visits up to `now`, oldest first. */
function visitsUntil(now: number): Visit[] {
  const today = Math.floor(now / dayMs);
  const visits = Array.from({ length: sampleDays + 1 }, (_, i) =>
    visitsOn(today - sampleDays + i, 15 + 75 * (i / sampleDays) ** 2),
  );
  return visits.flat().filter(({ at }) => at < now);
}

/** About `usual` visits of a UTC day, by its number since 1970: fewer on weekends, many after a newsletter. */
function visitsOn(day: number, usual: number): Visit[] {
  const random = randomOf(day);
  const weekday = (day + 4) % 7;
  const weekendShare = weekday === 0 || weekday === 6 ? 0.55 : 1;
  const isNewsletterWeek = Math.floor((day + 4) / 7) % 3 === 0 && weekday === 2;
  const n = Math.round((usual + 10 * random()) * weekendShare * (isNewsletterWeek ? 2 : 1));
  return Array.from({ length: n }, (_, i): Visit => {
    const {
      name,
      clicks,
      campaigns = [''],
    } = pick(sources, random) ?? { name: undefined, clicks: 9 };
    const source = name && `${name}${campaigns[i % campaigns.length]}`;
    // Most visits come in the daytime.
    const hour = 24 * (0.25 + 0.65 * ((random() + random()) / 2));
    const at = day * dayMs + Math.floor((hour / 24) * dayMs) + i;
    const button = random() < clicks / 100 ? pick(buttons, random)?.name : undefined;
    const isAudit = button === 'audit';
    const hasBooked = button !== undefined && !isAudit && random() < 0.2;
    const isSale = isAudit && random() < 0.5;
    return {
      at,
      source,
      button,
      hasBooked,
      hasCancelled: hasBooked && random() < 0.1,
      sale: isSale ? saleAt(at, source, random) : undefined,
    };
  }).sort((a, b) => a.at - b.at);
}

/** One of these, as often as their shares say; undefined for what the shares leave. */
function pick<T extends { share: number }>(
  list: readonly T[],
  random: () => number,
): T | undefined {
  let left = random();
  return list.find(({ share }) => {
    left -= share;
    return left < 0;
  });
}

function saleAt(at: number, source: string | undefined, random: () => number): Visit['sale'] {
  const conversionValue = random() < 0.6 ? 9700 : random() < 0.5 ? 14_700 : 4900;
  const chance = random();
  const buyer = buyers[Math.floor(random() * buyers.length)];
  return {
    id: `sample-${at}`,
    timestamp: iso(at),
    conversionValue,
    currency,
    refunded: chance < 0.02 ? conversionValue : chance < 0.05 ? conversionValue / 2 : 0,
    ...(random() < 0.8 && { email: `${buyer}@example.com` }),
    ...(source !== undefined && { source }),
  };
}

/** Random numbers from 0 to 1 that depend only on the seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
