/** The Stripe webhook endpoint. It passes on the raw body, because the signature covers the exact bytes. */
import type { Webhook } from '../stripe/webhook.ts';
import type { AdapterOptions, Handler } from './handler.ts';
import { sendJson } from './response.ts';

/** Creates the handler of the webhook. */
export const createStripeHandler =
  (webhook: Webhook, { body }: Pick<AdapterOptions, 'body'>): Handler =>
  async (req, res) => {
    const signature = req.headers['stripe-signature'];
    await webhook(await body.bytes(req), typeof signature === 'string' ? signature : undefined);
    sendJson(res, 200, { received: true });
  };
