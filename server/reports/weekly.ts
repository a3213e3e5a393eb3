/** The weekly report email: totals of the last week, compared with the week before. */
import type { CurrencySum, SourceTotals, TimeWindow, Totals } from '../analytics/store.ts';
import type { AnalyticsStore } from '../analytics/store-sql.ts';
import { money } from '../contract/money.ts';
import { type Html, html, type OutboxEmail, page } from '../email/email.ts';
import { dateAfter, dateAt, timeOf, weekdayOf } from '../time/zone.ts';

const day = 24 * 60 * 60_000;

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
  analytics: Pick<
    AnalyticsStore,
    'currency' | 'totalsOfEach' | 'sources' | 'firstView' | 'otherCurrencies'
  >,
  { now, timeZone, address }: ReportContext,
): Promise<OutboxEmail | undefined> {
  const { week, before } = lastWeek(now, timeZone);
  const [currency, first, sources, others, [totals, previous]] = await Promise.all([
    analytics.currency(),
    analytics.firstView(),
    analytics.sources(week),
    analytics.otherCurrencies(week),
    analytics.totalsOfEach([week, before]),
  ]);
  if (!totals || !previous) return undefined;
  const hasVisits = first !== undefined && first < week.to;
  if (!hasVisits && totals.conversions === 0) return undefined;
  const span = [week.from, week.to - day / 2].map((at) => dateOf(at, timeZone)).join(' to ');
  const rows = [
    ...rowsOf(totals, hasVisits && first <= before.from ? previous : undefined, currency),
    ...others.map(rowOfCurrency),
  ];
  const best = sourcesOf(sources).map((source) => lineOf(source, currency));
  const more = address === undefined ? '' : `\n\nDashboard: ${address}/analytics`;
  return {
    id: `week-${dateAt(week.from, timeZone)}`,
    subject: `Your week: ${counted(totals.conversions, 'sale')}, ${counted(totals.pageViews, 'visit')}`,
    text: [
      `Your week, ${span}.`,
      '',
      ...rows.map(({ name, figure, change }) => `${name}: ${figure}${change && ` (${change})`}`),
      ...(best.length === 0 ? [] : ['', 'Where visitors came from:', ...best]),
    ]
      .join('\n')
      .concat(more),
    html: page(html`<h1 style="font-size:1.3em">Your week</h1><p>${span}</p>
      <table style="border-collapse:collapse;width:100%">${rows.map(rowHtml)}</table>
      ${best.length === 0 ? '' : html`<h2 style="font-size:1.1em">Where visitors came from</h2><ul>${best.map((line) => html`<li>${line}</li>`)}</ul>`}
      ${address === undefined ? '' : html`<p><a href="${address}/analytics">Open the dashboard</a></p>`}`),
  };
}

interface Row {
  name: string;
  figure: string;
  change: string;
}

function rowsOf(now: Totals, before: Totals | undefined, currency: string): Row[] {
  const row = (name: string, of: 'pageViews' | 'ctaClicks' | 'callsBooked' | 'conversions') => ({
    name,
    figure: grouped(now[of]),
    change: before ? `${grouped(before[of])} the week before` : '',
  });
  return [
    row('Visits', 'pageViews'),
    row('Clicks on a call-to-action', 'ctaClicks'),
    row('Calls booked', 'callsBooked'),
    row('Sales', 'conversions'),
    {
      name: 'Revenue',
      figure: money(now.revenue, currency),
      change: before ? `${money(before.revenue, currency)} the week before` : '',
    },
  ];
}

/** Revenue in another currency, not converted. */
const rowOfCurrency = ({ currency, conversions, revenue }: CurrencySum): Row => ({
  name: `Revenue in ${currency} (${counted(conversions, 'sale')})`,
  figure: money(revenue, currency),
  change: '',
});

const rowHtml = ({ name, figure, change }: Row): Html =>
  html`<tr><td style="padding:.4em 0">${name}</td><td style="text-align:right"><strong>${figure}</strong></td><td style="text-align:right;padding-left:1em"><small>${change}</small></td></tr>`;

const sourcesOf = (sources: SourceTotals[]) =>
  [...sources]
    .sort((a, b) => b.revenue - a.revenue || b.pageViews - a.pageViews)
    .slice(0, maxSources);

const lineOf = ({ source, pageViews, conversions, revenue }: SourceTotals, currency: string) =>
  `${source ?? 'Direct'}: ${counted(pageViews, 'visit')}, ${counted(conversions, 'sale')}, ${money(revenue, currency)}`;

const grouped = (n: number) => n.toLocaleString('en-US');
const counted = (n: number, one: string) => `${grouped(n)} ${n === 1 ? one : `${one}s`}`;
const dateOf = (at: number, timeZone: string) =>
  new Date(at).toLocaleDateString('en-US', { timeZone, month: 'long', day: 'numeric' });
