/** Amounts of money as on the wire: whole numbers in the unit that Stripe uses for their currency. */

const locale = 'en-US';

/** Largest amount of one sale: sums of thousands of them are still exact. */
export const maxAmount = 1e12;

/** Source: https://docs.stripe.com/currencies#zero-decimal */
const withoutDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF';

/** Source: https://docs.stripe.com/currencies#three-decimal */
const withThreeDecimals = 'BHD JOD KWD OMR TND';

/** The decimals of an amount, which differ from those of `Intl`: `HUF 9700` is 97 forints. */
export function decimalsOf(currency: string): number {
  if (withoutDecimals.includes(currency)) return 0;
  return withThreeDecimals.includes(currency) ? 3 : 2;
}

/** An amount in the unit of its currency (ISO 4217, upper case) in words: `$1,234.50`, `¥12,000`. */
export function money(amount: number, currency: string): string {
  const digits = decimalsOf(currency);
  return (amount / 10 ** digits).toLocaleString(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
