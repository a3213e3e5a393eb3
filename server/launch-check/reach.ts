/** Checks whether a URL responds. */
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

/** Requests `address` once and follows redirects. Never rejects. */
export async function reach(address: string, { fetch, timeout }: NetworkOptions): Promise<Reach> {
  try {
    const response = await fetch(address, {
      signal: AbortSignal.timeout(timeout),
      headers: { 'User-Agent': 'Shingle (checks the links of a site)', Accept: 'text/html,*/*' },
    });
    await response.body?.cancel();
    return { state: stateOf(response.status), detail: String(response.status) };
  } catch (error) {
    const { name, cause } = error as Error;
    if (name === 'TimeoutError') return { state: 'timeout', detail: String(timeout) };
    return { state: 'unreachable', detail: codeOf(cause) ?? codeOf(error) ?? 'no response' };
  }
}

function stateOf(status: number): Reach['state'] {
  if (status === 404 || status === 410) return 'missing';
  // LinkedIn responds to programs with 999.
  if (status >= 500 && status < 600) return 'failing';
  return status < 400 ? 'ok' : 'blocked';
}
