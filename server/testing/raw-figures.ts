/** For tests: figures counted row by row, to compare with those that the store computes. */

import type {
  Filter,
  ImportedEvent,
  SourceTotals,
  TimeWindow,
  Totals,
} from '../analytics/model.ts';
import type { AnalyticsStore } from '../analytics/store.ts';
import { sourceIn, sourcePath } from '../attribution/source-name.ts';
import type { Sale } from '../sales/sale.ts';

/** Figures of the rows that are stored now. */
export async function rawFigures({
  allEvents,
  allConversions,
  currency,
}: Pick<AnalyticsStore, 'allEvents' | 'allConversions' | 'currency'>) {
  const owners = await currency();
  const events = await collect(allEvents());
  const sales = await collect(allConversions());

  const totals = (window: TimeWindow, { source, button }: Filter = {}): Totals => {
    const isOf = (path: string | null, itsButton: string | null) =>
      (source === undefined || path === source || (path !== null && sourceIn(path) === source)) &&
      (button === undefined || itsButton === button);
    const sum: Totals = {
      pageViews: 0,
      ctaClicks: 0,
      checkoutOpens: 0,
      callsBooked: 0,
      conversions: 0,
      revenue: 0,
      refunded: 0,
      disputed: 0,
    };
    for (const event of within(events, window)) {
      if (!isOf(event.source, event.button)) continue;
      if (event.activity === 'page_view') sum.pageViews += button === undefined ? 1 : 0;
      if (event.activity === 'cta_click') sum.ctaClicks += 1;
      if (event.activity === 'checkout_open') sum.checkoutOpens += 1;
      if (event.activity === 'call_booked') sum.callsBooked += 1;
    }
    for (const sale of within(sales, window)) {
      if (!isOf(sourcePath(sale.source), sale.button)) continue;
      if (sale.amount > sale.refunded || sale.amount === 0) sum.conversions += 1;
      if (sale.currency !== owners) continue;
      sum.revenue += sale.amount - sale.refunded;
      sum.refunded += sale.refunded;
      sum.disputed += sale.disputed;
    }
    return sum;
  };
  /** The keys of the rows of a window, each with its totals unless they are 0. */
  const listed = <Key>(
    window: TimeWindow,
    keysOf: (row: ImportedEvent | Sale) => Key[],
    filterOf: (key: Key) => Filter,
  ) => {
    const rows = [...within(events, window), ...within(sales, window)];
    return [...new Set(rows.flatMap(keysOf))]
      .map((key) => ({ key, totals: totals(window, filterOf(key)) }))
      .filter(({ totals }) => Object.values(totals).some((n) => n !== 0))
      .sort((a, b) => (`${a.key}` < `${b.key}` ? -1 : 1));
  };
  return {
    totals,
    /** Sources and campaigns by path, as `flatSources` returns them. */
    sources: (window: TimeWindow, { button }: Pick<Filter, 'button'> = {}) =>
      listed(
        window,
        ({ source }) => {
          const path = sourcePath(source);
          return path === null ? [null] : [path, sourceIn(path)];
        },
        (source) => ({ source, button }),
      ).map(({ key, totals }) => ({ source: key, ...totals })),
    buttons: (window: TimeWindow, { source }: Pick<Filter, 'source'> = {}) =>
      listed(
        window,
        ({ button }): string[] => (button ? [button] : []),
        (button) => ({ source, button }),
      ).map(({ key, totals }) => ({ button: key, ...totals })),
  };
}

/** Sources and their campaigns in one list, sorted by path. */
export const flatSources = (sources: readonly SourceTotals[]) =>
  sources
    .flatMap(({ campaigns = [], ...source }) => [source, ...campaigns])
    .sort((a, b) => (`${a.source}` < `${b.source}` ? -1 : 1));

async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** The rows of a window, of rows sorted by time. */
function within<Row extends { at: number }>(rows: readonly Row[], { from, to }: TimeWindow): Row[] {
  const first = (at: number) => {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rows[middle]?.at ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return rows.slice(first(from), first(to));
}
