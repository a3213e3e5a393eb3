/** Strangers' text on the owner's terminal: what would move, hide or reorder other text is left out. */

/** As one line. */
export const inLine = (text: string) => inLines(text).replace(/\s*\n\s*/g, ' ');

/** With its line breaks. */
export const inLines = (text: string) =>
  text
    .replace(/\r\n?|\p{Zl}|\p{Zp}/gu, '\n')
    .replaceAll('\t', '  ')
    .replace(/(?!\n)\p{Cc}|\p{Bidi_Control}/gu, '');

/** JSON of the same meaning in which such characters are written as their numbers. */
export const inJson = (value: unknown) =>
  JSON.stringify(value, null, 2).replace(
    /(?!\n)\p{Cc}|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
