/** Secrets of 256 random bits. The database stores only their hashes. */
import { createHash, randomBytes } from 'node:crypto';

/** A new secret, safe in a cookie and in a URL. */
export const createToken = (): string => randomBytes(32).toString('base64url');

/** The hash that the database stores, so that a stolen table holds no usable secret. */
export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');
