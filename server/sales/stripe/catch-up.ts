/**
 * Fetches events from Stripe that were not delivered: while the site was down, or before it had a webhook.
 * They take the same path as deliveries, so each event counts once.
 */

import { dayMs } from '../../time/units.ts';
import { openStripe, type StripeAccess } from './api.ts';
import { eventTypes } from './facts.ts';
import { createIngest, type IngestOptions } from './ingest.ts';

/** How long Stripe stores events, and how long it retries a delivery, in ms. */
export const eventRetentionMs = 30 * dayMs;
const deliveryRetryMs = 3 * dayMs;

export interface CatchUpOptions extends IngestOptions, StripeAccess {
  /** First event to fetch, in ms since 1970, UTC; by default, three days before the newest stored event. */
  since?: number;
}

/** An event that was not stored before it was fetched. */
export interface MissedEvent {
  type: string;
  /** Milliseconds since 1970, UTC. */
  createdAt: number;
}

/** Fetches and stores all events since `since`; returns those that were new. */
export async function catchUp(
  { apiKey, endpoint, since, ...options }: CatchUpOptions,
  stopped: AbortSignal,
): Promise<MissedEvent[]> {
  const { store, now, log } = options;
  const ingest = createIngest(options);
  const stripe = await openStripe({ apiKey, endpoint });
  const newest = await store.newest();
  const start =
    since ??
    Math.max(now() - eventRetentionMs, newest === undefined ? 0 : newest - deliveryRetryMs);
  const query = { created: { gte: Math.floor(start / 1000) }, types: eventTypes, limit: 100 };
  const fetched: { type: string; created: number }[] = [];
  for await (const body of stripe.events.list(query)) {
    if (stopped.aborted) return [];
    fetched.push(body);
  }
  // Stripe lists the newest first. The oldest is stored first, so that after an interruption the next run
  // starts at the newest stored event and misses none.
  const missed: MissedEvent[] = [];
  for (const body of fetched.reverse()) {
    if (stopped.aborted) return missed;
    const isNew = await ingest(body, JSON.stringify(body));
    if (isNew) missed.push({ type: body.type, createdAt: body.created * 1000 });
  }
  if (missed.length > 0) log.info({ events: missed.length }, 'Stripe sync: stored missed events');
  return missed;
}
