/** The CSV export of visitor activity. */
import type { CsvFormat } from '../../text/csv.ts';
import { isoOf } from '../../time/iso.ts';
import type { ImportedEvent } from '../model.ts';

/** Events: page views, clicks, opened checkouts and booked calls. */
export const activityCsv: CsvFormat<ImportedEvent> = {
  columns: ['activity', 'timestamp', 'button', 'source'],
  cellsOf: ({ activity, at, button, source }) => [activity, isoOf(at), button ?? '', source ?? ''],
};
