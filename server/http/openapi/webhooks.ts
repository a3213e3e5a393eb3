/** The webhooks of the OpenAPI document: the requests that the site sends to the owner's receiver. */
import { bodySchema, type EventType } from '../../webhooks/event.ts';
import type { Json, ToJsonSchema } from './responses.ts';

/** Summaries of the events. */
const summaries: Record<EventType, string> = {
  'message.received': 'A visitor sent a message that is not spam',
  'booking.created': 'A visitor booked a call',
  'booking.moved': 'A call was moved',
  'booking.cancelled': 'A call was cancelled',
  'sale.recorded': 'A sale was counted, once for each sale',
  'sale.refunded': 'The refunded sum of a sale changed',
  'alert.raised': 'The site needs the owner, once a day for each kind',
};

const header = (name: string, description: string, schema: Json = {}) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
});

const headers = [
  header('webhook-id', 'The same in each attempt: ignore one that you know.'),
  header('webhook-timestamp', 'The time of the attempt: seconds since 1970, UTC.', {
    pattern: '^\\d+$',
  }),
  header(
    'webhook-signature',
    'Signatures as Standard Webhooks (https://www.standardwebhooks.com) says, separated by spaces.',
    { pattern: '^v1,[\\w+/]+=*( v1,[\\w+/]+=*)*$' },
  ),
];

const responses = {
  '2XX': { description: 'Accepted.' },
  410: { description: 'The receiver is gone: the site sends nothing more until its next start.' },
  '3XX': {
    description: 'Refused: redirects are not followed, and the site sends the event again.',
  },
  '4XX': { description: 'Refused, or with 429 postponed: the site sends the event again.' },
  '5XX': { description: 'Postponed or failed: the site sends the event again.' },
};

/** Returns the webhooks by event. */
export const webhooksOf = (toJsonSchema: ToJsonSchema): Json =>
  Object.fromEntries(
    Object.entries(summaries).map(([type, summary]) => [
      type,
      {
        post: {
          operationId: type,
          tags: ['events'],
          summary,
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: toJsonSchema(bodySchema(type as EventType), 'output') },
            },
          },
          responses,
        },
      },
    ]),
  );
