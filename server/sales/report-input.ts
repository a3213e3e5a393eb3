/** Validates a sale from another checkout, over the API or in the owner's import file. */
import { z } from 'zod';
import { sourceText } from '../attribution/source-name.ts';
import { maxAmount } from '../contract/money.ts';
import { storedAddress } from '../text/email-address.ts';
import { isoDate, isPlausible } from '../text/iso-date.ts';
import { storableText } from '../text/storable.ts';
import type { SaleReport } from './reports.ts';

const tooLong = 'This text is too long.';

export const sale = z
  .object({
    id: storableText.min(1, 'Please give the sale’s own id.').max(200, tooLong),
    amount: z
      .int(
        'Please give the amount in the currency’s smallest unit, such as cents, as a whole number.',
      )
      .nonnegative('The amount cannot be negative.')
      .max(maxAmount, 'The amount is beyond what a sale can be.'),
    currency: z
      .string('Please give a currency such as USD.')
      .regex(/^[A-Za-z]{3}$/, 'Please give a currency such as USD.')
      .toUpperCase(),
    refunded: z
      .int('Please give what was refunded as a whole number, in the unit of the amount.')
      .nonnegative('What was refunded cannot be negative.')
      .optional(),
    disputed: z
      .int('Please give what is disputed as a whole number, in the unit of the amount.')
      .nonnegative('What is disputed cannot be negative.')
      .optional(),
    email: storableText.trim().overwrite(storedAddress).max(320, tooLong).nullish(),
    source: storableText.trim().max(200, tooLong).nullish(),
    first_source: storableText.trim().max(100, tooLong).nullish(),
    button: storableText.trim().max(100, tooLong).nullish(),
    timestamp: isoDate
      .refine(
        isPlausible,
        'Please give the time of the sale: not before 2000, and not in the future.',
      )
      .optional(),
    as_of: isoDate
      .refine(
        isPlausible,
        'Please give the time of the report: not before 2000, and not in the future.',
      )
      .optional(),
  })
  .refine(({ amount, refunded = 0, disputed = 0 }) => refunded + disputed <= Math.max(amount, 0), {
    path: ['refunded'],
    message: 'No more can be refunded or disputed than was paid.',
  });

const textOf = (source: string | null | undefined) => (source ? sourceText(source) : null);

/**
 * Returns the report to store. The time of its sale defaults to `now` (milliseconds since 1970, UTC), and
 * the time of the report is undefined without `as_of`.
 */
export function reportOf(input: z.output<typeof sale>, now: number): SaleReport {
  return {
    id: input.id,
    at: input.timestamp ? Date.parse(input.timestamp) : now,
    amount: input.amount,
    refunded: input.refunded ?? 0,
    disputed: input.disputed ?? 0,
    currency: input.currency,
    email: input.email || null,
    source: textOf(input.source),
    firstSource: textOf(input.first_source),
    button: input.button || null,
    ...(input.as_of && { asOf: Date.parse(input.as_of) }),
  };
}
