/** Checks which host a request is for, before anything else reads it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { type ErrorResponse, errorResponse, sentences } from '../trpc/errors.ts';
import { drain } from './body.ts';
import { checkoutPath } from './checkout.ts';
import { sendErrorResponse } from './error-response.ts';
import { pathOf } from './pages.ts';
import type { Trust } from './trust-proxy.ts';

/** A name or an address, and perhaps a port: no user, path or anything else that a URL may hold. */
const hostPattern = /^([a-z\d._-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;
const maxHostLength = 255;

interface HostCheckOptions {
  trust: Trust;
  /** The site's own origin, when the owner has set one. */
  publicOrigin: string | undefined;
  /** Paths that answer under any host: probes ask for an instance, not for the site. */
  anyHost: ReadonlySet<string>;
  log: Log;
}

/**
 * Makes the check. It answers a request with 400 when its Host is missing, doubled or malformed. With a
 * public origin it redirects pages under another host, and answers 421 to any other call there. Returns
 * whether the request goes on; its `host` header then holds the checked host, in lower case.
 */
export function createHostCheck({ trust, publicOrigin, anyHost, log }: HostCheckOptions) {
  const own = publicOrigin === undefined ? undefined : new URL(publicOrigin);
  let hasWarned = false;

  /** Also without the port: nginx's `$host` lacks it. */
  const isOwn = (host: string, { protocol, host: ownHost, hostname }: URL) =>
    host === ownHost || [ownHost, hostname].includes(new URL(`${protocol}//${host}`).host);

  const warn = (host: string) => {
    if (hasWarned) return;
    hasWarned = true;
    log.warn(
      { host, publicUrl: publicOrigin },
      'a request came for a host other than PUBLIC_URL: a proxy in front must pass Host or X-Forwarded-Host',
    );
  };

  return function checkHost(req: IncomingMessage, res: ServerResponse): boolean {
    const isProbe = anyHost.has(pathOf(req));
    // HTTP/1.0 knows no Host, and HAProxy's `option httpchk` sends HTTP/1.0.
    const lacksHost = req.headers.host === undefined && req.httpVersion === '1.0';
    const asked = isProbe && lacksHost ? (own?.host ?? 'localhost') : hostOf(req);
    if (asked === undefined) return refuse(res, errorResponse(400, sentences.badHost));
    req.headers.host = asked.toLowerCase();
    // Without PUBLIC_URL the host gets into answers that caches share, and many proxies pass on a
    // visitor's own X-Forwarded-Host.
    if (!own) return true;
    const forwarded = forwardedHostOf(req, own);
    const host = forwarded ?? req.headers.host;
    req.headers.host = isOwn(host, own) ? own.host : host;
    if (isProbe || req.headers.host === own.host) return true;
    if (forwarded === undefined) warn(host);
    const isPage = isPagePath(pathOf(req)) && /^(GET|HEAD)$/.test(req.method ?? '');
    // A path, and nothing that a header cannot hold: Node before 20.19.2 parses control characters.
    const path = /^\/[!-~]*$/.exec(req.url ?? '')?.[0];
    if (isPage && path !== undefined) return redirect(res, own.origin + path);
    return refuse(res, errorResponse(421, sentences.wrongHost));
  };

  /** The host that the visitor asked a proxy for; the first, when there are several proxies. */
  function forwardedHostOf(req: IncomingMessage, own: URL): string | undefined {
    const value = req.headers['x-forwarded-host'];
    const first =
      typeof value === 'string' ? value.split(',', 1)[0]?.trim().toLowerCase() : undefined;
    if (first === undefined || !isHost(first)) return undefined;
    // Any client could send the own host as Host, so that one needs no trusted proxy.
    return isOwn(first, own) || trust(req.socket.remoteAddress ?? '', 0) ? first : undefined;
  }
}

/** Visitors follow a link to the checkout, so it counts as a page. */
const isPagePath = (path: string) => path === checkoutPath || !/^\/api(\/|$)/.test(path);

/** The only Host header, when it is well-formed. */
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

function redirect(res: ServerResponse, location: string): false {
  // Browsers keep a 308 for ever without `no-store`, and the owner may change the address.
  res
    .writeHead(308, { Location: location, 'Content-Length': 0, 'Cache-Control': 'no-store' })
    .end();
  return false;
}

function refuse(res: ServerResponse, fault: ErrorResponse): false {
  void drain(res.req).then(() => sendErrorResponse(res, fault));
  return false;
}
