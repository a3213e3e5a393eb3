/** Tries a key of Stripe's API. */
import type Stripe from 'stripe';
import type { readRights } from '../../contract/stripe.ts';
import { isPermissionError, keyErrorSentence, openStripe, type StripeAccess } from './api.ts';

/** Uses each right once. */
const uses: Record<keyof typeof readRights, (stripe: Stripe) => PromiseLike<unknown>> = {
  Events: (stripe) => stripe.events.list({ limit: 1 }),
  'Checkout Sessions': (stripe) => stripe.checkout.sessions.list({ limit: 1 }),
  PaymentIntents: (stripe) => stripe.paymentIntents.list({ limit: 1 }),
  'Charges and Refunds': (stripe) => stripe.refunds.list({ limit: 1 }),
  Disputes: (stripe) => stripe.disputes.list({ limit: 1 }),
  'Balance transaction sources': (stripe) => stripe.balanceTransactions.list({ limit: 1 }),
};

/** The rights that the key lacks; or, as a sentence, why Stripe cannot be asked. */
export async function missingRights(access: StripeAccess): Promise<string[] | string> {
  const stripe = await openStripe(access);
  // At once, because the owner waits.
  const tries = Object.entries(uses).map(async ([right, use]) => {
    try {
      await use(stripe);
      return [];
    } catch (error) {
      if (isPermissionError(error)) return [right];
      throw error;
    }
  });
  try {
    return (await Promise.all(tries)).flat();
  } catch (error) {
    return keyErrorSentence(error) ?? 'Stripe did not answer. Please try again in a minute.';
  }
}
