/** The CSV export of sales. */
import type { CsvFormat } from '../text/csv.ts';
import { isoOf } from '../time/iso.ts';
import { type Sale, saleRow } from './sale.ts';

const columns = [
  ...(['id', 'amount', 'currency', 'email', 'source', 'timestamp'] as const),
  ...(['refunded', 'disputed', 'first_source', 'button'] as const),
];

/** Sales; amounts in the currency’s smallest unit, as in the API. */
export const salesCsv: CsvFormat<Sale> = {
  columns,
  cellsOf(sale) {
    const cells = { ...saleRow(sale), timestamp: isoOf(sale.at) };
    return columns.map((column) => String(cells[column] ?? ''));
  },
};
