/** The weekly report email: totals of the last week, compared with the week before. */

import type { SourceTotals, TimeWindow, Totals } from '../analytics/model.ts';
import type { AnalyticsStore } from '../analytics/store.ts';
import { money } from '../contract/money.ts';
import { formatNumber, pluralize } from '../contract/numbers.ts';
import type { Block, Figure, OutboxEmail } from '../email/email.ts';
import type { CurrencySum } from '../sales/outputs.ts';
import { dayMs } from '../time/units.ts';
import { dateAfter, dateAt, timeOf, weekdayOf } from '../time/zone.ts';

/** What an email to the owner needs besides the figures. */
export interface ReportContext {
  /** Milliseconds since 1970, UTC. */
  now: number;
  /** Time zone of the owner. */
  timeZone: string;
  /** URL of the site, for links. */
  address: string | undefined;
}

/** Maximum sources listed in the email. */
const maxSources = 5;

/** The last whole week before `now`, Monday to Monday in a time zone, and the week before it. */
export function lastWeek(now: number, timeZone: string): { week: TimeWindow; before: TimeWindow } {
  const today = dateAt(now, timeZone);
  const sinceMonday = (weekdayOf(today) + 6) % 7;
  // Uses calendar dates, since days with a daylight-saving change do not have 24 hours.
  const back = (days: number) => timeOf(dateAfter(today, -sinceMonday - days), 0, timeZone);
  return {
    week: { from: back(7), to: back(0) },
    before: { from: back(14), to: back(7) },
  };
}

/** Returns the report of the last week; undefined when it had no sales and no visit precedes its end. */
export async function weeklyEmail(
  analytics: Pick<AnalyticsStore, 'breakdown' | 'firstView'>,
  { now, timeZone, address }: ReportContext,
): Promise<OutboxEmail | undefined> {
  const { week, before } = lastWeek(now, timeZone);
  const [first, figures] = await Promise.all([
    analytics.firstView(),
    analytics.breakdown(week, [week, before]),
  ]);
  const { currency, sources, otherCurrencies } = figures;
  const [totals, previous] = figures.totals;
  if (!totals || !previous) return undefined;
  const hasVisits = first !== undefined && first < week.to;
  if (!hasVisits && totals.conversions === 0) return undefined;
  const span = [week.from, week.to - dayMs / 2].map((at) => dateOf(at, timeZone)).join(' to ');
  const rows = [
    ...figuresOf(totals, hasVisits && first <= before.from ? previous : undefined, currency),
    ...otherCurrencies.map(figureOfCurrency),
  ];
  return {
    id: `week-${dateAt(week.from, timeZone)}`,
    subject: `Your week: ${conversionsIn(totals)}, ${pluralize(totals.pageViews, 'page view')}`,
    blocks: [
      { kind: 'title', text: `Your week, ${span}` },
      { kind: 'figures', rows },
      ...sourceBlocks(sources, currency),
      ...(address === undefined
        ? []
        : [{ kind: 'button' as const, label: 'Open the dashboard', url: `${address}/analytics` }]),
    ],
  };
}

/** The figures by their names on the dashboard. */
function figuresOf(now: Totals, before: Totals | undefined, currency: string): Figure[] {
  const figure = (value: (totals: Totals) => string) => ({
    value: value(now),
    ...(before && { note: `${value(before)} the week before` }),
  });
  return [
    { name: 'Page Views', line: 'blue', ...figure(({ pageViews }) => formatNumber(pageViews)) },
    { name: 'CTA Clicks', line: 'red', ...figure(({ ctaClicks }) => formatNumber(ctaClicks)) },
    {
      name: 'Conversions',
      line: 'green',
      ...figure(({ conversions }) => formatNumber(conversions)),
    },
    { name: 'Revenue', ...figure(({ revenue }) => money(revenue, currency)) },
    { name: 'Booked calls', ...figure(({ callsBooked }) => formatNumber(callsBooked)) },
  ];
}

/** Revenue in another currency, not converted. */
const figureOfCurrency = ({ currency, conversions, revenue }: CurrencySum): Figure => ({
  name: `Revenue in ${currency}`,
  value: money(revenue, currency),
  note: conversionsIn({ conversions }),
});

function sourceBlocks(sources: SourceTotals[], currency: string): Block[] {
  if (sources.length === 0) return [];
  const listed = sources
    .toSorted((a, b) => b.revenue - a.revenue || b.pageViews - a.pageViews)
    .slice(0, maxSources);
  const others = sources.length - listed.length;
  const more = others > 0 ? [`${pluralize(others, 'other source')} on the dashboard`] : [];
  return [
    { kind: 'heading', text: 'Sources' },
    { kind: 'list', items: [...listed.map((source) => lineOf(source, currency)), ...more] },
  ];
}

const lineOf = (totals: SourceTotals, currency: string) =>
  `${totals.source ?? 'Direct'}: ${pluralize(totals.pageViews, 'visit')}, ${conversionsIn(totals)}, ${money(totals.revenue, currency)}`;

const conversionsIn = ({ conversions }: { conversions: number }) =>
  pluralize(conversions, 'conversion');
const dateOf = (at: number, timeZone: string) =>
  new Date(at).toLocaleDateString('en-US', { timeZone, month: 'long', day: 'numeric' });
