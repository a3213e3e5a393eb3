/** What Stripe says is taken in here, whether it was delivered or asked for. */
import type { Log } from '../log.ts';
import { eventOf } from './facts.ts';
import type { PaymentStore } from './store.ts';

export interface IngestOptions {
  store: PaymentStore;
  /** Whether trial payments count: they do while nobody but the owner sees the site. */
  acceptsTestPayments: boolean;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/**
 * Keeps an event, given as it was parsed and as it was written. When it resolves, the event is on disk
 * and its sale is counted. False: it was known, or is a trial that does not count here. Throws a
 * ZodError when it cannot be understood.
 */
export type Ingest = (body: unknown, payload: string) => Promise<boolean>;

export function createIngest({ store, acceptsTestPayments, now, log }: IngestOptions): Ingest {
  return async (body, payload) => {
    const event = eventOf(body);
    if (!event.isLive && !acceptsTestPayments) {
      log.warn({ event: event.id }, 'a trial payment came to the live site; it does not count');
      return false;
    }
    return store.receive({ event, payload, receivedAt: now() });
  };
}
