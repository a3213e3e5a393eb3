/** Imports a file of sales, for the command line and the browser. */
import { sentences } from '../../trpc/errors.ts';
import type { SaleReport } from './mapped-row.ts';
import type { SalesFile } from './read-sales.ts';

/** Sales that are stored concurrently, so that they share a commit. */
const batchSize = 100;

/** Ids that are looked up at once. */
const lookupSize = 1000;

/** What is known of a sale. */
interface KnownSale {
  /** Of its first report; undefined: Stripe’s events say what it is. */
  currency: string | undefined;
  amount: number;
  refunded: number;
}

/** The sales that reports go to. */
export interface SaleReports {
  /** Stores a report that arrives at `now`, in ms since 1970. */
  report(report: SaleReport, now: number): Promise<'new' | 'changed' | 'known' | 'otherCurrency'>;
  /** What is known of the sales with these ids. */
  known(ids: readonly string[]): Promise<Map<string, KnownSale>>;
}

/** What an import does to the stored sales. */
export interface ImportPlan {
  /** Sales that are new, by their place in the file. */
  added: number;
  /** Known sales of which more was refunded. */
  changed: number;
  known: number;
  /** The reports that change something. */
  reports: { report: SaleReport; line: number }[];
  /** A sentence for each line in another currency than the known sale or an earlier line with its id. */
  errors: string[];
}

/** Finds out what an import would do. */
export async function planImport(file: SalesFile, sales: SaleReports): Promise<ImportPlan> {
  const plan: ImportPlan = { added: 0, changed: 0, known: 0, reports: [], errors: [] };
  const seen = new Map<string, KnownSale>();
  for (let i = 0; i < file.sales.length; i += lookupSize) {
    const batch = file.sales.slice(i, i + lookupSize);
    for (const [id, one] of await sales.known(batch.map(({ id }) => id))) {
      if (!seen.has(id)) seen.set(id, one);
    }
    batch.forEach((report, n) => {
      const line = file.lines[i + n] ?? 0;
      const before = seen.get(report.id);
      const { currency, amount, refunded, asOf } = report;
      if (!before) {
        seen.set(report.id, { currency, amount, refunded });
        plan.added += 1;
        plan.reports.push({ report, line });
        return;
      }
      if (before.currency !== undefined && before.currency !== currency) {
        plan.errors.push(otherCurrencyAt(line));
        return;
      }
      const isChange =
        before.currency !== undefined && Math.min(refunded, before.amount) > before.refunded;
      if (isChange) seen.set(report.id, { ...before, refunded });
      if (isChange) plan.changed += 1;
      else plan.known += 1;
      // Only the store can tell what a report with its own time changes. Beside Stripe’s events one is kept.
      const isToStore = isChange || asOf !== undefined || before.currency === undefined;
      if (isToStore) plan.reports.push({ report, line });
    });
  }
  return plan;
}

const otherCurrencyAt = (line: number) =>
  `Line ${line}, column currency: ${sentences.OTHER_CURRENCY}`;

export interface Imported {
  added: number;
  changed: number;
  known: number;
  /** A sentence for each line that was rejected after all, because somebody else stored its sale meanwhile. */
  rejected: string[];
}

/** Stores the reports of a plan in batches. A repetition after an interruption counts no sale twice. */
export async function storeImport(
  plan: ImportPlan,
  { file, sales, now }: { file: SalesFile; sales: SaleReports; now: number },
): Promise<Imported> {
  const imported: Imported = { added: 0, changed: 0, known: 0, rejected: [] };
  for (let i = 0; i < plan.reports.length; i += batchSize) {
    const batch = plan.reports.slice(i, i + batchSize);
    const results = await Promise.all(batch.map(({ report }) => sales.report(report, now)));
    results.forEach((result, n) => {
      if (result === 'new') imported.added += 1;
      if (result === 'changed') imported.changed += 1;
      if (result === 'otherCurrency') imported.rejected.push(otherCurrencyAt(batch[n]?.line ?? 0));
    });
  }
  const { added, changed, rejected } = imported;
  return { ...imported, known: file.sales.length - added - changed - rejected.length };
}
