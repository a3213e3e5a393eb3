/** Requests to addresses that the owner typed, which must not lead into the network of the server. */
import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import net, { isIP, type LookupFunction } from 'node:net';
import { AppError } from '../errors.ts';
import { isPublicAddress } from './public-address.ts';

/** How to reach other servers. */
export interface OutboundOptions {
  /** Whether to connect to this IP address; by default to public ones only. */
  isAllowed?: ((address: string) => boolean) | undefined;
  /** Host names and IP addresses, in lower case, that it may connect to wherever they are. */
  localHosts?: readonly string[] | undefined;
  /** Resolves host names, as `dns.lookup` does. */
  lookup?: typeof dns.lookup | undefined;
  /** The certificates to trust instead of those of public authorities, in PEM format. */
  ca?: string | undefined;
}

/**
 * Requests this `http:` or `https:` address, by default with GET; resolves with any response, also a redirect, which
 * the caller must read or destroy. Connects to allowed IP addresses only and rejects with `LOCAL_NETWORK`
 * where there is none; with Node's error otherwise.
 */
export function request(
  url: URL,
  {
    isAllowed: isAllowedAddress = isPublicAddress,
    localHosts,
    lookup = dns.lookup,
    body,
    ...options
  }: OutboundOptions &
    Pick<http.RequestOptions, 'headers' | 'method' | 'signal'> & { body?: string },
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const host = hostOf(url);
    const isAllowed = localHosts?.includes(host) ? () => true : isAllowedAddress;
    // Node connects to an IP address without a lookup.
    if (isIP(host) && !isAllowed(host)) return reject(localNetwork());
    const { request: send } = url.protocol === 'https:' ? https : http;
    // A connection of its own: those of a pool were made without this lookup.
    send(url, { ...options, agent: false, lookup: filteredLookup(lookup, isAllowed) }, resolve)
      .on('error', reject)
      // Node emits no error when it closes the connection of a 101 response.
      .on('close', () => reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })))
      .end(body);
  });
}

/** Connects to this host and port; rejects as `request` does. The socket closes after `timeoutMs` without a connection. */
export function openSocket(
  { host, port, timeoutMs }: { host: string; port: number; timeoutMs: number },
  {
    isAllowed: isAllowedAddress = isPublicAddress,
    localHosts,
    lookup = dns.lookup,
  }: OutboundOptions,
): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const isAllowed = localHosts?.includes(host.toLowerCase()) ? () => true : isAllowedAddress;
    if (isIP(host) && !isAllowed(host)) return reject(localNetwork());
    const socket = net.connect({ host, port, lookup: filteredLookup(lookup, isAllowed) });
    socket.once('error', reject);
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' })),
    );
    socket.once('connect', () => {
      socket.removeAllListeners('timeout').setTimeout(0).off('error', reject);
      resolve(socket);
    });
  });
}

/** The name or IP address to connect to: that of IPv6 is in brackets in a URL. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** A lookup whose result contains only allowed addresses, so that the check and the connection agree. */
const filteredLookup =
  (lookup: typeof dns.lookup, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (!first) return callback(localNetwork(), '');
      if (options.all) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };

const localNetwork = () =>
  new AppError(
    'LOCAL_NETWORK',
    'The address leads into a local network. Use one that is reachable from the internet.',
  );
