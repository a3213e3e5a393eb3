/** Stripe as this site asks it. */
import type Stripe from 'stripe';

export interface StripeAccess {
  /** A secret or restricted key. Which, and whether it sees real payments or trials, is in its name. */
  apiKey: string;
  /** Where Stripe is; another place than its own is for tests. */
  endpoint?: StripeEndpoint | undefined;
}

export interface StripeEndpoint {
  host: string;
  port: number;
  protocol: 'http';
}

/** Milliseconds until a Stripe that says nothing is given up; the library would wait eighty seconds. */
const timeout = 20_000;

/** The official library, loaded when it is needed: it takes a third of a second and 19 MB. */
export async function openStripe({ apiKey, endpoint }: StripeAccess): Promise<Stripe> {
  const { default: Stripe } = await import('stripe');
  return new Stripe(apiKey, { ...endpoint, telemetry: false, maxNetworkRetries: 2, timeout });
}

/** Whether a key sees real payments; others see trials. */
export const isLiveKey = (apiKey: string) => !/^.._test_/.test(apiKey);
