/** The weekly report email: totals of the last week, compared with the week before. */
import type {
  AnalyticsStore,
  CurrencySum,
  SourceTotals,
  TimeWindow,
  Totals,
} from '../analytics/store.ts';
import { type Html, html, type OutboxEmail, page } from '../email/email.ts';

const day = 24 * 60 * 60_000;

/** Maximum sources listed in the email. */
const maxSources = 5;

/** The last whole week before `now`, Monday to Monday in the server's time zone, and the week before it. */
export function lastWeek(now: number): { week: TimeWindow; before: TimeWindow } {
  const today = new Date(now);
  const sinceMonday = (today.getDay() + 6) % 7;
  // Uses calendar dates, since days with a daylight-saving change do not have 24 hours.
  const back = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - sinceMonday - days).getTime();
  return {
    week: { from: back(7), to: back(0) },
    before: { from: back(14), to: back(7) },
  };
}

/** Returns the report of the last week; undefined when it had no sales and no visit precedes its end. */
export async function weeklyEmail(
  analytics: Pick<AnalyticsStore, 'totalsOfEach' | 'sources' | 'firstView' | 'otherCurrencies'>,
  { now, address }: { now: number; address: string | undefined },
): Promise<OutboxEmail | undefined> {
  const { week, before } = lastWeek(now);
  const [first, sources, others, [totals, previous]] = await Promise.all([
    analytics.firstView(),
    analytics.sources(week),
    analytics.otherCurrencies(week),
    analytics.totalsOfEach([week, before]),
  ]);
  if (!totals || !previous) return undefined;
  const hasVisits = first !== undefined && first < week.to;
  if (!hasVisits && totals.conversions === 0) return undefined;
  const span = `${dateOf(week.from)} to ${dateOf(week.to - day / 2)}`;
  const rows = [
    ...rowsOf(totals, hasVisits && first <= before.from ? previous : undefined),
    ...others.map(rowOfCurrency),
  ];
  const best = sourcesOf(sources);
  const more = address === undefined ? '' : `\n\nMore: ${address}/analytics`;
  return {
    id: `week-${new Date(week.from).toLocaleDateString('sv-SE')}`,
    subject: `Your week: ${counted(totals.conversions, 'sale')}, ${counted(totals.pageViews, 'visit')}`,
    text: [
      `Your week, ${span}.`,
      '',
      ...rows.map(({ name, figure, change }) => `${name}: ${figure}${change && ` (${change})`}`),
      ...(best.length === 0 ? [] : ['', 'Where visitors came from:', ...best.map(lineOf)]),
    ]
      .join('\n')
      .concat(more),
    html: page(html`<h1 style="font-size:1.3em">Your week</h1><p>${span}</p>
      <table style="border-collapse:collapse;width:100%">${rows.map(rowHtml)}</table>
      ${best.length === 0 ? '' : html`<h2 style="font-size:1.1em">Where visitors came from</h2><ul>${best.map((one) => html`<li>${lineOf(one)}</li>`)}</ul>`}
      ${address === undefined ? '' : html`<p><a href="${address}/analytics">The whole dashboard</a></p>`}`),
  };
}

interface Row {
  name: string;
  figure: string;
  change: string;
}

function rowsOf(now: Totals, before: Totals | undefined): Row[] {
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
      figure: dollars(now.revenue),
      change: before ? `${dollars(before.revenue)} the week before` : '',
    },
  ];
}

/** Revenue in another currency, not converted. */
function rowOfCurrency({ currency, revenue }: CurrencySum): Row {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return {
    name: `Beside it, in ${currency}`,
    figure: format.format(revenue / 10 ** digits),
    change: '',
  };
}

const rowHtml = ({ name, figure, change }: Row): Html =>
  html`<tr><td style="padding:.4em 0">${name}</td><td style="text-align:right"><strong>${figure}</strong></td><td style="text-align:right;padding-left:1em"><small>${change}</small></td></tr>`;

const sourcesOf = (sources: SourceTotals[]) =>
  [...sources]
    .sort((a, b) => b.revenue - a.revenue || b.pageViews - a.pageViews)
    .slice(0, maxSources);

const lineOf = ({ source, pageViews, conversions, revenue }: SourceTotals) =>
  `${source ?? 'Direct'}: ${counted(pageViews, 'visit')}, ${counted(conversions, 'sale')}, ${dollars(revenue)}`;

const grouped = (n: number) => n.toLocaleString('en-US');
const counted = (n: number, one: string) => `${grouped(n)} ${n === 1 ? one : `${one}s`}`;
const dollars = (cents: number) =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
const dateOf = (at: number) =>
  new Date(at).toLocaleDateString('en-US', { month: 'long', day: 'numeric' });
