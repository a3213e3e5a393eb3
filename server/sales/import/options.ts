/** How to read a file of sales that is not in our own format. */
import { z } from 'zod';
import type { CsvRow } from '../../text/csv-rows.ts';
import { timeZoneInput } from '../../text/inputs.ts';
import { decimalStyleOf, decimalStyles } from './amount.ts';
import { isDayFirstIn } from './date.ts';
import { type Field, type Format, fields } from './formats.ts';

export const importOptions = z.object({
  /** The column of each field, as the header names it. */
  columns: z.partialRecord(z.enum(fields), z.string().max(200)),
  /** The currency of all sales, when no column names it. */
  currency: z.string().max(3),
  decimals: z.enum(decimalStyles),
  isDayFirst: z.boolean(),
  timeZone: timeZoneInput,
});

export type ImportOptions = z.output<typeof importOptions>;

/** Rows that say how amounts are written: the others are checked against it. */
const sampledRows = 2000;

/**
 * The likely options. `hasOpenDates` says that the day and the month of all dates can be swapped, so that
 * the owner must choose.
 */
export function likelyOptions(
  header: readonly string[],
  { format, rows, timeZone }: { format: Format; rows: readonly CsvRow[]; timeZone: string },
): { options: ImportOptions; hasOpenDates: boolean } {
  const columns: ImportOptions['columns'] = {};
  for (const field of fields) {
    const column = columnIn(header, format.columns[field]);
    if (column !== undefined) columns[field] = column;
  }
  const keyOf = (field: Field) => columns[field]?.toLowerCase() ?? '';
  const [amount, date, currency] = [keyOf('amount'), keyOf('date'), keyOf('currency')];
  const amounts = rows.slice(0, sampledRows).map(({ cells }) => ({
    text: cells[amount] ?? '',
    currency: (cells[currency] ?? format.currency).toUpperCase(),
  }));
  const isDayFirst = isDayFirstIn(rows.map(({ cells }) => cells[date] ?? ''));
  return {
    options: {
      columns,
      currency: format.currency,
      decimals: decimalStyleOf(amounts, format.whole),
      isDayFirst: isDayFirst ?? false,
      timeZone: format.timeZone ?? timeZone,
    },
    hasOpenDates: isDayFirst === undefined,
  };
}

/** The first of these columns, in lower case, that the header has, as it is written there. */
export function columnIn(
  header: readonly string[],
  names: readonly string[] = [],
): string | undefined {
  const name = names.find((one) => header.some((own) => own.toLowerCase() === one));
  return header.find((own) => own.toLowerCase() === name);
}
