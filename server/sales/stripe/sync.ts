/**
 * Fetches missed events and fees from Stripe and reconciles payments, at start and every hour. Stores the result
 * for the dashboard.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { storageErrorSentence } from '../../health/storage-errors.ts';
import { hourMs, minuteMs } from '../../time/units.ts';
import {
  isLiveKey,
  isPermissionError,
  keyErrorSentence,
  openStripe,
  type StripeAccess,
} from './api.ts';
import { catchUp, eventRetentionMs } from './catch-up.ts';
import { oldestVersion } from './facts.ts';
import { fetchFees } from './fees.ts';
import type { IngestOptions } from './ingest.ts';
import { type Reconciliation, reconcile } from './reconcile.ts';
import type { Delivery } from './webhook.ts';

/**
 * Milliseconds between rounds, before a retry or the second comparison of a round, and between two looks whether Stripe
 * still takes the key: an alert comes within five minutes.
 */
const intervals = { roundMs: hourMs, retryMs: 3 * minuteMs, lookMs: 4 * minuteMs };

/** Stripe delivers within seconds: an event not delivered after this time counts as undelivered. */
const deliveryTimeMs = 10 * minuteMs;

/** The event types that the setup guide tells the owner to deliver; others are only fetched. */
const deliveredTypes = /^(checkout\.session|refund|charge\.dispute)\.|^charge\.captured$/;

export interface StripeSyncOptions extends IngestOptions, Pick<StripeAccess, 'endpoint'> {
  /** Undefined disables fetching and reconciling. */
  apiKey: string | undefined;
  /** Returns the owner's currency, ISO 4217 in upper case. */
  currency: () => Promise<string>;
  /** Whether the webhook is configured. */
  hasWebhook: boolean;
  intervals?: typeof intervals;
}

export interface StripeReport {
  /** When the newest stored event was created, milliseconds since 1970, UTC. */
  lastEventAt: number | undefined;
  /** Result of the last successful comparison. */
  reconciliation: Reconciliation | undefined;
  /** Why the sync or the deliveries fail, in sentences for the owner. */
  alert: string | undefined;
}

export interface StripeSync {
  /** Returns the current state, with index lookups; undefined without both key and webhook. */
  report(): Promise<StripeReport | undefined>;
  /** Records a delivery. One of this account ends the alert about missing deliveries. */
  recordDelivery(delivery: Delivery): void;
  stop(): void;
}

