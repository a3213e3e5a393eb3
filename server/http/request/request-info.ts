/** Reads the headers of a request into the `RequestInfo` of procedures. */
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import type { Request } from 'express';
import type { RequestInfo } from '../../app/context.ts';
import type { ProxySample } from '../../health/proxy-monitor.ts';

/** Whether the proxy at `address`, `hop` hops away from this server, is trusted. */
export type Trust = (address: string, hop: number) => boolean;

/** What a request tells the proxy monitor; `counted` is its address block. */
export function proxySampleOf({ headers }: IncomingMessage, counted: string): ProxySample {
  const visitor = headers['cf-connecting-ip'];
  const isCloudflare = typeof visitor === 'string' && addressBlock(visitor) !== counted;
  return {
    // Cloudflare's servers have many addresses.
    address: isCloudflare ? 'Cloudflare' : counted,
    sender: `${visitor ?? headers['x-forwarded-for'] ?? ''} ${headers['user-agent']}`.slice(0, 300),
  };
}

/** The address block that a request is counted under. */
export const addressBlockOf = (req: Request) => addressBlock(addressOf(req));

/** The request info of a request, for the context of procedures. `publicOrigin` is PUBLIC_URL. */
export function requestInfoOf(req: Request, publicOrigin: string | undefined): RequestInfo {
  const header = (name: string) => req.get(name);
  const host = header('host') ?? '';
  const site = header('sec-fetch-site');
  const origin = header('origin');
  return {
    addressBlock: addressBlockOf(req),
    host,
    userAgent: header('user-agent') ?? '',
    isForeign: isForeign(site, origin, { host, publicOrigin }),
    isFromBrowser: site !== undefined || origin !== undefined,
    referrer: header('referer') ?? '',
    isNavigation:
      (header('sec-fetch-mode') ?? 'navigate') === 'navigate' &&
      (header('sec-fetch-dest') ?? 'document') === 'document',
    isPrefetch: isPrefetch(header('sec-purpose') ?? header('purpose')),
    wantsPrivacy: header('sec-gpc') === '1',
    bearer: bearerOf(header('authorization')),
    idempotencyKey: idempotencyKeyOf(header('idempotency-key')),
  };
}

/** The site's origin: PUBLIC_URL, or else the one that the visitor requested. */
export function originOf(
  req: IncomingMessage,
  { trust, publicOrigin }: { trust: Trust; publicOrigin: string | undefined },
): string {
  if (publicOrigin !== undefined) return publicOrigin;
  const isHttps =
    req.headers['x-forwarded-proto'] === 'https' && trust(req.socket.remoteAddress ?? '', 0);
  return `${isHttps ? 'https' : 'http'}://${req.headers.host}`;
}

const isPrefetch = (purpose: string | undefined) =>
  purpose !== undefined && /prefetch|prerender/.test(purpose);

/** What follows `Bearer` in an `Authorization` header; undefined without one of this scheme. */
export function bearerOf(authorization: string | undefined): string | undefined {
  const [isBearer, token = ''] = /^Bearer(?: +(.*))?$/i.exec(authorization ?? '') ?? [];
  return isBearer === undefined ? undefined : token;
}

/** A valid idempotency key, with or without the quotes of the header's IETF draft. */
const idempotencyKeyOf = (key: string | undefined) =>
  key === undefined ? undefined : /^"?([\w-]{16,64})"?$/.exec(key)?.[1];

/**
 * Whether another site's page sent the request (CSRF). Browsers send `Sec-Fetch-Site` or `Origin`, which pages
 * cannot forge; a request without both is not from a browser and has no cookie to misuse.
 */
function isForeign(
  site: string | undefined,
  origin: string | undefined,
  own: { host: string; publicOrigin: string | undefined },
): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  if (origin === own.publicOrigin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== own.host;
}

/**
 * The visitor's address according to the trusted proxies. When that is not an IP address, a client without a
 * proxy forged it: then the peer's address counts, since forged rate limit keys would be unbounded.
 */
function addressOf(req: Request): string | undefined {
  const forwarded = bareAddress(req.ip);
  return isIP(forwarded) ? forwarded : req.socket.remoteAddress;
}

/** An address without the port that some proxies append: the port differs for each connection. */
export function bareAddress(text = ''): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? [];
  return bracketed ?? dotted ?? text;
}

/** An IPv4 address, or the /64 network of an IPv6 address, which one household or attacker controls. */
function addressBlock(address: string | undefined): string {
  if (!address) return 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back];
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  // An IPv4 address in hexadecimal: `::ffff:cb00:71c9`.
  if (numbers.slice(0, 6).join() === '0,0,0,0,0,65535') {
    return numbers
      .slice(6)
      .flatMap((pair) => [pair >> 8, pair & 255])
      .join('.');
  }
  return `${numbers
    .slice(0, 4)
    .map((number) => number.toString(16))
    .join(':')}::/64`;
}
