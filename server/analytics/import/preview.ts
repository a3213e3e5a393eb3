/** What the owner sees before an import. */
import type { ImportPlan } from './import-sales.ts';
import type { SalesFile } from './read-sales.ts';

/** Sales that are shown as they will be stored. */
const shownSales = 5;

/** Lines that are listed with the reason why they are left out. */
const shownLines = 50;

/** Sums up a file and what its import would do. Amounts are in the smallest unit of their currency. */
export function previewOf(file: SalesFile, plan: ImportPlan) {
  const totals = new Map<string, { sales: number; amount: number; refunded: number }>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { currency, amount, refunded, at } of file.sales) {
    const sum = totals.get(currency) ?? { sales: 0, amount: 0, refunded: 0 };
    totals.set(currency, {
      sales: sum.sales + 1,
      amount: sum.amount + amount,
      refunded: sum.refunded + refunded,
    });
    [first, last] = [Math.min(first, at), Math.max(last, at)];
  }
  const { format, delimiter, header, options, hasOpenDates, errors, skipped } = file;
  return {
    ...{ format, delimiter, header, hasOpenDates },
    /** How it was read; null for our own format. */
    options: options ?? null,
    rows: file.sales.slice(0, shownSales).map((sale, i) => ({
      line: file.lines[i] ?? 0,
      id: sale.id,
      timestamp: new Date(sale.at).toISOString(),
      amount: sale.amount,
      refunded: sale.refunded,
      disputed: sale.disputed,
      currency: sale.currency,
      email: sale.email,
      source: sale.source,
    })),
    totals: [...totals].map(([currency, sum]) => ({ currency, ...sum })),
    /** The time of the oldest and of the newest sale; null without sales. */
    dates:
      file.sales.length === 0
        ? null
        : { first: new Date(first).toISOString(), last: new Date(last).toISOString() },
    ...{ added: plan.added, changed: plan.changed, known: plan.known },
    skipped: { count: skipped.length, shown: skipped.slice(0, shownLines) },
    /** Lines with an error: as long as there are any, nothing can be imported. */
    errors: {
      count: errors.count + plan.errors.length,
      shown: [...errors.shown, ...plan.errors].slice(0, shownLines),
    },
  };
}
