/** Exports of all messages, as CSV and as JSON. */
import type { CsvFormat } from '../analytics/csv.ts';
import { listed } from './inbox.ts';
import type { StoredMessage } from './store.ts';

/** Columns of the CSV export. */
export const messagesCsv: CsvFormat<StoredMessage> = {
  columns: [
    'id',
    'received',
    'folder',
    'read',
    'name',
    'email',
    'company',
    'message',
    'suspicions',
    'delivery',
    'delivery_error',
  ],
  cellsOf: ({ receivedAt, company, suspicions, delivery, ...message }) => [
    message.id,
    new Date(receivedAt).toISOString(),
    message.folder,
    message.isRead ? 'yes' : 'no',
    message.name,
    message.email,
    company ?? '',
    message.message,
    suspicions.join(' '),
    delivery?.state ?? '',
    delivery && 'error' in delivery ? (delivery.error ?? '') : '',
  ],
};

/** Yields a JSON array of messages, as `GET /api/messages` returns them, one per line. */
export async function* messagesJson(rows: AsyncIterable<StoredMessage>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const row of rows) {
    yield separator + JSON.stringify(listed(row));
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]\n' : '[]\n';
}
