/** Receives Stripe's deliveries: verifies the signature, stores the event and counts its sale. */
import { z } from 'zod';
import { ApiError } from '../../trpc/errors.ts';
import { isSigned } from '../../webhooks/signature.ts';
import { createIngest, type IngestOptions } from './ingest.ts';

/** What a delivery tells about the webhook at Stripe. */
export interface Delivery {
  apiVersion: string | undefined;
  /** Whether its event happened at an account that is connected to the owner's. */
  isForeign: boolean;
}

export interface WebhookOptions extends IngestOptions {
  /** Signing secrets of the endpoint: two while one is being replaced. */
  secrets: readonly string[];
  /** Called for each signed delivery of a snapshot event. */
  onDelivery: (delivery: Delivery) => void;
}

/**
 * Processes one delivery: its raw body and its `Stripe-Signature`. When it resolves, the event is on
 * disk and counted, was known before, or does not count: a test payment, or an event of another account.
 * Throws BAD_REQUEST when the signature is wrong or the event cannot be read; Stripe retries after any error.
 */
export type Webhook = (body: Buffer, signature: string | undefined) => Promise<void>;

export function createWebhook({ secrets, onDelivery, ...options }: WebhookOptions): Webhook {
  const ingest = createIngest(options);
  return async (body, signature = '') => {
    if (!isSigned({ body, signature, secrets })) {
      throw new ApiError('INVALID_SIGNATURE');
    }
    const payload = body.toString('utf8');
    try {
      const event: unknown = JSON.parse(payload);
      if (isThin(event)) {
        options.log.error('Stripe webhook: rejected a thin event; choose Snapshot payloads');
        throw new ApiError('THIN_EVENT');
      }
      onDelivery(deliveryOf(event));
      await ingest(event, payload);
    } catch (error) {
      if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
      // Field names only: their values may hold a buyer's data.
      const fields =
        error instanceof z.ZodError ? error.issues.map(({ path }) => path.join('.')) : [];
      options.log.error({ fields }, 'Stripe webhook: rejected an invalid event; update the site');
      throw new ApiError('UNREADABLE_EVENT');
    }
  };
}

const described = z.object({
  api_version: z.string().nullish(),
  account: z.string().nullish(),
});

function deliveryOf(event: unknown): Delivery {
  const { api_version, account } = described.safeParse(event).data ?? {};
  return { apiVersion: api_version ?? undefined, isForeign: account != null };
}

const thinEvent = z.object({ object: z.literal('v2.core.event') });

/** Whether an event contains only the id of its object (https://docs.stripe.com/event-destinations). */
const isThin = (event: unknown) => thinEvent.safeParse(event).success;
