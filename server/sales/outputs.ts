/** How the API lists sales and their money. */
import { z } from 'zod';
import { count, isoTime, omittable } from '../text/outputs.ts';
import { isoOf } from '../time/iso.ts';
import type { Sale } from './sale.ts';

/** ISO 4217, upper case. */
export const currency = z.string();

/** Money in the smallest unit of its currency, such as cents. */
const amount = z.number();

export const saleFields = {
  id: z.string(),
  timestamp: isoTime,
  conversionValue: amount.describe('What was paid, in the smallest unit of `currency`.'),
  currency,
  refunded: omittable(amount),
  disputed: omittable(amount),
  email: omittable(z.string()),
  source: omittable(z.string()).describe('Missing for a direct visit.'),
  firstSource: omittable(z.string()),
  button: omittable(z.string()).describe('The call-to-action that led to the checkout.'),
};

/** A sale as the API lists it. */
export const saleOutput = z.object(saleFields).meta({ id: 'Sale' });

type ListedSale = z.output<typeof saleOutput>;

export const currencySum = z
  .object({
    currency,
    conversions: count.describe('Sales not fully refunded.'),
    revenue: amount.describe('Net of refunds, in the smallest unit of `currency`.'),
    gross: amount.describe('What was paid.'),
  })
  .meta({ id: 'CurrencySum' });

export const cashSum = z
  .object({
    currency,
    taken: amount.describe('Paid for the sales of the window, tax included.'),
    refunded: amount.describe('Refunded in the window, whenever the sale was.'),
    lost: amount.describe('Lost in disputes that ended in the window.'),
    tax: amount.describe('Tax that `taken` contains.'),
    fees: amount
      .nullable()
      .describe('Stripe’s fees; null when the window has none in this currency.'),
  })
  .meta({ id: 'CashSum' });

/** Sales in one currency. */
export type CurrencySum = z.output<typeof currencySum>;

/** Money of a window by its own date, in one currency and its smallest unit. */
export type CashSum = z.output<typeof cashSum>;

/** A sale in a response; unknown fields are omitted. */
export function listedSale(sale: Sale): ListedSale {
  return {
    id: sale.id,
    timestamp: isoOf(sale.at),
    conversionValue: sale.amount,
    currency: sale.currency,
    refunded: sale.refunded || undefined,
    disputed: sale.disputed || undefined,
    email: sale.email ?? undefined,
    source: sale.source ?? undefined,
    firstSource: sale.firstSource ?? undefined,
    button: sale.button ?? undefined,
  };
}
