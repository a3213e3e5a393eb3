/** What procedures may know of a request, read from its headers once. */
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { RequestInfo } from '../trpc/context.ts';
import type { Trust } from './trust-proxy.ts';

export interface RequestInfoOptions {
  /** Which hops may be believed about the visitor's address. */
  trust: Trust;
  /** The site's own origin, when the owner has set one. */
  publicOrigin: string | undefined;
}

/** The address block that a request counts for. */
export const addressBlockOf = (req: IncomingMessage, trust: Trust) =>
  addressBlock(addressOf(req, trust));

export function requestInfoOf(
  req: IncomingMessage,
  { trust, publicOrigin }: RequestInfoOptions,
): RequestInfo {
  const header = (name: string) => {
    const value = req.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const host = header('host') ?? '';
  const site = header('sec-fetch-site');
  const origin = header('origin');
  return {
    addressBlock: addressBlockOf(req, trust),
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
    idempotencyKey: keyOf(header('idempotency-key')),
  };
}

/** The site's own origin as this visitor knows it: the owner's, or else the one that was asked for. */
export function originOf(
  req: IncomingMessage,
  { trust, publicOrigin }: RequestInfoOptions,
): string {
  if (publicOrigin !== undefined) return publicOrigin;
  return `${isHttps(req, trust) ? 'https' : 'http'}://${req.headers.host}`;
}

/** Whether a proxy that is believed says that the visitor came by https. */
export const isHttps = (req: IncomingMessage, trust: Trust): boolean =>
  req.headers['x-forwarded-proto'] === 'https' && trust(req.socket.remoteAddress ?? '', 0);

const isPrefetch = (purpose: string | undefined) =>
  purpose !== undefined && /prefetch|prerender/.test(purpose);

/** Token of `Authorization: Bearer …`. */
export const bearerOf = (authorization: string | undefined) =>
  authorization === undefined ? undefined : /^Bearer (\S+)$/i.exec(authorization)?.[1];

/** A name that could be one, also in the quotes that the header's draft standard wants. */
const keyOf = (key: string | undefined) =>
  key === undefined ? undefined : /^"?([\w-]{16,64})"?$/.exec(key)?.[1];

/**
 * Browsers say where a request comes from, and pages cannot forge it. A request that says nothing
 * is no browser's, so there is no cookie to misuse.
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
 * The visitor's address as the trusted proxies tell it. What is no address was made up by somebody
 * whom no proxy stands before: as a key it would be new each time and of any length, so whoever
 * really sent it counts.
 */
function addressOf(req: IncomingMessage, trust: Trust): string | undefined {
  const told = bareAddress(proxyAddr(req, (address, hop) => trust(bareAddress(address), hop)));
  return isIP(told) ? told : req.socket.remoteAddress;
}

/** An address without the port that some proxies append, which is another for each connection. */
function bareAddress(text = ''): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? [];
  return bracketed ?? dotted ?? text;
}

/** An IPv4 address, or the /64 network of an IPv6 one: what one household or attacker holds. */
export function addressBlock(address: string | undefined): string {
  if (!address) return 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
