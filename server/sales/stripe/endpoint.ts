/** The webhook endpoint of this site at Stripe, which the site makes itself when it has a key. */
import type Stripe from 'stripe';
import { isPermissionError, openStripe, type StripeAccess } from './api.ts';
import { eventTypes } from './facts.ts';

/** An endpoint that the site has made, with the secret that only Stripe's first answer holds. */
export interface MadeEndpoint {
  id: string;
  webhookSecret: string;
}

/** Why no endpoint was made: the key lacks the right. */
export const noRight = Symbol('the key may not write webhook endpoints');

/** The endpoint of this site, and what else delivers to its address. */
export interface EnsuredEndpoint extends MadeEndpoint {
  isNew: boolean;
  /** The ids of other endpoints at the same address, whose deliveries have a signature of another secret. */
  others: string[];
}

/**
 * Returns the endpoint at `url` that delivers what the site counts: `made`, mended, while it exists, or else a new one
 * with the newest version of events that the site knows. Deletes none. Rejects with an error of Stripe.
 */
export async function ensureEndpoint(
  access: StripeAccess,
  { url, made }: { url: string; made: MadeEndpoint | undefined },
): Promise<EnsuredEndpoint | typeof noRight> {
  const stripe = await openStripe(access);
  try {
    const here = await endpointsAt(stripe, url);
    const enabled_events = eventTypes as Stripe.WebhookEndpointCreateParams.EnabledEvent[];
    const own = here.find(({ id }) => id === made?.id);
    const others = here.filter((one) => one !== own).map(({ id }) => id);
    if (made && own) {
      if (!isRight(own)) {
        await stripe.webhookEndpoints.update(own.id, { enabled_events, disabled: false });
      }
      return { ...made, isNew: false, others };
    }
    const { id, secret } = await stripe.webhookEndpoints.create({
      url,
      enabled_events,
      api_version: stripe.getApiField('version') as Stripe.WebhookEndpointCreateParams.ApiVersion,
    });
    return { id, webhookSecret: secret ?? '', isNew: true, others };
  } catch (error) {
    if (isPermissionError(error)) return noRight;
    throw error;
  }
}

/** Whether an enabled endpoint other than this one delivers to `url`. Rejects with an error of Stripe. */
export async function hasOtherEndpoint(
  access: StripeAccess,
  { url, id }: { url: string; id: string },
): Promise<boolean> {
  const here = await endpointsAt(await openStripe(access), url);
  return here.some((one) => one.id !== id && one.status === 'enabled');
}

/** Deletes an endpoint, unless it is gone. */
export async function deleteEndpoint(access: StripeAccess, id: string): Promise<void> {
  const stripe = await openStripe(access);
  await stripe.webhookEndpoints.del(id).catch((error: unknown) => {
    if (!(error instanceof Error && 'statusCode' in error && error.statusCode === 404)) throw error;
  });
}

async function endpointsAt(stripe: Stripe, url: string): Promise<Stripe.WebhookEndpoint[]> {
  const found: Stripe.WebhookEndpoint[] = [];
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) {
    if (endpoint.url === url) found.push(endpoint);
  }
  return found;
}

const isRight = ({ status, enabled_events: enabled }: Stripe.WebhookEndpoint) =>
  status === 'enabled' &&
  (enabled.includes('*') || eventTypes.every((type) => enabled.includes(type)));
