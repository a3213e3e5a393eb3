/**
 * Asks Stripe for what it told and we did not hear: while the site was down, or before it had a
 * webhook. What comes this way goes through the same inbox, where each event counts once.
 */

import { openStripe, type StripeAccess } from './api.ts';
import { eventTypes } from './facts.ts';
import { createIngest, type IngestOptions } from './ingest.ts';

const day = 24 * 60 * 60_000;

/** How long Stripe keeps events, and for how long it goes on delivering one, in ms. */
export const kept = 30 * day;
const retried = 3 * day;

export interface CatchUpOptions extends IngestOptions, StripeAccess {
  /** Asks from then on, in ms since 1970; when absent, a little before the newest the inbox knows of. */
  since?: number;
}

/** An event that was not in the inbox until Stripe was asked. */
export interface Missed {
  type: string;
  /** Milliseconds since 1970, UTC. */
  createdAt: number;
}

/** Takes every event that Stripe still has to tell; returns those that were new to the inbox. */
export async function catchUp(
  { apiKey, endpoint, since, ...options }: CatchUpOptions,
  stopped: AbortSignal,
): Promise<Missed[]> {
  const { store, now, log } = options;
  const take = createIngest(options);
  const stripe = await openStripe({ apiKey, endpoint });
  const newest = await store.newest();
  const start = since ?? Math.max(now() - kept, newest === undefined ? 0 : newest - retried);
  const query = { created: { gte: Math.floor(start / 1000) }, types: eventTypes, limit: 100 };
  const told: { type: string; created: number }[] = [];
  for await (const body of stripe.events.list(query)) {
    if (stopped.aborted) return [];
    told.push(body);
  }
  // Stripe begins with the newest. The oldest is taken first: should this be cut off, the next time
  // begins at the newest that was taken, and misses none.
  const missed: Missed[] = [];
  for (const body of told.reverse()) {
    if (stopped.aborted) return missed;
    const isNew = await take(body, JSON.stringify(body));
    if (isNew) missed.push({ type: body.type, createdAt: body.created * 1000 });
  }
  if (missed.length > 0) log.info({ events: missed.length }, 'caught up with Stripe');
  return missed;
}
