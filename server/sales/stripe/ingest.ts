/** Stores Stripe's events, whether they were delivered or fetched. */
import type { Log } from '../../log.ts';
import { eventOf } from './facts.ts';
import type { PaymentStore } from './store.ts';

export interface IngestOptions {
  store: PaymentStore;
  /** Whether test payments count: they do until the site has a public address. */
  acceptsTestPayments: boolean;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** Called once an event is stored that was not known before. */
  onStored?: (() => void) | undefined;
  log: Log;
}

/**
 * Stores an event, given as parsed body and as JSON. When it resolves, the event is on disk and its sale is
 * counted; false for an event that was stored before or does not count: a test payment, or one of another account. Throws a
 * ZodError when the body is not a valid event.
 */
export type Ingest = (body: unknown, payload: string) => Promise<boolean>;

export function createIngest({
  store,
  acceptsTestPayments,
  now,
  onStored = () => {},
  log,
}: IngestOptions): Ingest {
  return async (body, payload) => {
    const event = eventOf(body);
    if (event.isForeign) {
      log.warn({ event: event.id }, 'Stripe: ignored an event of a connected account');
      return false;
    }
    if (!event.isLive && !acceptsTestPayments) {
      log.warn({ event: event.id }, 'Stripe: ignored a test payment on the live site');
      return false;
    }
    const isNew = await store.receive({ event, payload, receivedAt: now() });
    if (isNew) onStored();
    return isNew;
  };
}
