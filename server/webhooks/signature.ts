/** Verifies the signatures of Stripe (https://docs.stripe.com/webhooks#verify-manually) and of Calendly. */
import { createHmac } from 'node:crypto';
import { isSameSecret } from '../text/same-secret.ts';

/** Maximum age of a signature in seconds: Stripe's own recommendation. */
const maxAge = 300;

interface SignedDelivery {
  /** The request body, byte for byte. */
  body: Buffer;
  /** The value of the header; '' when it is missing. */
  signature: string;
  secrets: readonly string[];
}

/** Whether one of the secrets signed the body at most five minutes ago. Never throws. */
export function isSigned({ body, signature, secrets }: SignedDelivery): boolean {
  const pairs = signature.split(',').map((pair) => pair.split('='));
  const [time = ''] = pairs.flatMap(([name, value = '']) => (name === 't' ? value : []));
  if (!/^\d{1,15}$/.test(time) || Date.now() / 1000 - Number(time) > maxAge) return false;
  const signatures = pairs.flatMap(([name, value = '']) => (name === 'v1' ? value : []));
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
    return signatures.some((one) => isSameSecret(one, expected));
  });
}
