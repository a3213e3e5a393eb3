/**
 * Keeps an eye on Stripe: asks at start and every hour for what was missed, then compares what both
 * sides count, and remembers what it found for the owner.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { storageErrorSentence } from '../health/storage-errors.ts';
import { isLiveKey, type StripeAccess } from './api.ts';
import { catchUp, kept } from './catch-up.ts';
import type { IngestOptions } from './ingest.ts';
import { type Reconciliation, reconcile } from './reconcile.ts';

const minute = 60_000;

/** Milliseconds from round to round, and until what differs is looked at again. */
const pace = { every: 60 * minute, again: 3 * minute };

/** An event that was not delivered within this time, in ms, will not be: Stripe takes seconds. */
const underWay = 10 * minute;

/** The events that the owner was asked to have delivered; the others are only asked for. */
const delivered = /^(checkout\.session|refund|charge\.dispute)\./;

export interface StripeSyncOptions extends IngestOptions, Pick<StripeAccess, 'endpoint'> {
  /** Without one, Stripe cannot be asked. */
  apiKey: string | undefined;
  /** Whether Stripe delivers events here. */
  hasWebhook: boolean;
  pace?: typeof pace;
}

export interface StripeReport {
  /** When the newest event in the inbox happened by Stripe's clock, milliseconds since 1970, UTC. */
  lastEventAt: number | undefined;
  /** What the last comparison found that could be made. */
  reconciliation: Reconciliation | undefined;
  /** What keeps both from knowing of each other, in sentences for the owner. */
  alert: string | undefined;
}

export interface StripeSync {
  /** At the cost of one look into an index. Undefined: there is neither key nor webhook. */
  report(): Promise<StripeReport | undefined>;
  /** To be called for each delivery: they do arrive. */
  recordDelivery(): void;
  stop(): void;
}

/** Watches from now on, until it is stopped. */
export function startStripeSync(options: StripeSyncOptions): StripeSync {
  const { apiKey, store, hasWebhook, now, log } = options;
  const { every, again } = options.pace ?? pace;
  const startedAt = now();
  const stopping = new AbortController();
  const stopped = stopping.signal;
  const wait = (ms: number) => pause(ms, undefined, { signal: stopped, ref: false });
  let found: Reconciliation | undefined;
  let undelivered: string | undefined;
  let failure: string | undefined;

  const takeMissed = async (access: StripeAccess, since?: number) => {
    const missed = await catchUp({ ...options, ...access, ...(since && { since }) }, stopped);
    // What happened while nobody was here to open is no fault of the deliveries.
    const [late] = missed.filter(
      ({ type, createdAt }) =>
        delivered.test(type) && createdAt >= startedAt && createdAt < now() - underWay,
    );
    if (late && hasWebhook) undelivered = late.type;
  };

  const round = async (access: StripeAccess) => {
    await takeMissed(access);
    // Trials that do not count here cannot be compared.
    if (!options.acceptsTestPayments && !isLiveKey(access.apiKey)) return;
    const settle = async () => {
      await wait(again);
      await takeMissed(access, now() - kept);
    };
    found = await reconcile({ ...access, store, now, settle }, stopped);
    if (found.differ === 0) return;
    const { differ, differing } = found;
    log.error({ differ, differing }, 'Stripe and this site say different things of payments');
  };

  const rounds = async (access: StripeAccess) => {
    while (!stopped.aborted) {
      try {
        await round(access);
        failure = undefined;
      } catch (error) {
        if (stopped.aborted) return;
        if (storageErrorSentence(error) !== undefined) {
          // No fault of Stripe's, and soon over.
          log.error({ error }, 'what Stripe said could not be kept; trying again in some minutes');
          await wait(again).catch(() => {});
          continue;
        }
        const message = error instanceof Error ? error.message : String(error);
        log.error({ error: message }, 'Stripe could not be asked; trying again in an hour');
        failure = sentenceOn(error);
      }
      await wait(every).catch(() => {});
    }
  };
  if (apiKey !== undefined) void rounds({ apiKey, endpoint: options.endpoint });

  return {
    async report() {
      if (apiKey === undefined && !hasWebhook) return undefined;
      const sentences = [undelivered && sentenceOnDeliveries(undelivered), failure];
      return {
        lastEventAt: await store.newest(),
        reconciliation: found,
        alert: sentences.filter(Boolean).join(' ') || undefined,
      };
    },
    recordDelivery() {
      undelivered = undefined;
    },
    stop: () => stopping.abort(),
  };
}

const sentenceOnDeliveries = (type: string) =>
  `Stripe’s deliveries do not arrive: the site had to ask for an event ${type}. Check the address, the events and the signing secret of your webhook at Stripe.`;

/** What the owner can do about a failure. */
function sentenceOn(error: unknown): string {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'StripeAuthenticationError')
    return 'Stripe does not accept the key in STRIPE_API_KEY, so nothing can be compared with it.';
  if (type === 'StripePermissionError')
    return 'The key in STRIPE_API_KEY may not read all that is compared: Events, Checkout Sessions, PaymentIntents, Charges and Refunds, Disputes.';
  return 'Stripe could not be asked the last time. The site tries again every hour, and its log says why.';
}
