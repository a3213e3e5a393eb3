/** Amounts of money as other programs write them. */
import { decimalsOf } from '../../contract/money.ts';

/** How a file writes amounts: `1,234.56`, `1.234,56`, or a whole number of cents. */
export const decimalStyles = ['point', 'comma', 'cents'] as const;

export type DecimalStyle = (typeof decimalStyles)[number];

/** An amount in each style, for error messages. */
export const amountExamples: Record<DecimalStyle, string> = {
  point: '1,234.56',
  comma: '1.234,56',
  cents: '123456',
};

const patterns: Record<DecimalStyle, RegExp> = {
  point: /^(-?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?$/,
  comma: /^(-?)(\d{1,3}(?:\.\d{3})+|\d*)(?:,(\d*))?$/,
  cents: /^(-?)(\d+)$/,
};

/**
 * The amount in the currency's smallest unit; undefined when the text is no amount in this style. It is never
 * rounded.
 */
export function amountOf(
  text: string,
  { currency, decimals }: { currency: string; decimals: DecimalStyle },
): number | undefined {
  const [, minus, whole = '', fraction = ''] = patterns[decimals].exec(plain(text)) ?? [];
  if (minus === undefined || whole + fraction === '') return undefined;
  const sign = minus ? -1 : 1;
  if (decimals === 'cents') return sign * Number(whole);
  const digits = decimalsOf(currency);
  const significant = fraction.replace(/0+$/, '');
  // Three digits after the mark are thousands in the other style.
  const isOpen = fraction.length === 3 && digits < 3;
  if (isOpen || significant.length > digits) return undefined;
  return sign * Number(whole.replace(/[.,]/g, '') + significant.padEnd(digits, '0')) || 0;
}

/**
 * The text without spaces and apostrophes between thousands, and without currency signs and codes at its start
 * and end; `(1.00)` is `-1.00`.
 */
function plain(text: string): string {
  return text
    .replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))|(?<!\d)\s+|\s+(?!\d)|^\+/g, '')
    .replace('−', '-')
    .replace(/^([-(]?)(?:[A-Z]{0,3}\p{Sc}|[A-Z]{2,3})/u, '$1')
    .replace(/(?:[A-Z]{0,3}\p{Sc}|[A-Z]{2,3})([-)]?)$/u, '$1')
    .replace(/^\((.*)\)$/, '-$1')
    .replace(/^(.*)-$/, '-$1');
}

/** The style that fits most of these amounts; `whole` decides when they all are whole numbers. */
export function decimalStyleOf(
  amounts: readonly { text: string; currency: string }[],
  whole: DecimalStyle,
): DecimalStyle {
  if (amounts.every(({ text }) => /^-?\d*$/.test(plain(text)))) return whole;
  const fits = (decimals: DecimalStyle) =>
    amounts.filter(({ text, currency }) => amountOf(text, { currency, decimals }) !== undefined)
      .length;
  return fits('comma') > fits('point') ? 'comma' : 'point';
}
