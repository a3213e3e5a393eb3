/** The owner's file of sales, the same going out as coming in. */
import { salesCsv } from '../analytics/csv-formats.ts';
import { conversionOf, sale } from '../analytics/sale.ts';
import type { Conversion } from '../analytics/store.ts';
import { type Faults, type Line, readCsv } from './csv-file.ts';

const neededColumns = ['id', 'amount', 'currency'];
const numbers: readonly string[] = ['amount', 'refunded', 'disputed'];

export interface SalesFile {
  sales: Conversion[];
  /** What is wrong with which line and column. */
  faults: Faults;
}

/** Reads and checks every row by the rules of `POST /api/conversions`. Throws `Refusal` when it is no such file. */
export async function readSales(bytes: AsyncIterable<Uint8Array>, now: number): Promise<SalesFile> {
  const sales: Conversion[] = [];
  const { columns } = salesCsv;
  const faults = await readCsv(bytes, { columns, needed: neededColumns }, ({ number, cells }) => {
    const result = sale.safeParse(contentOf(cells));
    if (result.success) sales.push(conversionOf(result.data, now));
    return (result.error?.issues ?? []).map(
      ({ path, message }) => `Line ${number}, column ${path.join('.')}: ${message}`,
    );
  });
  return { sales, faults };
}

/** A number is a number. */
const contentOf = (cells: Line['cells']) =>
  Object.fromEntries(
    Object.entries(cells).map(([column, cell]) => [
      column,
      numbers.includes(column) && /^-?\d+$/.test(cell) ? Number(cell) : cell,
    ]),
  );
