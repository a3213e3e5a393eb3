/** Strangers' text without control characters and characters that reorder other text. */

/** Line breaks, tabs, letters of every script and joined emoji stay. */
const unprintable = /(?![\t\r\n])\p{Cc}|\p{Bidi_Control}/gu;

export const withoutControls = (text: string) => text.replace(unprintable, '');

/** With its line breaks; a tab becomes two spaces. */
export const inLines = (text: string) =>
  withoutControls(text.replace(/\r\n?|\p{Zl}|\p{Zp}/gu, '\n').replaceAll('\t', '  '));

/** As one line with single spaces. */
export const inLine = (text: string) => inLines(text).replace(/\s+/g, ' ');
