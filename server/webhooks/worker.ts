/** Starts what sends the owner's webhooks. */
import { startOutboxWorker } from '../email/outbox-worker.ts';
import type { Log } from '../log.ts';
import { createEventDelivery, type ReceiverOptions } from './deliver.ts';
import type { WebhookStore } from './store.ts';

const messages = {
  id: 'eventId',
  refusedFinally: 'webhooks: the receiver is gone (410), sends nothing more until the next start',
  gaveUp: 'webhooks: an event was refused eleven times; will retry once a day',
  failed: 'webhooks: could not deliver an event; will retry',
  unstored: 'webhooks: could not store the result of an event; will retry',
  unread: 'webhooks: could not read the queue; will retry',
};

/** Starts the worker of this instance. Several instances may share one outbox. */
export const startWebhooks = ({
  receiver,
  ...options
}: {
  receiver: ReceiverOptions;
  store: WebhookStore;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}) => startOutboxWorker({ ...options, deliver: createEventDelivery(receiver), messages });
