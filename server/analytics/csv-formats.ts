/** The two files there are: of sales, and of what visitors did. */
import type { CsvFormat } from './csv.ts';
import type { Conversion, ImportedEvent } from './store.ts';

/** Sales, with amounts in cents, as on the wire. */
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
    'control',
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
    sale.control ?? '',
  ],
};

/** What is counted: views, clicks, opened checkouts and booked calls. */
export const activityCsv: CsvFormat<ImportedEvent> = {
  columns: ['activity', 'timestamp', 'control', 'source'],
  cellsOf: ({ activity, at, control, source }) => [
    activity,
    isoOf(at),
    control ?? '',
    source ?? '',
  ],
};

/** To the millisecond. */
const isoOf = (at: number) => new Date(at).toISOString();
