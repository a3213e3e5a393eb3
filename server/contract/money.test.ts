import { expect, it } from 'vitest';
import { decimalsOf, money } from './money.ts';

// Amounts in Stripe's units (https://docs.stripe.com/currencies#minor-units) and what people read.
it.each([
  ['USD', 9700, '$97.00'],
  ['USD', -500, '-$5.00'],
  ['EUR', 9700, '€97.00'],
  ['GBP', 123456, '£1,234.56'],
  ['AUD', 9700, 'A$97.00'],
  ['CHF', 9705, 'CHF 97.05'],
  ['SEK', 97000, 'SEK 970.00'],
  ['PLN', 9700, 'PLN 97.00'],
  ['INR', 9700, '₹97.00'],
  ['BRL', 9700, 'R$97.00'],
  ['MXN', 9700, 'MX$97.00'],
  ['HUF', 970000, 'HUF 9,700.00'],
  ['IDR', 97000000, 'IDR 970,000.00'],
  ['COP', 9700000, 'COP 97,000.00'],
  ['ISK', 970000, 'ISK 9,700.00'],
  ['PKR', 970000, 'PKR 9,700.00'],
  ['TWD', 97000, 'NT$970.00'],
  ['UGX', 970000, 'UGX 9,700.00'],
  ['JPY', 12000, '¥12,000'],
  ['KRW', 97000, '₩97,000'],
  ['VND', 970000, '₫970,000'],
  ['CLP', 97000, 'CLP 97,000'],
  ['XAF', 97000, 'FCFA 97,000'],
  ['KWD', 97000, 'KWD 97.000'],
  ['BHD', 97120, 'BHD 97.120'],
  ['TND', 97000, 'TND 97.000'],
])('%s %i reads %s', (currency, amount, text) => {
  expect(money(amount, currency).replaceAll('\u00a0', ' ')).toBe(text);
});

it('every currency of Intl has two decimals, except those that Stripe lists', () => {
  const others = Intl.supportedValuesOf('currency').filter((name) => decimalsOf(name) !== 2);
  expect(others.join(' ')).toBe(
    'BHD BIF CLP DJF GNF JOD JPY KMF KRW KWD MGA OMR PYG RWF TND VND VUV XAF XOF XPF',
  );
});
