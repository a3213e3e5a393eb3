/** The owner's inbox on the wire: which messages are asked for, and how they are told. */
import { z } from 'zod';
import { storableText } from '../text/storable.ts';
import { type ContactStore, folders, type PagePosition, type StoredMessage } from './store.ts';

/** Messages of one answer. */
const pageLength = 50;

const folder = z.enum(folders, 'The folder must be inbox, archive or spam.');

/** Which folder, which words, and where the page before has ended. */
export const listInput = z
  .object({
    folder: folder.optional(),
    search: storableText.trim().max(200, 'Please search for less.').optional(),
    after: z.string().optional(),
  })
  .transform(({ after, ...rest }, { addIssue }) => {
    const place = after === undefined ? undefined : placeOf(after);
    if (after !== undefined && !place) {
      addIssue({
        code: 'custom',
        path: ['after'],
        message: 'This is no place in this list. Please take it from the answer before.',
      });
    }
    return { ...rest, after: place };
  });

/** Which messages, and what is to become of them. */
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

/** The time until which spam is deleted. */
export const emptySpamInput = z.object(
  {
    until: z.iso
      .datetime({ offset: true, error: 'until must be an ISO timestamp with a time zone.' })
      .transform((text) => Date.parse(text)),
  },
  'Please send an object with until.',
);

/** One page of a folder, and `next` while there is another: to be sent back as `after`. */
export async function pageOf(
  contact: ContactStore,
  { folder = 'inbox', search, after }: z.output<typeof listInput>,
) {
  const options = { folder, after, search: search || undefined, limit: pageLength + 1 };
  const [found, counts] = await Promise.all([contact.page(options), contact.counts()]);
  const end = found[pageLength - 1];
  return {
    folder,
    messages: found.slice(0, pageLength).map(listed),
    ...(found.length > pageLength && end && { next: cursorOf(end) }),
    counts,
  };
}

/** A message on the wire; what is not there is left out. */
export function listed({ receivedAt, company, suspicions, delivery, ...rest }: StoredMessage) {
  return {
    ...rest,
    receivedAt: isoOf(receivedAt),
    ...(company !== null && { company }),
    ...(suspicions.length > 0 && { suspicions }),
    ...(delivery && { delivery: listedDelivery(delivery) }),
  };
}

function listedDelivery(delivery: NonNullable<StoredMessage['delivery']>) {
  if (delivery.state === 'sent') return { state: delivery.state, at: isoOf(delivery.at) };
  const error = delivery.error === null ? {} : { error: delivery.error };
  return delivery.state === 'refused'
    ? { state: delivery.state, at: isoOf(delivery.at), ...error }
    : {
        state: delivery.state,
        dueAt: isoOf(delivery.dueAt),
        attempts: delivery.attempts,
        ...error,
      };
}

const isoOf = (at: number) => new Date(at).toISOString();

/** A place as text without meaning to whoever sends it back. */
const cursorOf = ({ isRead, receivedAt, id }: PagePosition) =>
  Buffer.from(JSON.stringify([isRead, receivedAt, id])).toString('base64url');

const placeIn = z.tuple([z.boolean(), z.int(), storableText.max(200)]);

/** The place that a cursor stands for; undefined when it is none. */
function placeOf(cursor: string): PagePosition | undefined {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  const { success, data } = placeIn.safeParse(content);
  if (!success) return undefined;
  const [isRead, receivedAt, id] = data;
  return { isRead, receivedAt, id };
}
