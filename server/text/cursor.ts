import { z } from 'zod';

/** What a cursor of another list, or of another kind of rows, is answered with. */
export const foreignCursor =
  'This cursor does not belong to this list. Please use `next` of the page before.';

/** The cursor of a list: an opaque text for the position after which the next page begins. */
export const cursor = <Position>(position: z.ZodType<Position>) => ({
  /** The position as a cursor, without other properties of `last`: addresses hold it. */
  of: (last: Position): string =>
    Buffer.from(JSON.stringify(position.parse(last))).toString('base64url'),
  /** Schema of a cursor in an input, which becomes its position. */
  input: z
    .string()
    .describe('`next` of the page before.')
    .transform((text, { addIssue }) => {
      const { success, data } = position.safeParse(contentOf(text));
      if (success) return data;
      addIssue(foreignCursor);
      return z.NEVER;
    }),
});

/** The content of a cursor; undefined when it is not JSON. */
function contentOf(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
