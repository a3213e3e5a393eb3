/** Checks which host a request is for, before anything else reads it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fault, faultWith, sentences } from '../errors.ts';
import type { Log } from '../log.ts';
import { drain } from './body.ts';
import { sendFault } from './fault.ts';
import { pathOf } from './pages.ts';
import type { Trust } from './trust.ts';

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

  /** Without the port that is the scheme's own. */
  const isOwn = (host: string, { protocol, host: ownHost }: URL) =>
    host === ownHost || new URL(`${protocol}//${host}`).host === ownHost;

  const warn = (host: string) => {
    if (hasWarned) return;
    hasWarned = true;
    log.warn(
      { host, publicUrl: publicOrigin },
      'a request came for a host other than PUBLIC_URL: a proxy in front must pass Host or X-Forwarded-Host',
    );
  };

  return function checkHost(req: IncomingMessage, res: ServerResponse): boolean {
    const asked = hostOf(req);
    if (asked === undefined) return refuse(res, faultWith(400, sentences.badHost));
    const forwarded = trust(req.socket.remoteAddress ?? '', 0) ? forwardedHostOf(req) : undefined;
    const host = (forwarded ?? asked).toLowerCase();
    req.headers.host = host;
    if (!own || isOwn(host, own)) return true;
    if (anyHost.has(pathOf(req))) return true;
    if (forwarded === undefined) warn(host);
    const isPage = !/^\/api(\/|$)/.test(pathOf(req)) && /^(GET|HEAD)$/.test(req.method ?? '');
    // A path, and nothing that a header cannot hold: Node before 20.19.2 parses control characters.
    const path = /^\/[!-~]*$/.exec(req.url ?? '')?.[0];
    if (isPage && path !== undefined) return redirect(res, own.origin + path);
    return refuse(res, faultWith(421, sentences.wrongHost));
  };
}

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

/** The host that the visitor asked a trusted proxy for; the first, when there are several proxies. */
function forwardedHostOf(req: IncomingMessage): string | undefined {
  const told = req.headers['x-forwarded-host'];
  const first = typeof told === 'string' ? told.split(',', 1)[0]?.trim() : undefined;
  return first !== undefined && isHost(first) ? first : undefined;
}

const isHost = (text: string) =>
  text.length <= maxHostLength && hostPattern.test(text) && URL.canParse(`http://${text}`);

function redirect(res: ServerResponse, location: string): false {
  // Browsers keep a 308 for ever unless told otherwise, and the owner may change the address.
  res
    .writeHead(308, { Location: location, 'Content-Length': 0, 'Cache-Control': 'no-store' })
    .end();
  return false;
}

function refuse(res: ServerResponse, fault: Fault): false {
  void drain(res.req).then(() => sendFault(res, fault));
  return false;
}
