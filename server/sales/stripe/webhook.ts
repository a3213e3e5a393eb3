/** Receives Stripe's deliveries: verifies the signature, stores the event and counts its sale. */
import { z } from 'zod';
import { ApiError } from '../../trpc/errors.ts';
import { createReceiver, type Webhook } from '../../webhooks/receive.ts';
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

/** Creates the webhook of Stripe, which retries a delivery after any error. */
export function createWebhook({ secrets, onDelivery, ...options }: WebhookOptions): Webhook {
  const ingest = createIngest(options);
  return createReceiver({
    secrets,
    async store(event, payload) {
      if (isThin(event)) {
        options.log.error('Stripe webhook: rejected a thin event; choose Snapshot payloads');
        throw new ApiError('THIN_EVENT');
      }
      onDelivery(deliveryOf(event));
      await ingest(event, payload);
    },
    log: options.log,
    failure: 'Stripe webhook: rejected an invalid event; update the site',
  });
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
