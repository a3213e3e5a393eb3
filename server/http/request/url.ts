/** Reads the path and the query of a request's URL. */
import type { IncomingMessage } from 'node:http';

/** The decoded path of the request; the raw path when decoding fails. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const path = url.split(/[?#]/, 1)[0] ?? '/';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * The URL of the request, for a `Location` header; undefined unless it is a path of characters that a header
 * may contain: Node before 20.19.2 accepts control characters in a URL.
 */
export const headerSafeUrl = ({ url = '/' }: IncomingMessage): string | undefined =>
  /^\/[!-~]*$/.exec(url)?.[0];

/** The query parameters of the request. */
export function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
}
