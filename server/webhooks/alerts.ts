/** Sends owner alerts to the webhook receiver. */

import type { Log } from '../log.ts';
import { repeat } from '../repeat.ts';
import { dayMs, minuteMs } from '../time/units.ts';
import type { AlertData } from './event.ts';
import type { WebhookStore } from './store.ts';

export interface AlertOptions {
  currentAlerts: () => Promise<readonly AlertData[]>;
  store: Pick<WebhookStore, 'queue'>;
  worker: { wake(): void };
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Queues an event for each new alert, at once and every five minutes. Returns the function that stops it. */
export const announceAlerts = (options: AlertOptions): (() => void) =>
  repeat(
    5 * minuteMs,
    () => queueAlerts(options),
    (error) => options.log.error({ error }, 'webhooks: could not read the alerts; will retry'),
  );

/**
 * Queues an event for each alert, once a UTC day for each kind, whichever instance is first. Skips the
 * alert about the receiver itself.
 */
export async function queueAlerts({ currentAlerts, store, worker, now }: AlertOptions) {
  for (const { kind, text } of await currentAlerts()) {
    if (kind === 'webhooks') continue;
    const at = now();
    const id = `alert-raised-${kind}-${Math.floor(at / dayMs)}`;
    if (await store.queue({ id, at, type: 'alert.raised', data: { kind, text } }, at))
      worker.wake();
  }
}
