/**
 * JSON of the same meaning in which control characters and characters that reorder text are written as
 * their numbers: it is printed on the owner's terminal.
 */
export const inJson = (value: unknown) =>
  JSON.stringify(value, null, 2).replace(
    /(?!\n)\p{Cc}|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
