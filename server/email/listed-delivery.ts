/** The delivery of an email as the API returns it. */
import { z } from 'zod';
import { count, isoTime, omittable } from '../text/outputs.ts';
import { isoOf } from '../time/iso.ts';
import type { Delivery } from './email.ts';
import { adviceOn } from './smtp-errors.ts';

const failure = {
  error: omittable(z.string()).describe('The mail server’s last answer.'),
  advice: omittable(z.string()).describe('What to do about it.'),
};

export const deliveryOutput = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('sent'), at: isoTime }),
    z.object({ state: z.literal('waiting'), dueAt: isoTime, attempts: count, ...failure }),
    z.object({ state: z.literal('refused'), at: isoTime, ...failure }),
  ])
  .meta({ id: 'Delivery', description: 'The delivery of the email about it.' });

/** Returns the delivery with its times in ISO 8601, with what to do about an error. */
export function listedDelivery(delivery: Delivery): z.input<typeof deliveryOutput> {
  if (delivery.state === 'sent') return { state: delivery.state, at: isoOf(delivery.at) };
  const failure = { error: delivery.error ?? undefined, advice: adviceOn(delivery.error ?? '') };
  return delivery.state === 'refused'
    ? { state: delivery.state, at: isoOf(delivery.at), ...failure }
    : {
        state: delivery.state,
        dueAt: isoOf(delivery.dueAt),
        attempts: delivery.attempts,
        ...failure,
      };
}
