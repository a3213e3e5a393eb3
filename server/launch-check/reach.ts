/** Checks whether a URL responds. */
import { lookup } from 'node:dns/promises';
import { isPublicAddress } from '../booking/busy/public-address.ts';
import { codeOf } from '../errors.ts';

/** How to make requests; tests replace it. */
export interface NetworkOptions {
  fetch: typeof globalThis.fetch;
  /** Timeout of a request, in milliseconds. */
  timeout: number;
}

/**
 * - `ok`: it responds.
 * - `missing`: the page does not exist (404, 410).
 * - `failing`: a server error (5xx).
 * - `blocked`: another status, often for programs only. What a browser gets is unknown.
 * - `timeout`: no response in time; `detail` is the timeout in ms.
 * - `unreachable`: no response at all; `detail` is the system's error code.
 *
 * With a response, `detail` is its status.
 */
export interface Reach {
  state: 'ok' | 'missing' | 'failing' | 'blocked' | 'timeout' | 'unreachable';
  detail: string;
}

const maxRedirects = 5;

/**
 * Requests `address` and follows redirects, but to another host only if that is a public one, so that a
 * response cannot direct it into the local network. Never rejects.
 */
export async function reach(address: string, { fetch, timeout }: NetworkOptions): Promise<Reach> {
  try {
    const start = new URL(address);
    const signal = AbortSignal.timeout(timeout);
    let url = start;
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(url, { signal, redirect: 'manual', headers });
      await response.body?.cancel();
      const next = redirectOf(response, url);
      const isEnd = next === undefined || redirects === maxRedirects;
      if (isEnd || !(next.host === start.host || (await isPublic(next)))) {
        return { state: stateOf(response.status), detail: String(response.status) };
      }
      url = next;
    }
  } catch (error) {
    const { name, cause } = error as Error;
    if (name === 'TimeoutError') return { state: 'timeout', detail: String(timeout) };
    return { state: 'unreachable', detail: codeOf(cause) ?? codeOf(error) ?? 'no response' };
  }
}

const headers = { 'User-Agent': 'Shingle (checks the links of a site)', Accept: 'text/html,*/*' };

function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location');
  const isRedirect = status >= 300 && status < 400 && location !== null;
  return isRedirect && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

async function isPublic({ hostname }: URL): Promise<boolean> {
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
  return addresses.every(({ address }) => isPublicAddress(address));
}

function stateOf(status: number): Reach['state'] {
  if (status === 404 || status === 410) return 'missing';
  // LinkedIn responds to programs with 999.
  if (status >= 500 && status < 600) return 'failing';
  return status < 400 ? 'ok' : 'blocked';
}
