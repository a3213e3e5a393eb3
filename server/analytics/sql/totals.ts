/** Totals from the counters of whole hours, the events of partial hours, and the sales. */

import { parentOf } from '../../attribution/source-ids.ts';
import { columns, handTyped } from '../../database/columns.ts';
import { all, type Statements } from '../../database/database.ts';
import { integer, text } from '../../database/schema.ts';
import { joined, jsonRows, type Sql, sql } from '../../database/sql.ts';
import { inCountedCurrency } from '../../sales/currency.ts';
import { isConversion, isCountedSale } from '../../sales/rows.ts';
import type { ButtonTotals, SourceTotals, TimeWindow, Totals } from '../model.ts';
import { hourOf, splitWindow } from '../time-window.ts';
import { allButtons, allSources, kinds } from './counters.ts';
import { eventHorizon } from './prune.ts';
import { everything, type Series } from './series.ts';

/** Totals of nothing. */
export const noTotals: Totals = {
  pageViews: 0,
  ctaClicks: 0,
  checkoutOpens: 0,
  callsBooked: 0,
  conversions: 0,
  revenue: 0,
  refunded: 0,
  disputed: 0,
};

/** Totals of each window, in their order; exact to the millisecond, except where events were deleted. */
export function* totalsOfEach(
  windows: readonly TimeWindow[],
  series: Series = everything,
): Statements<Totals[]> {
  const rows = yield* all(totalsByWindow, yield* parametersOf(windows, series));
  const found = new Map(rows.map(({ key, ...totals }) => [key, totals]));
  return windows.map((_, i) => found.get(i) ?? noTotals);
}

/** Totals of each source and of its campaigns; of one button when `button` is given. */
export function* totalsOfSources(window: TimeWindow, button?: string): Statements<SourceTotals[]> {
  const rows = yield* all(totalsBySource, yield* parametersOf([window], { ...everything, button }));
  const found = new Map(
    rows.flatMap(({ key, ...totals }) => (isAny(totals) ? [[key, totals]] : [])),
  );
  const named = yield* all(namesOf, [JSON.stringify([...found.keys()].map((id) => [id]))]);
  const childrenOf = (wanted: number | null): SourceTotals[] =>
    named
      .filter(({ parent }) => parent === wanted)
      .map(({ id, name }) => {
        const campaigns = wanted === null ? childrenOf(id) : [];
        const totals = found.get(id) ?? noTotals;
        return { source: name, ...totals, ...(campaigns.length > 0 && { campaigns }) };
      });
  return childrenOf(null);
}

/** Totals of each button, sorted by name; those of one source when `source` is given. */
export function* totalsOfButtons(
  window: TimeWindow,
  source: number = allSources,
): Statements<ButtonTotals[]> {
  const rows = yield* all(totalsByButton, yield* parametersOf([window], { ...everything, source }));
  return rows
    .flatMap(({ key, ...totals }) => (key && isAny(totals) ? [{ button: key, ...totals }] : []))
    .sort((a, b) => (a.button < b.button ? -1 : 1));
}

const namesOf = sql`SELECT ${columns('source', 'id', 'name', 'parent')} FROM source
  WHERE id IN (SELECT id FROM ${jsonRows({ id: integer })} AS wanted) ORDER BY id`;

const isAny = (totals: Totals) => Object.values(totals).some((n) => n !== 0);

/**
 * The parts of the windows: whole `hours`, the `events` of partial hours, and all of the `sales`. Before the
 * horizon there are only counters, so a window begins and ends at the full hour there.
 */
function* parametersOf(
  windows: readonly TimeWindow[],
  { source, button }: Series,
): Statements<(string | number)[]> {
  const horizon = (yield* eventHorizon()) ?? Number.NEGATIVE_INFINITY;
  const bound = (at: number) => (at < horizon ? hourOf(at) : at);
  const parts = windows.flatMap(({ from, to }, i) => {
    const { hours, rest } = splitWindow({ from: bound(from), to: bound(to) });
    const spans = Object.entries({ hours, events: rest, sales: [{ from, to }] });
    return spans.flatMap(([what, found]) => found.map((span) => [i, what, span.from, span.to]));
  });
  return [JSON.stringify(parts), source, button ?? allButtons];
}

/** MATERIALIZED, so that the JSON is parsed once. */
const parameters = sql`WITH part AS MATERIALIZED (
    SELECT * FROM ${jsonRows({ i: integer, what: text, start: integer, stop: integer })} AS parts
  ), wanted AS MATERIALIZED (
    SELECT CAST(? AS bigint) AS wanted_source, CAST(? AS text) AS wanted_button
  )`;

const totalNames = Object.keys(noTotals).map((name) => `"${name}"`);

