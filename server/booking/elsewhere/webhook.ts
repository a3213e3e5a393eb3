/** Receives the deliveries of Calendly and Cal.com about calls that visitors booked there. */
import { createHmac } from 'node:crypto';
import type { Log } from '../../log.ts';
import { isSameSecret } from '../../text/same-secret.ts';
import { createReceiver, type Webhook } from '../../webhooks/receive.ts';
import type { isSigned } from '../../webhooks/signature.ts';
import { type CallReport, calCalls, calendlyCalls } from './deliveries.ts';
import type { ElsewhereStore } from './store.ts';

interface Options {
  /** Signing secrets of the subscription: two while one is being replaced. */
  secrets: readonly string[];
  store: ElsewhereStore;
  /** Whether calls are counted here; if not, the page reports them. */
  isCounted: boolean;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Calendly signs like Stripe: `t=…,v1=…`, at most five minutes ago. */
export const createCalendlyWebhook = (options: Options): Webhook =>
  createCallWebhook(options, calendlyCalls);

/** Cal.com signs the body alone, as hex digits: a repetition changes nothing here, however old. */
export const createCalWebhook = (options: Options): Webhook =>
  createCallWebhook(options, calCalls, ({ body, signature, secrets }) =>
    secrets.some((secret) =>
      isSameSecret(signature, createHmac('sha256', secret).update(body).digest('hex')),
    ),
  );

const createCallWebhook = (
  { secrets, store, isCounted, now, log }: Options,
  read: (delivery: unknown) => CallReport[],
  isValid?: typeof isSigned,
): Webhook =>
  createReceiver({
    secrets,
    ...(isValid && { isValid }),
    async store(delivery) {
      const reports = read(delivery);
      if (reports.length > 0) await store.record(reports, { now: now(), isCounted });
    },
    log,
    failure: 'calls elsewhere: rejected an invalid delivery; update the site',
  });
