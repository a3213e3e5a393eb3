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

/** The text without what `storableText` rejects: NUL is removed, half a surrogate pair becomes U+FFFD. */
export const toStorable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
