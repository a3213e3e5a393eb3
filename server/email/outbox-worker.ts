/**
 * Sends emails, or events to the webhook receiver, from the outbox. A failed one is retried with
 * exponential backoff, from a minute up to six hours; one that the server refuses eleven times is tried
 * again once a day and at the next start, for thirty days. A final refusal gives it up at once: the address of a visitor
 * does not exist, or the receiver is gone. Deferrals of a visitor's address give it up after five days.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { clockSkew, dayMs, hourMs, minuteMs } from '../time/units.ts';
import type { DeliveryResult } from './smtp.ts';
import { isDeferredForRecipient } from './smtp-errors.ts';
import type { Claim, OutboxQueue } from './store.ts';

/** Milliseconds between two polls of the outbox. */
const pollEvery = 30_000;
/** How long one email may take to send, in ms: connecting, greeting and sending, with a margin. */
const lease = 5 * minuteMs;
/** Longest backoff of an email, in ms. */
const longestWait = 6 * hourMs;
/**
 * Refusals after which an email is given up. The last one comes at least 14.5 hours after the first, so
 * that a full mailbox or a quota can clear.
 */
const maxRefusals = 11;
/**
 * Age in ms, and deferrals, after which an email to a visitor is given up (RFC 5321 section 4.5.4.1). An outage
 * alone must not use up the time: so many deferrals take over eight hours.
 */
const deferredFor = 5 * dayMs;
const minDeferrals = 9;
/** First and longest delay between attempts to store a result, in ms. */
const firstStoreRetry = 200;
const longestStoreRetry = 5000;
/** How long `stop` waits for the email that is being sent, in ms. */
const stopTimeoutMs = 1500;

/** Exponential backoff in ms: a minute, doubled for each earlier failure, at most `most`. */
const backOff = (failuresBefore: number, most: number) =>
  Math.min(most, minuteMs * 2 ** failuresBefore);

/** The kind of rejection that a failed attempt counts as. */
const rejections = {
  partial: 'deferral',
  postponed: 'deferral',
  refused: 'refusal',
  unreachable: undefined,
} as const;

export type OutboxWorker = ReturnType<typeof startOutboxWorker>;

/** Log messages about emails; those about events are in `webhooks/worker.ts`. */
export const emailLog = {
  id: 'emailId',
  refusedFinally:
    'outbox: gave up an email to a visitor; the address was rejected, or deferred for five days',
  gaveUp: 'outbox: an email was refused eleven times; will retry once a day',
  failed: 'outbox: could not send an email; will retry',
  unstored: 'outbox: could not store the result of an email; will retry',
  unread: 'outbox: could not read the queue; will retry',
};

