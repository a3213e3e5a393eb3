/** The Stripe webhook endpoint. It passes on the raw body, because the signature covers the exact bytes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TRPCError } from '@trpc/server';
import type { Webhook } from '../stripe/webhook.ts';
import { errorResponseOf, sentences } from '../trpc/errors.ts';
import { drain } from './body.ts';
import { sendErrorResponse, sendJson } from './error-response.ts';
import type { AdapterOptions } from './rest.ts';

export const stripeWebhookPath = '/api/webhooks/stripe';

/** Creates the handler of the webhook, which responds with 404 when `webhook` is undefined. */
export function createStripeHandler(
  webhook: Webhook | undefined,
  { body, report }: Pick<AdapterOptions, 'body' | 'report'>,
) {
  return async function handleStripeWebhook(
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    try {
      if (!webhook) throw new TRPCError({ code: 'NOT_FOUND', message: sentences.unknownCall });
      if (req.method !== 'POST') {
        res.setHeader('Allow', 'POST');
        throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: sentences.wrongMethod });
      }
      const signature = req.headers['stripe-signature'];
      await webhook(await body.bytes(req), typeof signature === 'string' ? signature : undefined);
      sendJson(res, 200, { received: true });
    } catch (error) {
      const response = errorResponseOf(error);
      if (response.status >= 500) report(error, req);
      await drain(req);
      sendErrorResponse(res, response);
    }
  };
}
