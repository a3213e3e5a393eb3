/** Validates the Host header before anything else reads it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../log.ts';
import { errorResponse } from '../../trpc/errors.ts';
import { checkoutPath } from '../checkout.ts';
import { sendErrorResponse, sendRedirect } from '../response.ts';
import type { Trust } from './request-info.ts';
import { headerSafeUrl, pathOf } from './url.ts';

/** A name or an IP address with an optional port, and no other part of a URL. */
const hostPattern = /^([a-z\d._-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;
const maxHostLength = 255;

interface HostCheckOptions {
  trust: Trust;
  /** The site's own origin, when the owner has set one. */
  publicOrigin: string | undefined;
  /** Paths that any host may request: probes address an instance, not the site. */
  anyHostPaths: ReadonlySet<string>;
  log: Log;
}

/**
 * Creates the middleware: 400 for a missing, repeated or malformed Host; with a public origin, a redirect
 * (pages) or 421 (API) for any other host. Later handlers read the valid host, in lower case.
 */
export function createHostCheck({ trust, publicOrigin, anyHostPaths, log }: HostCheckOptions) {
  const own = publicOrigin === undefined ? undefined : new URL(publicOrigin);
  let hasWarned = false;

  /** Accepts the host without its port, too, because nginx's `$host` omits it. */
  const isOwn = (host: string, { protocol, host: ownHost, hostname }: URL) =>
    host === ownHost || [ownHost, hostname].includes(new URL(`${protocol}//${host}`).host);

  const warn = (host: string) => {
    if (hasWarned) return;
    hasWarned = true;
    log.warn(
      { host, publicUrl: publicOrigin },
      'request for a host other than PUBLIC_URL: make the proxy in front pass Host or X-Forwarded-Host',
    );
  };

  return function checkHost(req: IncomingMessage, res: ServerResponse, next: () => void) {
    const isProbe = anyHostPaths.has(pathOf(req));
    // HTTP/1.0 has no Host header, and HAProxy's `option httpchk` sends HTTP/1.0.
    const lacksHost = req.headers.host === undefined && req.httpVersion === '1.0';
    const requested = isProbe && lacksHost ? (own?.host ?? 'localhost') : hostOf(req);
    if (requested === undefined) return sendErrorResponse(res, errorResponse('INVALID_HOST'));
    req.headers.host = requested.toLowerCase();
    // Many proxies pass on a visitor's own X-Forwarded-Host. Without PUBLIC_URL it would end up in
    // responses that shared caches store (cache poisoning).
    if (!own) return next();
    const forwarded = forwardedHostOf(req, own);
    const host = forwarded ?? req.headers.host;
    req.headers.host = isOwn(host, own) ? own.host : host;
    if (isProbe || req.headers.host === own.host) return next();
    if (forwarded === undefined) warn(host);
    const isPage = isPagePath(pathOf(req)) && /^(GET|HEAD)$/.test(req.method ?? '');
    const path = headerSafeUrl(req);
    if (isPage && path !== undefined) return sendRedirect(res, 308, own.origin + path);
    return sendErrorResponse(res, errorResponse('WRONG_HOST'));
  };

  /** The host that the visitor requested from the proxy; with several proxies, the first value. */
  function forwardedHostOf(req: IncomingMessage, own: URL): string | undefined {
    const value = req.headers['x-forwarded-host'];
    const first =
      typeof value === 'string' ? value.split(',', 1)[0]?.trim().toLowerCase() : undefined;
    if (first === undefined || !isHost(first)) return undefined;
    // The site's own host needs no trusted proxy, because any client could send it as Host.
    return isOwn(first, own) || trust(req.socket.remoteAddress ?? '', 0) ? first : undefined;
  }
}

/** The checkout is a page, because visitors follow a link to it. */
const isPagePath = (path: string) => path === checkoutPath || !/^\/api(\/|$)/.test(path);

/** The Host header, if there is exactly one and it is well-formed. */
function hostOf({ rawHeaders }: IncomingMessage): string | undefined {
  let found: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[i + 1] ?? '';
  }
  return found !== undefined && isHost(found) ? found : undefined;
}

const isHost = (text: string) =>
  text.length <= maxHostLength && hostPattern.test(text) && URL.canParse(`http://${text}`);
