/**
 * Asks Stripe for what it told and we did not hear: while the site was down, or before it had a
 * webhook. What comes this way goes through the same inbox, where each event counts once.
 */
import { createIntake, type IntakeOptions } from './intake.ts';
import { eventTypes } from './stripe-facts.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

/** How long Stripe keeps events, and for how long it goes on delivering one, in ms. */
const kept = 30 * day;
const retried = 3 * day;

export interface CatchUpOptions extends IntakeOptions {
  /** A secret or restricted key that may read events. */
  apiKey: string;
  /** Where Stripe is; another place than its own is for tests. */
  api?: { host: string; port: number; protocol: 'http' };
}

/** Catches up now and every hour; the answer ends that. */
export function catchUpHourly(options: CatchUpOptions): () => void {
  const stopped = new AbortController();
  const run = () =>
    catchUp(options, stopped.signal).catch((error: unknown) => {
      if (stopped.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      options.log.error({ error: message }, 'Stripe could not be asked; trying again in an hour');
    });
  void run();
  const timer = setInterval(run, hour);
  timer.unref();
  return () => {
    clearInterval(timer);
    stopped.abort();
  };
}

/** Takes every event since the last days that the inbox knows of; returns how many were new to it. */
export async function catchUp(
  { apiKey, api, ...options }: CatchUpOptions,
  stopped: AbortSignal,
): Promise<number> {
  const { store, now, log } = options;
  const take = createIntake(options);
  const { default: Stripe } = await import('stripe');
  const stripe = new Stripe(apiKey, { ...api, telemetry: false, maxNetworkRetries: 2 });
  const newest = await store.newest();
  const since = Math.max(now() - kept, newest === undefined ? 0 : newest - retried);
  const query = { created: { gte: Math.floor(since / 1000) }, types: eventTypes, limit: 100 };
  const told: unknown[] = [];
  for await (const body of stripe.events.list(query)) {
    if (stopped.aborted) return 0;
    told.push(body);
  }
  let fresh = 0;
  // Stripe begins with the newest. The oldest is taken first: should this be cut off, the next time
  // begins at the newest that was taken, and misses none.
  for (const body of told.reverse()) {
    if (stopped.aborted) return fresh;
    if (await take(body, JSON.stringify(body))) fresh += 1;
  }
  if (fresh > 0) log.info({ events: fresh }, 'caught up with Stripe');
  return fresh;
}
