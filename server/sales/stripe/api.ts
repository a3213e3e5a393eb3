/** Access to Stripe's API. */
import type Stripe from 'stripe';
import { readRights } from '../../contract/stripe.ts';

export interface StripeAccess {
  /** A secret or restricted key. Its prefix says which, and whether it reads live or test payments. */
  apiKey: string;
  /** Replaces Stripe's own address in tests. */
  endpoint?: StripeEndpoint | undefined;
  /** Time for a request in ms, which is not retried: for an owner who waits. By default 20 seconds, with two retries. */
  timeoutMs?: number;
}

export interface StripeEndpoint {
  host: string;
  port: number;
  protocol: 'http';
}

/** The library's default timeout is 80 seconds. */
const patient = { timeout: 20_000, maxNetworkRetries: 2 };

/** Returns a client of the official library, imported lazily: it takes 0.3 s and 19 MB to load. */
export async function openStripe({ apiKey, endpoint, timeoutMs }: StripeAccess): Promise<Stripe> {
  const { default: Stripe } = await import('stripe');
  return new Stripe(apiKey, {
    ...endpoint,
    telemetry: false,
    ...(timeoutMs === undefined ? patient : { timeout: timeoutMs, maxNetworkRetries: 0 }),
  });
}

/** Whether a key reads live payments; otherwise it reads test payments. */
export const isLiveKey = (apiKey: string) => !/^.._test_/.test(apiKey);

const typeOf = (error: unknown) =>
  error instanceof Error && 'type' in error ? error.type : undefined;

/** Whether Stripe refused a request because the key lacks a permission. */
export const isPermissionError = (error: unknown) => typeOf(error) === 'StripePermissionError';

/** Returns why Stripe rejects a key and what the owner can do; undefined for other errors. */
export function keyErrorSentence(error: unknown): string | undefined {
  if (typeOf(error) === 'StripeAuthenticationError')
    return 'Stripe rejects the key, so payments are not compared. Create a new key at Stripe and enter it where this one was set.';
  if (isPermissionError(error))
    return `The key for Stripe lacks a permission, so payments are not compared. Allow it to read ${Object.keys(readRights).join(', ')}.`;
  return undefined;
}
