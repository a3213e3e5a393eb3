/** The endpoints of webhooks. They pass on the raw body, because the signature covers the exact bytes. */
import type { Webhook } from '../webhooks/receive.ts';
import type { AdapterOptions, Handler } from './handler.ts';
import { sendJson } from './response.ts';

/** Creates the handler of a webhook whose deliveries are signed in this header. */
export const createWebhookHandler =
  (webhook: Webhook, header: string, { body }: Pick<AdapterOptions, 'body'>): Handler =>
  async (req, res) => {
    await webhook(await body.bytes(req, res), req.get(header));
    sendJson(res, 200, { received: true });
  };
