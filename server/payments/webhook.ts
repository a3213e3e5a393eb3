/** Takes what Stripe tells: checked to be Stripe's, then kept, then counted. */
import { TRPCError } from '@trpc/server';
import { sentences } from '../errors.ts';
import { createIntake, type IntakeOptions } from './intake.ts';

/** How old a signature may be, in seconds: Stripe's own recommendation. */
const tolerance = 300;

export interface WebhookOptions extends IntakeOptions {
  /** Signing secrets of the endpoint: two while one is being replaced. */
  secrets: readonly string[];
  /** Called for each delivery that one of them has signed. */
  delivered: () => void;
}

/**
 * Takes one delivery: its body as it came, and its `Stripe-Signature`. When it resolves, the event is
 * on disk and counted, or known, or a trial that does not count. Throws BAD_REQUEST when it is not
 * signed by one of the secrets, and whatever else goes wrong: then Stripe delivers it again.
 */
export type Webhook = (body: Buffer, signature: string | undefined) => Promise<void>;

export function createWebhook({ secrets, delivered, ...options }: WebhookOptions): Webhook {
  const take = createIntake(options);
  return async (body, signature) => {
    const event = await verified(body, signature ?? '', secrets);
    delivered();
    await take(event, body.toString('utf8'));
  };
}

/** The parsed body, once one of the secrets has signed it. */
async function verified(body: Buffer, signature: string, secrets: readonly string[]) {
  const { default: Stripe } = await loadStripe();
  for (const secret of secrets) {
    try {
      return Stripe.webhooks.constructEvent(body, signature, secret, tolerance);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    }
  }
  throw new TRPCError({ code: 'BAD_REQUEST', message: sentences.wrongSignature });
}

/** The library takes a third of a second and 19 MB: only who is paid this way loads it. */
const loadStripe = () => import('stripe');
