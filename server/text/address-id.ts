import { createHash } from 'node:crypto';

/** The id of an address that is a secret itself: 22 characters of its hash. */
export const addressId = (address: string): string =>
  createHash('sha256').update(address).digest('base64url').slice(0, 22);
