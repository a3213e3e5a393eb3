/** What the owner sees before an import. */
import { z } from 'zod';
import { count, isoTime } from '../../text/outputs.ts';
import { isoOf } from '../../time/iso.ts';
import { type FormatName, formats } from './formats.ts';
import type { ImportPlan } from './import-sales.ts';
import { importOptions } from './options.ts';
import type { SalesFile } from './read-sales.ts';

/** Sales that are shown as they will be stored. */
const shownSales = 5;

/** Lines that are listed with the reason why they are left out. */
const shownLines = 50;

const preview = z.object({
  format: z.enum(['own', ...(Object.keys(formats) as FormatName[])]),
  delimiter: z.string(),
  header: z.array(z.string()),
  hasOpenDates: z
    .boolean()
    .describe('Whether nothing in the file says if the day or the month comes first.'),
  options: importOptions.nullable().describe('How it was read; null for our own format.'),
  rows: z
    .array(
      z.object({
        line: count,
        id: z.string(),
        timestamp: isoTime,
        amount: z.int(),
        refunded: z.int(),
        disputed: z.int(),
        currency: z.string(),
        email: z.string().nullable(),
        source: z.string().nullable(),
      }),
    )
    .describe('The first five sales.'),
  totals: z.array(
    z.object({ currency: z.string(), sales: count, amount: z.int(), refunded: z.int() }),
  ),
  dates: z
    .object({ first: isoTime, last: isoTime })
    .nullable()
    .describe('The time of the oldest and of the newest sale; null without sales.'),
  added: count,
  changed: count,
  known: count,
  skipped: z.object({
    count,
    shown: z.array(z.object({ line: count, reason: z.string() })),
  }),
  errors: z
    .object({ count, shown: z.array(z.string()) })
    .describe('Lines with an error: as long as there are any, nothing can be imported.'),
});

/** Output of `analytics.previewImport`: the preview, or why the file cannot be read. */
export const previewOutput = z.union([
  z.object({ problem: z.null(), preview }),
  z.object({ problem: z.string(), preview: z.null() }),
]);

/** Sums up a file and what its import would do. Amounts are in the smallest unit of their currency. */
export function previewOf(file: SalesFile, plan: ImportPlan): z.input<typeof preview> {
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
    format,
    delimiter,
    header,
    hasOpenDates,
    options: options ?? null,
    rows: file.sales.slice(0, shownSales).map((sale, i) => ({
      ...sale,
      line: file.lines[i] ?? 0,
      timestamp: isoOf(sale.at),
    })),
    totals: [...totals].map(([currency, sum]) => ({ currency, ...sum })),
    dates:
      file.sales.length === 0
        ? null
        : { first: new Date(first).toISOString(), last: new Date(last).toISOString() },
    added: plan.added,
    changed: plan.changed,
    known: plan.known,
    skipped: { count: skipped.length, shown: skipped.slice(0, shownLines) },
    errors: {
      count: errors.count + plan.errors.length,
      shown: [...errors.shown, ...plan.errors].slice(0, shownLines),
    },
  };
}
