/** The CSV export of sales. */
import type { CsvFormat } from '../text/csv.ts';
import { isoOf } from '../time/iso.ts';
import type { Sale } from './sale.ts';

/** Sales; amounts in the currency’s smallest unit, as in the API. */
export const salesCsv: CsvFormat<Sale> = {
  columns: [
    'id',
    'amount',
    'currency',
    'email',
    'source',
    'timestamp',
    'refunded',
    'disputed',
    'first_source',
    'button',
  ],
  cellsOf: (sale) => [
    sale.id,
    String(sale.amount),
    sale.currency,
    sale.email ?? '',
    sale.source ?? '',
    isoOf(sale.at),
    String(sale.refunded),
    String(sale.disputed),
    sale.firstSource ?? '',
    sale.button ?? '',
  ],
};
