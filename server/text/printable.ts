/** Strips control characters and bidirectional overrides from text that visitors typed. */

/** Line breaks, tabs, letters of every script and joined emoji are kept. */
const unprintable = /(?![\t\r\n])\p{Cc}|\p{Bidi_Control}/gu;

/** Returns the text without control characters and characters that reorder other text. */
export const withoutControls = (text: string) => text.replace(unprintable, '');

/** Returns printable text with its line breaks as `\n` and each tab as two spaces. */
export const inLines = (text: string) =>
  withoutControls(text.replace(/\r\n?|\p{Zl}|\p{Zp}/gu, '\n').replaceAll('\t', '  '));

/** Returns printable text as one line with single spaces. */
export const inLine = (text: string) => inLines(text).replace(/\s+/g, ' ');

/** Returns one line that mail programs do not decode: an encoded word (RFC 2047) could stand for any character. */
export const inHeader = (text: string) => inLine(text).replaceAll('=?', '= ?');

/**
 * JSON in which control characters and bidirectional controls are escaped, so that it is safe to
 * print on a terminal.
 */
export const printableJson = (value: unknown) =>
  JSON.stringify(value, null, 2).replace(
    /(?!\n)\p{Cc}|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
