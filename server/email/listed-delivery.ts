/** The delivery of an email as the API returns it. */
import { z } from 'zod';
import { count, isoTime } from '../text/outputs.ts';
import { isoOf } from '../time/iso.ts';
import type { Delivery } from './email.ts';

/** The mail server's last answer. */
const error = z.string().exactOptional();

export const deliveryOutput = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('sent'), at: isoTime }),
    z.object({ state: z.literal('waiting'), dueAt: isoTime, attempts: count, error }),
    z.object({ state: z.literal('refused'), at: isoTime, error }),
  ])
  .meta({ id: 'Delivery', description: 'The delivery of the email about it.' });

/** Returns the delivery with its times in ISO 8601, without an empty error. */
export function listedDelivery(delivery: Delivery): z.input<typeof deliveryOutput> {
  if (delivery.state === 'sent') return { state: delivery.state, at: isoOf(delivery.at) };
  const error = delivery.error === null ? {} : { error: delivery.error };
  return delivery.state === 'refused'
    ? { state: delivery.state, at: isoOf(delivery.at), ...error }
    : {
        state: delivery.state,
        dueAt: isoOf(delivery.dueAt),
        attempts: delivery.attempts,
        ...error,
      };
}
