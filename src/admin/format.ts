/** Number and time formats of the dashboard: US English, by default in the browser's time zone. */
import { decimalsOf, money } from '../../server/contract/money.ts';

const locale = 'en-US';

/** `1,234` */
export const wholeNumber = (n: number): string => n.toLocaleString(locale);

/** `1 sale`, `1,234 sales` */
export const salesText = (n: number): string => `${wholeNumber(n)} ${n === 1 ? 'sale' : 'sales'}`;

/** `12.50%` */
export const percent = (n: number): string => `${n.toFixed(2)}%`;

/** An amount in whole units of a currency: `$1,234.50` */
export const wholeMoney = (n: number, currency: string): string =>
  money(n * 10 ** decimalsOf(currency), currency);

/** `Jan 31, 2026, 2:05 PM` */
export const dateAndTime = (timestamp: string): string =>
  new Date(timestamp).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** `Sat, Jan 31, 2:05 PM` */
export const weekdayAndTime = (timestamp: string, timeZone: string): string =>
  new Date(timestamp).toLocaleString(locale, {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });

/** `2:05:09 PM` */
export const timeOfDay = (ms: number): string =>
  new Date(ms).toLocaleTimeString(locale, { timeStyle: 'medium' });
