/** Fetches the owner's calendar from its secret address. */
import type http from 'node:http';
import { isIP } from 'node:net';
import { createGunzip } from 'node:zlib';
import { codeOf, isAppError } from '../../errors.ts';
import { isLoopbackAddress } from '../../outbound/public-address.ts';
import { hostOf, type OutboundOptions, request } from '../../outbound/request.ts';
import { CalendarError } from './errors.ts';
import { maxBytes, tooLarge } from './filter.ts';

const maxRedirects = 5;

export interface FetchOptions extends OutboundOptions {
  /** `etag` and `lastModified` of the previous response, so that an unchanged calendar is not sent. */
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** Limit for the whole exchange: redirects and the body. */
  timeoutMs?: number;
}

export type FetchedCalendar =
  | { isUnchanged: true }
  | {
      isUnchanged: false;
      etag: string | undefined;
      lastModified: string | undefined;
      /** The decompressed file. Iterating rejects with a `CalendarError` when it breaks off. */
      body: AsyncIterable<Buffer>;
    };

/**
 * Fetches the calendar at this `https:` or `webcal:` address. Follows at most 5 redirects. Connects to
 * public network addresses only, except, without `isAllowed`, when the given address itself is on this machine, where
 * `http:` is allowed. Rejects with a `CalendarError` that contains no more of an address than its host name.
 */
export async function fetchCalendar(
  address: string,
  { etag, lastModified, timeoutMs = 20_000, ...outbound }: FetchOptions = {},
): Promise<FetchedCalendar> {
  const first = urlOf(address);
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = {
    accept: 'text/calendar',
    'accept-encoding': 'gzip',
    'user-agent': 'Shingle',
    ...(etag && { 'if-none-match': etag }),
    ...(lastModified && { 'if-modified-since': lastModified }),
  };
  let url = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const isLocal =
      outbound.isAllowed === undefined && isOnThisMachine(first) && url.origin === first.origin;
    checkProtocol(url, isLocal);
    const response = await request(url, {
      ...outbound,
      ...(isLocal && { isAllowed: isLoopbackAddress }),
      // Only the owner names them, no redirect.
      ...(url.origin !== first.origin && { localHosts: undefined }),
      headers,
      signal,
    }).catch((error: unknown) => {
      throw failure(url, error, signal);
    });
    const { statusCode: status = 0 } = response;
    if (status === 200) {
      return {
        isUnchanged: false,
        etag: response.headers.etag,
        lastModified: response.headers['last-modified'],
        body: bodyOf(response, url, signal),
      };
    }
    response.destroy();
    if (status === 304) return { isUnchanged: true };
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(status) || !location) throw rejected(url, status);
    url = redirected(url, location);
  }
  throw new CalendarError(
    `${first.hostname} redirects more than ${maxRedirects} times. Copy the iCal address of the calendar anew.`,
  );
}

function urlOf(address: string): URL {
  const secure = address.trim().replace(/^webcals?:/i, 'https:');
  // The error of `new URL` contains the address.
  if (!URL.canParse(secure)) {
    throw new CalendarError(
      'The address of the calendar is not a web address. Copy its iCal address anew: it begins with https:// or webcal://.',
    );
  }
  return new URL(secure);
}

function redirected(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) {
    throw new CalendarError(
      `${from.hostname} redirects to an address that is malformed. Copy the iCal address of the calendar anew.`,
    );
  }
  const url = new URL(location, from);
  const isSame = url.origin === from.origin;
  url.username = isSame ? from.username : '';
  url.password = isSame ? from.password : '';
  return url;
}

const isOnThisMachine = (url: URL) => {
  const host = hostOf(url);
  return isIP(host) ? isLoopbackAddress(host) : host === 'localhost';
};

function checkProtocol({ protocol, hostname }: URL, isLocal: boolean) {
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) {
    throw new CalendarError(
      `The calendar at ${hostname || 'this address'} is not read over ${protocol.slice(0, 20)}//. Use an address that begins with https://.`,
    );
  }
}

async function* bodyOf(
  response: http.IncomingMessage,
  url: URL,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    const encoding = response.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity' && encoding !== 'gzip') {
      throw new CalendarError(
        `${url.hostname} sends the calendar in an encoding that was not requested. Ask its provider for one without compression.`,
      );
    }
    if (Number(response.headers['content-length']) > maxBytes) throw tooLarge();
    let bytes = 0;
    for await (const chunk of encoding === 'gzip' ? gunzip(response) : response) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    throw failure(url, error, signal);
  } finally {
    response.destroy();
  }
}

function gunzip(response: http.IncomingMessage) {
  const stream = createGunzip();
  response.on('error', (error) => stream.destroy(error));
  return response.pipe(stream);
}

/** The error for a status that is no success. */
function rejected({ hostname }: URL, status: number): CalendarError {
  const isTemporary = status >= 500 || status === 429 || status === 408;
  return new CalendarError(
    isTemporary
      ? `${hostname} responds with status ${status} instead of the calendar. If this lasts longer than a day, copy the iCal address of the calendar anew.`
      : `${hostname} responds with status ${status} instead of the calendar. Check that it is still published, and copy its iCal address anew.`,
  );
}

/** The error for a request that failed. Its message and properties contain no part of a path. */
function failure({ hostname }: URL, error: unknown, signal: AbortSignal): CalendarError {
  if (error instanceof CalendarError) return error;
  if (isAppError(error, 'LOCAL_NETWORK')) {
    return new CalendarError(
      `The calendar at ${hostname} is in a local network, which is not allowed. Use an address that is reachable from the internet.`,
    );
  }
  if (signal.aborted) {
    return new CalendarError(
      `${hostname} took too long to send the calendar. If this lasts longer than a day, copy the iCal address of the calendar anew.`,
    );
  }
  const code = codeOf(error) ?? 'unknown error';
  return new CalendarError(
    code === 'ENOTFOUND'
      ? `${hostname} does not exist. Check the address of the calendar.`
      : `The connection to ${hostname} failed (${code}). If this lasts longer than a day, check the address of the calendar.`,
  );
}
