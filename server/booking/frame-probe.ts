/** Asks a calendar whether a page of ours can show it in a frame. A browser could not tell us. */
import { isUpgrade, mayBeFramed } from './frame-headers.ts';

/**
 * - `ok`: it can be shown.
 * - `refuses`: its headers forbid our page to frame it.
 * - `moved`: it leads on to another host, or is not https while our page is: browsers stop the frame
 *   (our own content policy lets in the configured host only).
 * - `broken`: it answers, but with 404, 410 or a failure of its own.
 * - `unknown`: nothing certain was heard: no network, no such host, no answer in time, a visitor of
 *   our kind is not let in. It says nothing about what a browser would see.
 */
export type FrameVerdict = 'ok' | 'refuses' | 'moved' | 'broken' | 'unknown';

export interface ProbeOptions {
  /** The site's own origin (PUBLIC_URL), when it is known. */
  origin: string | undefined;
  /** Milliseconds the whole question may take, redirects included. */
  timeout: number;
  /** Gives the question up; the verdict is `unknown`. */
  signal?: AbortSignal;
  fetch?: typeof globalThis.fetch;
}

const redirectLimit = 5;

/**
 * Reads the headers of `address` and nothing else. Follows redirects on the calendar's own host
 * alone, so an answer can lead it nowhere else. Never throws.
 */
export async function probeFrame(address: string, options: ProbeOptions): Promise<FrameVerdict> {
  const { origin, timeout, signal: given } = options;
  const late = AbortSignal.timeout(timeout);
  const signal = given ? AbortSignal.any([given, late]) : late;
  try {
    return await follow(new URL(address), { ...options, origin, signal });
  } catch {
    return 'unknown';
  }
}

async function follow(
  first: URL,
  { origin, signal, fetch = globalThis.fetch }: ProbeOptions,
): Promise<FrameVerdict> {
  let address = first;
  for (let hop = 0; hop <= redirectLimit; hop += 1) {
    if (!isLetIn(address, { first, origin })) return 'moved';
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: headersFor(origin),
      ...(signal && { signal }),
    });
    await answer.body?.cancel();
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status > 399 || !location) {
      return verdictOn(answer, { address, origin });
    }
    address = new URL(location, address);
  }
  return 'unknown';
}

/** Whether a browser on our page would load `address` in the frame of the configured one. */
function isLetIn(
  address: URL,
  { first, origin }: { first: URL; origin: string | undefined },
): boolean {
  if (address.origin !== first.origin && !isUpgrade({ from: first, to: address })) return false;
  const isMixed = origin?.startsWith('https:') && address.protocol === 'http:';
  return !isMixed || isLoopback(address.hostname);
}

const isLoopback = (host: string) =>
  host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host) || /(^|\.)localhost$/.test(host);

function verdictOn(
  { status, headers }: Response,
  place: { address: URL; origin: string | undefined },
): FrameVerdict {
  if (status === 404 || status === 410 || status >= 500) return 'broken';
  // Others of 400 and up are often meant for programs alone, and their headers with them.
  if (status < 200 || status > 299) return 'unknown';
  const given = {
    xFrameOptions: headers.get('x-frame-options'),
    contentSecurityPolicy: headers.get('content-security-policy'),
  };
  return mayBeFramed(given, place) ? 'ok' : 'refuses';
}

/** Who is asking, and what a browser would add that loads a frame. */
const headersFor = (origin: string | undefined) => ({
  'User-Agent': `Shingle (checks that this calendar can be shown on ${origin ?? 'a site'})`,
  Accept: 'text/html,*/*;q=0.8',
  'Sec-Fetch-Dest': 'iframe',
  ...(origin && { Referer: `${origin}/` }),
});
