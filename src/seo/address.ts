/** Addresses on the site that must be whole. Its origin is known when a document is sent. */
import { isPlaceholder } from '../../server/contract/placeholder.ts';

/** A whole address, for a path such as `/#about`. */
export const addressOf = (path: string) => `{{origin}}${path}`;

/** Around what is left out of a document when nobody knows the site's origin. */
export const whenOriginIsKnown = { from: '{{#origin}}', to: '{{/origin}}' } as const;

/** The addresses among these that the owner has filled in. */
export const filledIn = (addresses: string[]) => addresses.filter((a) => !isPlaceholder(a));

/** The e-mail address, unless its domain is one that nobody has. */
export const realEmail = (email: string): string | undefined =>
  isPlaceholder(email.slice(email.lastIndexOf('@') + 1)) ? undefined : email;