/** Starts the worker of this instance. Several instances may share one outbox. */
export function startOutboxWorker<Item>({
  store,
  deliver,
  messages = emailLog,
  now,
  log,
}: {
  store: OutboxQueue<Item>;
  /** Sends it once. Never rejects. */
  deliver: (item: Item & Claim) => Promise<DeliveryResult>;
  /** What it logs, and under which name the id. */
  messages?: typeof emailLog;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}) {
  let isStopped = false;
  let currentRun: Promise<void> | undefined;
  let isWoken = false;
  /** Failures in a row to reach the mail server, and when the next attempt is due. */
  let outages = 0;
  let pausedUntil = 0;

  /** Results that are not stored yet, by email id. These emails are not sent again. */
  const unstored = new Map<string, () => Promise<void>>();
  let storeRetryDelay = firstStoreRetry;
  let storeRetryTimer: NodeJS.Timeout | undefined;
  /** The last poll failed and was logged. */
  let isFailing = false;

  const outageBackOff = () => backOff(outages, hourMs);
  /** Returns the function that stores the result of an attempt. */
  const storerOf = (item: Claim, result: DeliveryResult): (() => Promise<void>) => {
    const { id, queuedAt, deferrals, refusals } = item;
    const at = now();
    if (result.status === 'sent') return () => store.sent(id, at);
    const { error, code } = result;
    const isExpired =
      id.startsWith('visitor-') &&
      isDeferredForRecipient(error) &&
      at - queuedAt >= deferredFor &&
      deferrals >= minDeferrals;
    if (isExpired || (result.status === 'refused' && result.isFinal)) {
      log.warn({ [messages.id]: id, error: code }, messages.refusedFinally);
      return () => store.refused(id, { at, error });
    }
    if (result.status === 'refused' && refusals + 1 >= maxRefusals) {
      log.error({ [messages.id]: id, error: code }, messages.gaveUp);
      return () => store.refused(id, { at, error });
    }
    // An outage does not extend the backoff of an email that the mail server rejects afterwards.
    const wait =
      result.status === 'unreachable'
        ? outageBackOff()
        : backOff(deferrals + refusals, longestWait);
    log.warn({ [messages.id]: id, error: code, retryInSeconds: wait / 1000 }, messages.failed);
    const remaining = result.status === 'partial' ? result.remaining : undefined;
    const rejection = rejections[result.status];
    return () => store.postponed(id, { dueAt: at + wait, error, rejection, remaining });
  };
  /** Stores pending results. Retries without limit: until then another instance may resend the email. */
  const storeResults = async () => {
    for (const [id, storeResult] of unstored) {
      try {
        await storeResult();
        unstored.delete(id);
        storeRetryDelay = firstStoreRetry;
      } catch (error) {
        if (storeRetryDelay === firstStoreRetry) {
          log.error({ [messages.id]: id, error }, messages.unstored);
        }
        clearTimeout(storeRetryTimer);
        // Also after a stop: the worker that takes over would send the email again.
        storeRetryTimer = setTimeout(wake, storeRetryDelay).unref();
        storeRetryDelay = Math.min(longestStoreRetry, 2 * storeRetryDelay);
      }
    }
  };
  const send = async (item: Item & Claim) => {
    const result = await deliver(item);
    unstored.set(item.id, storerOf(item, result));
    await storeResults();
    if (result.status === 'unreachable') {
      // Other emails would fail in the same way, and failed logins could lock the account.
      pausedUntil = now() + outageBackOff();
      outages += 1;
      return;
    }
    // Starts after the leases of other instances, whose emails are being sent and not deferred.
    if (outages > 0) await store.retryDeferred(now(), now() + lease + clockSkew);
    outages = 0;
    pausedUntil = 0;
  };
  const run = async () => {
    // The upper bound ends a pause that was set while the clock was ahead.
    const isPaused = () => pausedUntil > now() && pausedUntil <= now() + hourMs;
    for (;;) {
      isWoken = false;
      await storeResults();
      if (isStopped || isPaused()) return;
      const item = await store.claim({ now: now(), lease, longestWait });
      isFailing = false;
      // Also when stopped meanwhile: a claimed item that is not sent is due again only when its lease expires.
      if (item && !unstored.has(item.id)) await send(item);
      else if (!item && !isWoken) return;
    }
  };
  const wake = () => {
    isWoken = true;
    currentRun ??= run()
      .catch((error: unknown) => {
        if (!isFailing) log.error({ error }, messages.unread);
        isFailing = true;
      })
      .finally(() => {
        currentRun = undefined;
        // Woken after the last read of the queue: an email queued in between must not wait for a poll.
        if (isWoken) wake();
      });
  };
  // The owner may have fixed the cause of a refusal.
  const retryRefused = () => void store.retryRefused(now()).then(wake, wake);
  retryRefused();
  const timers = [setInterval(wake, pollEvery), setInterval(retryRefused, dayMs)];
  for (const timer of timers) timer.unref();
  return {
    /** Polls the outbox at once, after an email was queued. */
    wake,
    /** Stops. Waits up to 1.5 seconds for the email that is being sent. */
    async stop() {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      clearTimeout(storeRetryTimer);
      const lastRun = Promise.resolve(currentRun).then(storeResults);
      await Promise.race([lastRun, sleep(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}
