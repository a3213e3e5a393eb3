/** Checks whether a page of the site can show a calendar in a frame. A page cannot detect this itself. */
import { isLoopback } from '../../text/loopback.ts';
import { isUpgrade, mayBeFramed } from './frame-headers.ts';

/**
 * - `ok`: the calendar can be framed.
 * - `refuses`: its headers forbid it.
 * - `moved`: it redirects to another host, or is not https while the site is. Browsers block both,
 *   since the site's content security policy allows the configured host only.
 * - `broken`: it responds with 404, 410 or a server error.
 * - `unknown`: no certain result, such as a network failure, a timeout, or a status that rejects
 *   programs. A browser may still be able to show it.
 */
export type FrameVerdict = 'ok' | 'refuses' | 'moved' | 'broken' | 'unknown';

export interface ProbeOptions {
  /** The site's own origin (PUBLIC_URL); undefined when it is not known. */
  origin: string | undefined;
  /** Timeout of the whole check in ms, including redirects. */
  timeout: number;
  /** Aborts the check; the verdict is `unknown`. */
  signal?: AbortSignal;
  fetch?: typeof globalThis.fetch;
}

const maxRedirects = 5;

/**
 * Requests `address` and judges the response headers. Follows redirects on the same host only, so that
 * a response cannot direct it elsewhere. Never rejects.
 */
export async function probeFrame(address: string, options: ProbeOptions): Promise<FrameVerdict> {
  const timedOut = AbortSignal.timeout(options.timeout);
  const signal = options.signal ? AbortSignal.any([options.signal, timedOut]) : timedOut;
  try {
    return await followRedirects(new URL(address), { ...options, signal });
  } catch {
    return 'unknown';
  }
}

async function followRedirects(
  start: URL,
  { origin, signal, fetch = globalThis.fetch }: ProbeOptions,
): Promise<FrameVerdict> {
  let address = start;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    if (!isAllowed(address, { start, origin })) return 'moved';
    const response = await fetch(address, {
      redirect: 'manual',
      headers: requestHeaders(origin),
      ...(signal && { signal }),
    });
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || !location) {
      return verdictOf(response, { address, origin });
    }
    address = new URL(location, address);
  }
  return 'unknown';
}

/** Whether a browser on the site would load `address` in a frame that was opened with `start`. */
function isAllowed(
  address: URL,
  { start, origin }: { start: URL; origin: string | undefined },
): boolean {
  if (address.origin !== start.origin && !isUpgrade({ from: start, to: address })) return false;
  const isMixedContent = origin?.startsWith('https:') && address.protocol === 'http:';
  return !isMixedContent || isLoopback(address.href);
}

function verdictOf(
  { status, headers }: Response,
  location: { address: URL; origin: string | undefined },
): FrameVerdict {
  if (status === 404 || status === 410 || status >= 500) return 'broken';
  // Other 4xx responses, with their headers, are often meant for programs only.
  if (status < 200 || status > 299) return 'unknown';
  const frameHeaders = {
    xFrameOptions: headers.get('x-frame-options'),
    contentSecurityPolicy: headers.get('content-security-policy'),
  };
  return mayBeFramed(frameHeaders, location) ? 'ok' : 'refuses';
}

/** Identifies the site, and adds the headers that a browser sends when it loads a frame. */
const requestHeaders = (origin: string | undefined) => ({
  'User-Agent': `Shingle (checks that this calendar can be shown on ${origin ?? 'a site'})`,
  Accept: 'text/html,*/*;q=0.8',
  'Sec-Fetch-Dest': 'iframe',
  ...(origin && { Referer: `${origin}/` }),
});
