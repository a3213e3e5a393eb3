import { z } from 'zod';
import { en } from '../contract/words/en.ts';

/**
 * Schema of text that both databases store unchanged: no NUL (SQLite truncates there, PostgreSQL
 * rejects it) and no lone surrogate (it has no UTF-8 encoding).
 */
export const storableText = z
  .string('Please send text here.')
  .refine((text) => !text.includes('\0') && text.isWellFormed(), {
    message: en.errors.unstorable,
  });

/** Returns text that `storableText` accepts: NUL is removed, a lone surrogate becomes U+FFFD. */
export const toStorable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
