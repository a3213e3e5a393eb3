/** Absolute URLs and contact data of the site. The server fills in the origin when it sends a document. */
import type { SiteVariables } from '../../server/contract/pages.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { templateOf } from '../ui/template.tsx';

const { value, textIf } = templateOf<SiteVariables>();

/** The absolute URL of a path such as `/#about`, with a template variable for the origin. */
export const absoluteUrl = (path: string) => value('origin') + path;

/** `text` only where the site's origin is known. */
export const ifOriginKnown = (text: string) => textIf('origin', text);

/** The URLs that are not placeholders. */
export const withoutPlaceholders = (urls: string[]) => urls.filter((url) => !isPlaceholder(url));

/** The email address; undefined if its domain is a placeholder. */
export const realEmail = (email: string): string | undefined =>
  isPlaceholder(email.slice(email.lastIndexOf('@') + 1)) ? undefined : email;
