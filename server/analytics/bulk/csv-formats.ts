/** The columns of the two CSV exports: sales and visitor activity. */
import type { CsvFormat } from '../../text/csv.ts';
import { isoOf } from '../../time/iso.ts';
import type { Conversion, ImportedEvent } from '../model.ts';

/** Sales; amounts in the currency’s smallest unit, as in the API. */
export const salesCsv: CsvFormat<Conversion> = {
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

/** Events: page views, clicks, opened checkouts and booked calls. */
export const activityCsv: CsvFormat<ImportedEvent> = {
  columns: ['activity', 'timestamp', 'button', 'source'],
  cellsOf: ({ activity, at, button, source }) => [activity, isoOf(at), button ?? '', source ?? ''],
};

/** ISO 8601 with milliseconds. */
