/** Takes what Stripe tells: checked to be Stripe's, then kept, then counted. */
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
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
 * signed by one of the secrets, or cannot be understood, and whatever else goes wrong: then Stripe
 * delivers it again.
 */
export type Webhook = (body: Buffer, signature: string | undefined) => Promise<void>;

export function createWebhook({ secrets, delivered, ...options }: WebhookOptions): Webhook {
  const take = createIntake(options);
  return async (body, signature) => {
    const { default: Stripe } = await loadStripe();
    try {
      const event = verified(Stripe, { body, signature: signature ?? '', secrets });
      delivered();
      await take(event, body.toString('utf8'));
    } catch (error) {
      if (!(error instanceof ZodError || error instanceof SyntaxError)) throw error;
      // Only which fields: what stands in them is a buyer's.
      const fields =
        error instanceof ZodError ? error.issues.map(({ path }) => path.join('.')) : [];
      options.log.error({ fields }, 'Stripe delivered an event that cannot be read');
      throw new TRPCError({ code: 'BAD_REQUEST', message: sentences.unreadableEvent });
    }
  };
}

interface Delivery {
  body: Buffer;
  signature: string;
  secrets: readonly string[];
}

/** The parsed body, once one of the secrets has signed it. Throws a SyntaxError when it is no JSON. */
function verified(
  { webhooks, errors }: Awaited<ReturnType<typeof loadStripe>>['default'],
  { body, signature, secrets }: Delivery,
): unknown {
  for (const secret of secrets) {
    try {
      return webhooks.constructEvent(body, signature, secret, tolerance);
    } catch (error) {
      if (!(error instanceof errors.StripeSignatureVerificationError)) throw error;
    }
  }
  throw new TRPCError({ code: 'BAD_REQUEST', message: sentences.wrongSignature });
}

/** The library takes a third of a second and 19 MB: only who is paid this way loads it. */
const loadStripe = () => import('stripe');
