/** The money of a period, and its totals by source and button; each from one snapshot. */
import { columns, computed } from '../../database/columns.ts';
import { all, type Statements } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { cashOf } from '../../sales/cash.ts';
import { countedCurrency, countedCurrencySql } from '../../sales/currency.ts';
import type { CashSum, CurrencySum } from '../../sales/outputs.ts';
import { isCountedSale } from '../../sales/rows.ts';
import type { ButtonTotals, Filter, SourceTotals, TimeWindow, Totals } from '../model.ts';
import { conditionOf, everything, type Series, seriesOf } from './series.ts';
import { noTotals, totalsOfButtons, totalsOfEach, totalsOfSources } from './totals.ts';

/** Figures of a window and of others, from one snapshot. */
interface Breakdown {
  /** The owner's currency, that of the totals and sources: ISO 4217, upper case. */
  currency: string;
  /** Of each window, in their order. */
  totals: Totals[];
  sources: SourceTotals[];
  buttons: ButtonTotals[];
  /** Sales in other currencies. */
  otherCurrencies: CurrencySum[];
}

/** The money of a window. All figures are of one snapshot. */
interface PeriodMoney {
  /** The owner's currency, that of the totals: ISO 4217, upper case. */
  currency: string;
  totals: Totals;
  /** Sales in other currencies. */
  otherCurrencies: CurrencySum[];
  /** Sales that do not count: of something else, or counted under another id. */
  otherSales: CurrencySum[];
  /** By currency, the owner's first. */
  cash: CashSum[];
}

/** The statements of `AnalyticsStore.breakdown`. */
export function* breakdownOf(
  window: TimeWindow,
  windows: readonly TimeWindow[],
  filter?: Filter,
): Statements<Breakdown> {
  const currency = yield* countedCurrency();
  const series = yield* seriesOf(filter);
  return {
    currency,
    totals: yield* totalsOfEach(windows, series),
    sources: yield* totalsOfSources(window, series.button),
    buttons: yield* totalsOfButtons(window, series.source),
    otherCurrencies: yield* otherCurrencies(window, series),
  };
}

/** The statements of `AnalyticsStore.money`. */
export function* moneyOf(window: TimeWindow, filter?: Filter): Statements<PeriodMoney> {
  const currency = yield* countedCurrency();
  const series = yield* seriesOf(filter);
  const [totals = noTotals] = yield* totalsOfEach([window], series);
  const others = yield* otherCurrencies(window, series);
  if (series !== everything) {
    return { currency, totals, otherCurrencies: others, otherSales: [], cash: [] };
  }
  const cash = yield* cashOf(window, [
    { currency, amount: totals.revenue + totals.refunded },
    ...others.map((other) => ({ currency: other.currency, amount: other.gross })),
  ]);
  const otherSales = yield* all(selectOtherSales, [window.from, window.to]);
  return { currency, totals, otherCurrencies: others, otherSales, cash };
}

const currencySums = {
  conversions: computed<number>('count(*) FILTER (WHERE amount > refunded OR amount = 0)'),
  revenue: computed<number>('CAST(sum(amount - refunded) AS bigint)'),
  gross: computed<number>('CAST(sum(amount) AS bigint)'),
};

/** The sales of a series in other currencies than the owner's. */
function otherCurrencies({ from, to }: TimeWindow, series: Series): Statements<CurrencySum[]> {
  const { condition, values } = conditionOf(series, 'source_id');
  return all(selectOtherCurrencies(condition), [from, to, ...values]);
}

/** Finds the few currencies by an index, so that the sales in the owner's currency are not read. */
const selectOtherCurrencies = (condition: string) => sql`WITH RECURSIVE used (name) AS (
    SELECT min(currency) FROM conversion
    UNION ALL
    SELECT (SELECT min(currency) FROM conversion WHERE currency > name) FROM used
    WHERE name IS NOT NULL
  )
  SELECT ${columns('conversion', 'currency', currencySums)}
  FROM used ${{ sqlite: 'CROSS JOIN', postgres: 'JOIN' }} conversion ON conversion.currency = name
  WHERE name <> ${countedCurrencySql} AND at >= ? AND at < ? AND ${isCountedSale} ${condition}
  GROUP BY conversion.currency ORDER BY conversion.currency`;

const selectOtherSales = sql`SELECT ${columns('conversion', 'currency', currencySums)} FROM conversion
  WHERE origin = 'other' AND at >= ? AND at < ? GROUP BY currency ORDER BY currency`;
