import { z } from 'zod';

/**
 * Text that every engine keeps as it came: no NUL (SQLite cuts there, PostgreSQL refuses it) and no
 * half of a surrogate pair (it has no UTF-8).
 */
export const storableText = z
  .string('Please send text here.')
  .refine((text) => !text.includes('\0') && text.isWellFormed(), {
    message: 'This text holds a character that cannot be stored.',
  });
