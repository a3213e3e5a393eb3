/** Figures and times as the dashboard writes them: US English, in the reader's own time zone. */

const locale = 'en-US';

/** `1,234` */
export const wholeNumber = (n: number): string => n.toLocaleString(locale);

/** `12.50%` */
export const percent = (n: number): string => `${n.toFixed(2)}%`;

/** `$1,234.50` */
export const dollars = (n: number): string => inCurrency('USD').format(n);

/** An amount in a currency's smallest unit: cents, but whole yen. */
export function money(amount: number, currency: string): string {
  const format = inCurrency(currency);
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** digits);
}

/** `Jan 31, 2026, 2:05 PM` */
export const dateAndTime = (timestamp: string): string =>
  new Date(timestamp).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** `2:05:09 PM` */
export const timeOfDay = (ms: number): string =>
  new Date(ms).toLocaleTimeString(locale, { timeStyle: 'medium' });

const inCurrency = (currency: string) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency });
