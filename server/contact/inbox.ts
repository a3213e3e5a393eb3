/** The owner’s inbox: schemas, responses and exports. */
import { z } from 'zod';
import { eachField, type FieldName, fieldsWith } from '../contract/contact-fields.ts';
import { deliveryOutput, listedDelivery } from '../email/listed-delivery.ts';
import type { CsvFormat } from '../text/csv.ts';
import { cursor } from '../text/cursor.ts';
import { count, isoTime, omittable, withoutNulls } from '../text/outputs.ts';
import { storableText } from '../text/storable.ts';
import { isoOf } from '../time/iso.ts';
import { folders, type StoredMessage, spamSigns } from './message.ts';
import type { ContactStore } from './store.ts';

/** Maximum messages per page. */
const pageSize = 50;

const folder = z.enum(folders, 'The folder must be inbox, archive or spam.');

const pageCursor = cursor(
  z.object({ isRead: z.boolean(), receivedAt: z.int(), id: storableText.max(200) }),
);

/** Input of `contact.messages`: the folder, the search text and the cursor of the previous page. */
export const listInput = z.object({
  folder: folder.optional(),
  search: storableText.trim().max(200, 'Please search for less.').optional(),
  after: pageCursor.input.optional(),
});

/** Input of `contact.sort`: message ids, and their new folder or read state. */
export const sortInput = z.object(
  {
    ids: z
      .array(storableText.max(200), 'Please name the messages by their ids.')
      .min(1, 'Please name the messages by their ids.')
      .max(1000, 'Please name a thousand messages at most.'),
    folder: folder.optional(),
    isRead: z.boolean('isRead must be true or false.').optional(),
  },
  'Please send an object with ids, and folder or isRead.',
);

/** Input of `contact.emptySpam`: spam received until this time is deleted. */
export const emptySpamInput = z.object(
  {
    until: z.iso
      .datetime({ offset: true, error: 'until must be an ISO timestamp with a time zone.' })
      .transform((text) => Date.parse(text)),
  },
  'Please send an object with until.',
);

/** A message of the inbox. */
export const messageOutput = z
  .object({
    id: z.string(),
    receivedAt: isoTime,
    ...fieldsWith(z.string(), z.string().exactOptional()),
    folder,
    isRead: z.boolean(),
    suspicions: omittable(z.array(z.enum(spamSigns))).describe(
      'Signs of spam. A message in the inbox may have one.',
    ),
    delivery: omittable(deliveryOutput),
  })
  .meta({ id: 'Message' });

/** Output of `contact.messages`. */
export const pageOutput = z.object({
  folder,
  messages: z.array(messageOutput),
  next: omittable(z.string()).describe('Send it as `after` for the next page.'),
  counts: z.record(z.enum(folders), z.object({ all: count, unread: count })),
  asOf: isoTime.describe(
    'Messages received until then are complete in this page: none is still being written.',
  ),
  isMailed: z.boolean().describe('Whether a mail server is configured.'),
});

/** Returns one page of a folder. `next` is the cursor of the following page, sent back as `after`. */
export async function pageOf(
  contact: ContactStore,
  { folder = 'inbox', search, after }: z.output<typeof listInput> = {},
) {
  const options = { folder, after, search: search || undefined, limit: pageSize };
  const [page, counts] = await Promise.all([contact.page(options), contact.counts()]);
  const last = page.messages.at(-1);
  return {
    folder,
    messages: page.messages.map(listed),
    next: page.hasMore && last ? pageCursor.of(last) : undefined,
    counts,
  };
}

/** Returns a message as the API sends it, without its empty fields. */
export function listed({ receivedAt, suspicions, delivery, ...rest }: StoredMessage) {
  return {
    ...withoutNulls(rest),
    receivedAt: isoOf(receivedAt),
    suspicions: suspicions.length > 0 ? suspicions : undefined,
    delivery: delivery && listedDelivery(delivery),
  };
}

type Cell = (message: StoredMessage) => string;

const fieldCell =
  (name: FieldName): Cell =>
  (message) =>
    message[name] ?? '';

/** The cells of a message by their column. */
const csvCells: Record<string, Cell> = {
  id: ({ id }) => id,
  received: ({ receivedAt }) => isoOf(receivedAt),
  folder: ({ folder }) => folder,
  read: ({ isRead }) => (isRead ? 'yes' : 'no'),
  ...eachField(fieldCell, fieldCell),
  suspicions: ({ suspicions }) => suspicions.join(' '),
  delivery: ({ delivery }) => delivery?.state ?? '',
  delivery_error: ({ delivery }) => (delivery && 'error' in delivery ? (delivery.error ?? '') : ''),
};

/** The format of the CSV export. */
export const messagesCsv: CsvFormat<StoredMessage> = {
  columns: Object.keys(csvCells),
  cellsOf: (message) => Object.values(csvCells).map((cell) => cell(message)),
};