/** The sums of a statement, 0 for those that it does not have. */
const sumsOf = (sums: Partial<Record<keyof Totals, string>>) =>
  Object.keys(noTotals)
    .map((name) => `${sums[name as keyof Totals] ?? 0} AS "${name}"`)
    .join(', ');

/** The sums of the activities, from the sum of one kind. */
const activitySums = (sumOf: (kind: number) => string) =>
  sumsOf({
    pageViews: sumOf(kinds.page_view),
    ctaClicks: sumOf(kinds.cta_click),
    checkoutOpens: sumOf(kinds.checkout_open),
    callsBooked: sumOf(kinds.call_booked),
  });

const eventSums = activitySums((kind) => `count(*) FILTER (WHERE kind = ${kind})`);

const saleSums = sumsOf({
  conversions: `count(*) FILTER (WHERE ${isConversion})`,
  revenue: inCountedCurrency('amount - refunded'),
  refunded: inCountedCurrency('refunded'),
  disputed: inCountedCurrency('disputed'),
});

/** Whether a row is of the wanted source, or of one of its campaigns, and of the wanted button. */
const isWanted = (source: string) =>
  `(wanted_source = ${allSources} OR wanted_source = ${source} OR wanted_source = ${parentOf(source)})
    AND (wanted_button = '${allButtons}' OR wanted_button = button)`;

interface Grouping {
  /** The key of an event, of a sale, and of a counter. */
  ofEvent: string;
  ofSale?: string;
  ofCounter?: string;
  /** What lists the keys that have counters, and the source and button of these. */
  series?: string;
  source?: string;
  button?: string;
  /** Turns totals by the key of rows into totals by the key of counters. */
  ofRows?: (totals: Sql) => Sql;
}

/** Totals by key, from the parameters of `parametersOf`. */
const totalsBy = <Key>({
  ofEvent,
  ofSale = ofEvent,
  ofCounter = ofEvent,
  series = '',
  source = 'wanted_source',
  button = 'wanted_button',
  ofRows = (totals) => totals,
}: Grouping) => {
  const counterSums = activitySums(
    (kind) => `(SELECT coalesce(sum(n), 0) FROM counter
      WHERE counter.source = ${source} AND counter.button = ${button} AND kind = ${kind}
        AND hour >= start AND hour < stop)`,
  );
  const sums = totalNames.map((name) => `CAST(sum(${name}) AS bigint) AS ${name}`);
  return handTyped<{ key: Key } & Totals>(sql`${parameters}
    SELECT key, ${joined(sums, ', ')} FROM (
      SELECT ${ofCounter} AS key, ${counterSums} FROM part CROSS JOIN wanted ${series}
      WHERE what = 'hours'
      UNION ALL ${ofRows(sql`
      SELECT ${ofEvent} AS key, ${eventSums} FROM part CROSS JOIN wanted CROSS JOIN event
      WHERE what = 'events' AND kind IN (${Object.values(kinds).join(', ')})
        AND at >= start AND at < stop AND ${isWanted('event.source')}
      GROUP BY ${ofEvent}`)}
      UNION ALL ${ofRows(sql`
      SELECT ${ofSale} AS key, ${saleSums} FROM part CROSS JOIN wanted CROSS JOIN conversion
      WHERE what = 'sales' AND at >= start AND at < stop AND ${isCountedSale}
        AND ${isWanted('conversion.source_id')}
      GROUP BY ${ofSale}`)}
    ) AS parts GROUP BY key`);
};

const totalsByWindow = totalsBy<number>({ ofEvent: 'i' });

/** By id. A campaign counts for its source, too. */
const totalsBySource = totalsBy<number>({
  ofEvent: 'event.source',
  ofSale: 'conversion.source_id',
  ofCounter: 'named.id',
  series: 'CROSS JOIN source AS named',
  source: 'named.id',
  ofRows: (totals) => sql`SELECT named.id, ${joined(totalNames, ', ')}
    FROM (${totals}) AS own JOIN source AS named ON named.id IN (own.key, ${parentOf('own.key')})`,
});

/** The buttons that have counters. Finds them by the key, without reading it. */
const countedButtons = `(WITH RECURSIVE used (button) AS (
    SELECT min(button) FROM counter WHERE source = ${allSources} AND button > '${allButtons}'
    UNION ALL
    SELECT (SELECT min(button) FROM counter
      WHERE source = ${allSources} AND button > used.button)
    FROM used WHERE button IS NOT NULL
  ) SELECT button FROM used WHERE button IS NOT NULL) AS buttons`;

/** By name; null for events and sales without a button. */
const totalsByButton = totalsBy<string | null>({
  ofEvent: 'button',
  series: `CROSS JOIN ${countedButtons}`,
  button: 'buttons.button',
});
