/** Secrets of 256 random bits, of which the database keeps only the hash. */
import { createHash, randomBytes } from 'node:crypto';

/** A new secret, safe in a cookie and in a URL. */
export const createToken = (): string => randomBytes(32).toString('base64url');

/** What the database keeps of it: the table alone opens nothing. */
export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');
