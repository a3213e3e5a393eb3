/** Receives the deliveries of Calendly and Cal.com about calls that visitors booked there. */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Log } from '../../log.ts';
import { isSameSecret } from '../../text/same-secret.ts';
import { ApiError } from '../../trpc/errors.ts';
import { isSigned } from '../../webhooks/signature.ts';
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

/**
 * Processes one delivery: its raw body and its signature. When it resolves, the call is on disk and counted,
 * or was before. Throws BAD_REQUEST when the signature is wrong or the delivery cannot be read.
 */
type CallWebhook = (body: Buffer, signature: string | undefined) => Promise<void>;

/** Calendly signs like Stripe: `t=…,v1=…`, at most five minutes ago. */
export const createCalendlyWebhook = (options: Options): CallWebhook =>
  createCallWebhook(options, { isValid: isSigned, read: calendlyCalls });

/** Cal.com signs the body alone, as hex digits: a repetition changes nothing here, however old. */
export const createCalWebhook = (options: Options): CallWebhook =>
  createCallWebhook(options, {
    isValid: ({ body, signature, secrets }) =>
      secrets.some((secret) =>
        isSameSecret(signature, createHmac('sha256', secret).update(body).digest('hex')),
      ),
    read: calCalls,
  });

function createCallWebhook(
  { secrets, store, isCounted, now, log }: Options,
  { isValid, read }: { isValid: typeof isSigned; read: (body: unknown) => CallReport[] },
): CallWebhook {
  return async (body, signature = '') => {
    if (!isValid({ body, signature, secrets })) {
      throw new ApiError('INVALID_SIGNATURE');
    }
    let reports: CallReport[];
    try {
      reports = read(JSON.parse(body.toString('utf8')));
    } catch (error) {
      // Field names only: their values may hold a visitor's data.
      const fields =
        error instanceof z.ZodError ? error.issues.map(({ path }) => path.join('.')) : [];
      log.error({ fields }, 'calls elsewhere: rejected an invalid delivery; update the site');
      throw new ApiError('UNREADABLE_EVENT');
    }
    if (reports.length > 0) await store.record(reports, { now: now(), isCounted });
  };
}
