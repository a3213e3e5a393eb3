import { expect, it } from 'vitest';
import { amountOf, type DecimalStyle, decimalStyleOf } from './amount.ts';

it.each<[text: string, decimals: DecimalStyle, currency: string, amount: number | undefined]>([
  ['97', 'point', 'USD', 9700],
  ['1,234.56', 'point', 'USD', 123_456],
  ['1234.5', 'point', 'USD', 123_450],
  ['.5', 'point', 'USD', 50],
  ['$1,234.56 USD', 'point', 'USD', 123_456],
  ['US$97.00', 'point', 'USD', 9700],
  ['-97.00', 'point', 'USD', -9700],
  ['−97.00', 'point', 'USD', -9700],
  ['(97.00)', 'point', 'USD', -9700],
  ['97.00-', 'point', 'USD', -9700],
  ['-$97.00', 'point', 'USD', -9700],
  ['$ -97.00', 'point', 'USD', -9700],
  ['(USD 97.00)', 'point', 'USD', -9700],
  ['+ 97.00 USD', 'point', 'USD', 9700],
  ['1 234 567.00', 'point', 'USD', 123_456_700],
  ["1'234.56", 'point', 'CHF', 123_456],
  ['1.234,56', 'comma', 'EUR', 123_456],
  ['1 234,56 €', 'comma', 'EUR', 123_456],
  ['97,5', 'comma', 'EUR', 9750],
  ['12,000', 'point', 'JPY', 12_000],
  ['12000.00', 'point', 'JPY', 12_000],
  ['1.234', 'point', 'KWD', 1234],
  ['4900', 'cents', 'USD', 4900],
  ['-4900', 'cents', 'USD', -4900],
  ['0.00', 'point', 'USD', 0],
  // Nothing is rounded, and no separator is guessed.
  ['49.005', 'point', 'USD', undefined],
  ['1.250', 'point', 'USD', undefined],
  ['1.234,56', 'point', 'EUR', undefined],
  ['1,23.45', 'point', 'USD', undefined],
  ['49.00', 'cents', 'USD', undefined],
  ['12.5', 'point', 'JPY', undefined],
  ['1e3', 'point', 'USD', undefined],
  ['', 'point', 'USD', undefined],
  ['-', 'point', 'USD', undefined],
  ['free', 'point', 'USD', undefined],
  ['12AB34', 'point', 'USD', undefined],
  ['12$34', 'point', 'USD', undefined],
  ['12+34', 'point', 'USD', undefined],
  ['12 34', 'point', 'USD', undefined],
])('amount %s written with %s in %s is %s', (text, decimals, currency, amount) => {
  expect(amountOf(text, { currency, decimals })).toBe(amount);
});

it.each<[amounts: string[], style: DecimalStyle]>([
  [['97.00', '1,250.00'], 'point'],
  [['97,00', '1.250,00'], 'comma'],
  [['1.250', '97,50'], 'comma'],
  [['1,250', '97'], 'point'],
  [['1.250', '97'], 'comma'],
  [['97', '4900'], 'cents'],
  [[], 'cents'],
])('amounts %j are written with %s', (amounts, style) => {
  const list = amounts.map((text) => ({ text, currency: 'EUR' }));
  expect(decimalStyleOf(list, 'cents')).toBe(style);
});
