/** Imports a file of sales, for the command line and the browser. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { z } from 'zod';
import { count } from '../../text/outputs.ts';
import { sentenceOf } from '../../trpc/errors.ts';
import type { SaleReport } from '../reports.ts';
import type { KnownSale, SaleStore } from '../store.ts';
import type { SalesFile } from './read-sales.ts';

/** Ids that are looked up at once. */
const lookupSize = 1000;

/** What an import does to the stored sales. */
export interface ImportPlan {
  /** Sales that are new. */
  added: number;
  /** Known sales of which more was refunded. */
  changed: number;
  known: number;
  /** The reports that change something, with their place in the file. */
  reports: { report: SaleReport; index: number }[];
  /** A sentence for each line in another currency than the known sale or an earlier line with its id. */
  errors: string[];
}

/** Finds out what an import would do. Yields to the event loop. */
export async function planImport(
  file: SalesFile,
  sales: Pick<SaleStore, 'known'>,
): Promise<ImportPlan> {
  const plan: ImportPlan = { added: 0, changed: 0, known: 0, reports: [], errors: [] };
  const seen = new Map<string, KnownSale>();
  for (let i = 0; i < file.sales.length; i += lookupSize) {
    // SQLite answers at once, without a turn of the event loop.
    await yieldToEventLoop();
    const batch = file.sales.slice(i, i + lookupSize);
    for (const [id, one] of await sales.known(batch.map(({ id }) => id))) {
      if (!seen.has(id)) seen.set(id, one);
    }
    batch.forEach((report, n) => {
      const index = i + n;
      const before = seen.get(report.id);
      const { currency, amount, refunded, asOf } = report;
      if (!before) {
        seen.set(report.id, { currency, amount, refunded });
        plan.added += 1;
        plan.reports.push({ report, index });
        return;
      }
      if (before.currency !== undefined && before.currency !== currency) {
        plan.errors.push(otherCurrencyAt(file.lines[index]));
        return;
      }
      const isChange =
        before.currency !== undefined && Math.min(refunded, before.amount) > before.refunded;
      if (isChange) seen.set(report.id, { ...before, refunded });
      if (isChange) plan.changed += 1;
      else plan.known += 1;
      // Only the store can tell what a report with its own time changes. Beside Stripe’s events one is kept.
      const isToStore = isChange || asOf !== undefined || before.currency === undefined;
      if (isToStore) plan.reports.push({ report, index });
    });
  }
  return plan;
}

const otherCurrencyAt = (line: number | undefined) =>
  `Line ${line}, column currency: ${sentenceOf('OTHER_CURRENCY')}`;

/** What an import has stored: the output of `analytics.importSales`. */
export const imported = z.object({
  added: count,
  changed: count,
  known: count,
  rejected: z
    .array(z.string())
    .describe(
      'A sentence for each line that was rejected after all, because another request stored its sale meanwhile.',
    ),
  next: count
    .nullable()
    .describe(
      'The place in the file of the first sale that is left, to be sent as `from`; null after the last one.',
    ),
});

type Imported = z.output<typeof imported>;

/**
 * Stores the reports of a plan in batches, from the sale at `from` on, until `isOver` says to stop. A
 * repetition counts no sale twice.
 */
export async function storeImport(
  { reports }: ImportPlan,
  {
    file,
    sales,
    now,
    from = 0,
    isOver = () => false,
  }: {
    file: SalesFile;
    sales: Pick<SaleStore, 'report' | 'batchSize'>;
    now: number;
    from?: number;
    isOver?: () => boolean;
  },
): Promise<Imported> {
  const left = reports.filter(({ index }) => index >= from);
  const result: Imported = { added: 0, changed: 0, known: 0, rejected: [], next: null };
  for (let i = 0; i < left.length && result.next === null; i += sales.batchSize) {
    const batch = left.slice(i, i + sales.batchSize);
    const outcomes = await Promise.all(batch.map(({ report }) => sales.report(report, now)));
    outcomes.forEach((outcome, n) => {
      if (outcome === 'new') result.added += 1;
      if (outcome === 'changed') result.changed += 1;
      const line = file.lines[batch[n]?.index ?? 0];
      if (outcome === 'otherCurrency') result.rejected.push(otherCurrencyAt(line));
    });
    if (isOver()) result.next = left[i + sales.batchSize]?.index ?? null;
  }
  const { added, changed, rejected, next } = result;
  const done = (next ?? file.sales.length) - Math.min(from, file.sales.length);
  return { ...result, known: done - added - changed - rejected.length };
}
