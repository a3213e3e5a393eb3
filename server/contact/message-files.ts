/** The messages as files: for a spreadsheet, and for another program. */
import type { CsvFormat } from '../analytics/csv.ts';
import { listed } from './inbox.ts';
import type { StoredMessage } from './store.ts';

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

/** An array of the messages as `GET /api/messages` tells them, one a line. */
export async function* messagesJson(rows: AsyncIterable<StoredMessage>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rows) {
    yield before + JSON.stringify(listed(row));
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}
