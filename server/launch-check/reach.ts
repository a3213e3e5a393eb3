/** Checks whether a URL responds. */
import type { IncomingMessage } from 'node:http';
import { codeOf, isAppError } from '../errors.ts';
import { type OutboundOptions, request } from '../outbound/request.ts';

export interface NetworkOptions extends OutboundOptions {
  /** For an address with all its redirects. */
  timeoutMs: number;
}

/**
 * - `ok`: it responds.
 * - `missing`: the page does not exist (404, 410).
 * - `failing`: a server error (5xx).
 * - `blocked`: another status, often for programs only. What a browser gets is unknown.
 * - `timeout`: no response in time; `detail` is the timeout in ms.
 * - `local`: it leads into a local network, which got no request.
 * - `untrusted`: its certificate is not accepted; `detail` is Node's error code.
 * - `insecure`: it does not speak TLS; `detail` is Node's error code.
 * - `unreachable`: no response at all; `detail` is the system's error code.
 *
 * With a response, `detail` is its status.
 */
export interface Reach {
  state:
    | 'ok'
    | 'missing'
    | 'failing'
    | 'blocked'
    | 'timeout'
    | 'local'
    | 'untrusted'
    | 'insecure'
    | 'unreachable';
  detail: string;
}

const maxRedirects = 5;

/**
 * Requests `address` and follows redirects, by connections to public addresses only. Of a response it reads
 * the status and the target of a redirect. Never rejects.
 */
export async function reach(
  address: string,
  { timeoutMs, ...outbound }: NetworkOptions,
): Promise<Reach> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    let url = new URL(address);
    for (let redirects = 0; ; redirects += 1) {
      const response = await request(url, { ...outbound, headers, signal });
      response.destroy();
      const next = redirectOf(response, url);
      if (next === undefined || redirects === maxRedirects) return resultOf(response);
      url = next;
    }
  } catch (error) {
    if (isAppError(error, 'LOCAL_NETWORK')) return { state: 'local', detail: '' };
    if (signal.aborted) return { state: 'timeout', detail: String(timeoutMs) };
    const code = codeOf(error) ?? 'no response';
    if (/CERT|^(UNABLE_TO|INVALID)_/.test(code)) return { state: 'untrusted', detail: code };
    if (/^(EPROTO$|ERR_SSL_)/.test(code)) return { state: 'insecure', detail: code };
    return { state: 'unreachable', detail: code };
  }
}

const headers = { 'User-Agent': 'Shingle (checks the links of a site)', Accept: 'text/html,*/*' };

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  const { location } = headers;
  if (statusCode < 300 || statusCode >= 400 || location === undefined) return undefined;
  if (!URL.canParse(location, from.href)) return undefined;
  const url = new URL(location, from);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

const resultOf = ({ statusCode = 0 }: IncomingMessage): Reach => ({
  state: stateOf(statusCode),
  detail: String(statusCode),
});

function stateOf(status: number): Reach['state'] {
  if (status === 404 || status === 410) return 'missing';
  // LinkedIn responds to programs with 999.
  if (status >= 500 && status < 600) return 'failing';
  return status < 400 ? 'ok' : 'blocked';
}