/** Starts the sync; it runs until `stop`. */
export function startStripeSync(options: StripeSyncOptions): StripeSync {
  const { apiKey, store, hasWebhook, now, log } = options;
  const { roundMs, retryMs, lookMs } = options.intervals ?? intervals;
  const startedAt = now();
  const stopping = new AbortController();
  const stopped = stopping.signal;
  const wait = (ms: number) => pause(ms, undefined, { signal: stopped, ref: false });
  let reconciliation: Reconciliation | undefined;
  let undelivered: string | undefined;
  let outdated: string | undefined;
  let isConnect = false;
  let failure: string | undefined;
  let lacksFees = false;
  // A live site ignores test payments, so there is nothing to fetch or compare.
  const isTestKey = apiKey !== undefined && !options.acceptsTestPayments && !isLiveKey(apiKey);

  const fetchMissed = async (access: StripeAccess, since?: number) => {
    const missed = await catchUp({ ...options, ...access, ...(since && { since }) }, stopped);
    // Events from before the start could not be delivered, since the site was down.
    const [late] = missed.filter(
      ({ type, createdAt }) =>
        deliveredTypes.test(type) && createdAt >= startedAt && createdAt < now() - deliveryTimeMs,
    );
    if (late && hasWebhook) undelivered = late.type;
  };

  const round = async (access: StripeAccess) => {
    await fetchMissed(access);
    const settle = async () => {
      await wait(retryMs);
      await fetchMissed(access, now() - eventRetentionMs);
    };
    const currency = await options.currency();
    reconciliation = await reconcile({ ...access, store, now, currency, settle }, stopped);
    const { differ, differing } = reconciliation;
    if (differ > 0) log.error({ differ, differing }, 'Stripe sync: payments differ; see differing');
    await fetchFees({ ...access, store, now }, stopped).catch((error: unknown) => {
      if (!isPermissionError(error)) throw error;
      if (!lacksFees)
        log.warn('Stripe sync: the key may not read fees, so the dashboard shows none');
      lacksFees = true;
    });
  };

  const fail = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const sentence = failureSentence(error);
    if (sentence !== failure) {
      log.error({ error: message }, 'Stripe sync: request failed; will retry in four minutes');
    }
    failure = sentence;
  };

  /** Waits for the next round: an hour, or until Stripe answers again after a failure. */
  const nextRound = async (access: StripeAccess) => {
    for (let waited = 0; waited < roundMs; waited += lookMs) {
      await wait(Math.min(lookMs, roundMs));
      const stripe = await openStripe(access);
      try {
        await stripe.events.list({ limit: 1 });
        if (failure !== undefined) return;
      } catch (error) {
        fail(error);
      }
    }
  };

  const rounds = async (access: StripeAccess) => {
    while (!stopped.aborted) {
      try {
        await round(access);
        failure = undefined;
      } catch (error) {
        if (stopped.aborted) return;
        if (storageErrorSentence(error) !== undefined) {
          // The storage alert already reports this, and such errors pass sooner.
          log.error({ error }, 'Stripe sync: could not store events; will retry in three minutes');
          await wait(retryMs).catch(() => {});
          continue;
        }
        fail(error);
      }
      // Rejects only when it is stopped.
      await nextRound(access).catch(() => {});
    }
  };
  const fetches = apiKey !== undefined && !isTestKey;
  /** Stripe sends both events about a refund within minutes. With a key, the site fetches the one that is missing. */
  const isUnlisted = async () => {
    if (fetches || !hasWebhook) return false;
    const at = await store.unlistedRefundsAt(now() - eventRetentionMs, deliveryTimeMs);
    return at !== undefined && now() > at + deliveryTimeMs;
  };
  if (fetches) void rounds({ apiKey, endpoint: options.endpoint });

  return {
    async report() {
      if (apiKey === undefined && !hasWebhook) return undefined;
      const sentences = [
        undelivered && undeliveredSentence(undelivered),
        outdated && outdatedSentence(outdated),
        isConnect && connectSentence,
        (await isUnlisted()) && unlistedSentence,
        isTestKey && testKeySentence,
        failure,
      ];
      return {
        lastEventAt: await store.newest(),
        reconciliation,
        alert: sentences.filter(Boolean).join(' ') || undefined,
      };
    },
    recordDelivery({ apiVersion, isForeign }) {
      isConnect = isForeign;
      if (isForeign) return;
      undelivered = undefined;
      outdated = apiVersion && apiVersion < oldestVersion ? apiVersion : undefined;
    },
    stop: () => stopping.abort(),
  };
}

const outdatedSentence = (version: string) =>
  `Your webhook at Stripe sends events of the API version ${version}, which does not report every refund. Create an endpoint with the version ${oldestVersion} or a newer one, and enter its signing secret where that of this one was set.`;

const connectSentence =
  'Your webhook at Stripe sends events of connected accounts, which are no sales of this site. Create an endpoint for events on your account, and enter its signing secret where that of this one was set.';

const unlistedSentence =
  'Your webhook at Stripe sends no refunds, so they are not deducted from the revenue. Add the events that begin with refund. to it.';

const undeliveredSentence = (type: string) =>
  `Stripe did not deliver an event (${type}), so the site fetched it. Check the address, the events and the signing secret of your webhook at Stripe.`;

const testKeySentence =
  'The key for Stripe is for test payments, which a live site ignores. Enter one that begins with rk_live_.';

/** Returns what failed and what the owner can do. */
const failureSentence = (error: unknown) =>
  keyErrorSentence(error) ??
  'The last request to Stripe failed. The site retries every few minutes; the log has the reason.';
