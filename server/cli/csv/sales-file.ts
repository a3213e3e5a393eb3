/** Reads the owner's CSV file of sales. */
import { salesCsv } from '../../analytics/bulk/csv-formats.ts';
import { reportOf, sale } from '../../analytics/sale.ts';
import type { SaleReport } from '../../sales/report-sql.ts';
import { type FileErrors, type Line, readCsv } from './csv-file.ts';

const requiredColumns = ['id', 'amount', 'currency'];
const numericColumns: readonly string[] = ['amount', 'refunded', 'disputed'];

export interface SalesFile {
  sales: SaleReport[];
  /** The number of the line of each sale. */
  lines: number[];
  /** By line and column. */
  errors: FileErrors;
}

/**
 * Reads every row and validates it like `POST /api/conversions`. Sales without a time get `now`, in
 * milliseconds since 1970. Throws `COMMAND_FAILED` when the file is not a CSV file of sales.
 */
export async function readSales(bytes: AsyncIterable<Uint8Array>, now: number): Promise<SalesFile> {
  const sales: SaleReport[] = [];
  const lines: number[] = [];
  const columns = [...salesCsv.columns, 'as_of'];
  const required = requiredColumns;
  const errors = await readCsv(bytes, { columns, required }, ({ number, cells }) => {
    const result = sale.safeParse(inputOf(cells));
    if (result.success) {
      sales.push(reportOf(result.data, now));
      lines.push(number);
    }
    return (result.error?.issues ?? []).map(
      ({ path, message }) => `Line ${number}, column ${path.join('.')}: ${message}`,
    );
  });
  return { sales, lines, errors };
}

/** The cells with numeric columns as numbers, where they are whole numbers. */
const inputOf = (cells: Line['cells']) =>
  Object.fromEntries(
    Object.entries(cells).map(([column, cell]) => [
      column,
      numericColumns.includes(column) && /^-?\d+$/.test(cell) ? Number(cell) : cell,
    ]),
  );
