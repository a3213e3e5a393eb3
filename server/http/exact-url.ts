/** Pages that are requested with a trailing slash, capitals or `index.html`, as people and other sites write them. */
import type { IncomingMessage } from 'node:http';
import { callNames } from '../contract/calls.ts';
import { bookPath } from './booking/book-page.ts';
import { bookingPrefix } from './booking/booking-page.ts';
import { documentAt } from './pages/documents.ts';
import { headerSafeUrl, pathOf } from './request/url.ts';

const bookPages = new Set(callNames.map(bookPath));

const isPage = (path: string) => bookPages.has(path) || documentAt(path) !== undefined;

/** The path of a booking or of its calendar file, whether it exists or not. */
const booking = new RegExp(`^${bookingPrefix}[\\w.-]+$`);

/**
 * The exact URL of the page that a GET or HEAD requests in another spelling; undefined when the path is exact
 * or no page has it.
 */
export function exactUrlOf(req: IncomingMessage): string | undefined {
  const url = headerSafeUrl(req);
  if (url === undefined || !/^(GET|HEAD)$/.test(req.method ?? '')) return undefined;
  const path = pathOf(req);
  const open = path.replace(/\/(index\.html)?$/i, '') || '/';
  // The token of a booking is case-sensitive.
  const exact = booking.test(open) ? open : [open, open.toLowerCase()].find(isPage);
  if (exact === undefined || exact === path) return undefined;
  return encodeURI(exact) + (/\?.*/.exec(url)?.[0] ?? '');
}
