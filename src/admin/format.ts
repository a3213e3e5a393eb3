/** Formats of the dashboard, in US English and the browser's time zone. */
import { decimalsOf, money } from '../../server/contract/money.ts';

/** `12.50%` */
export const percent = (n: number): string => `${n.toFixed(2)}%`;

/** An amount in whole units of a currency: `$1,234.50` */
export const wholeMoney = (n: number, currency: string): string =>
  money(n * 10 ** decimalsOf(currency), currency);

/** `2:05:09 PM` */
export const timeOfDay = (ms: number): string =>
  new Date(ms).toLocaleTimeString('en-US', { timeStyle: 'medium' });
