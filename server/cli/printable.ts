/**
 * JSON in which control characters and bidirectional controls are escaped, so that it is safe to
 * print on a terminal.
 */
export const printableJson = (value: unknown) =>
  JSON.stringify(value, null, 2).replace(
    /(?!\n)\p{Cc}|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
