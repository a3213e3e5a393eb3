/** Absolute URLs and contact data of the site. The server fills in the origin when it sends a document. */
import { isPlaceholder } from '../../site.placeholder.ts';

/** The absolute URL of a path such as `/#about`, with a template variable for the origin. */
export const absoluteUrl = (path: string) => `{{origin}}${path}`;

/** Tags around a template section that is only sent when the site's origin is known. */
export const ifOriginKnown = { open: '{{#origin}}', close: '{{/origin}}' } as const;

/** The URLs that are not placeholders. */
export const withoutPlaceholders = (urls: string[]) => urls.filter((url) => !isPlaceholder(url));

/** The email address; undefined if its domain is a placeholder. */
export const realEmail = (email: string): string | undefined =>
  isPlaceholder(email.slice(email.lastIndexOf('@') + 1)) ? undefined : email;
