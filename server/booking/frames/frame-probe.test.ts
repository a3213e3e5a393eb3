import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Behaviour,
  hangs,
  openTestCalendar,
  redirectsTo,
  respondsWith,
  type TestCalendar,
} from '../../testing/calendar.ts';
import { type FrameVerdict, type ProbeOptions, probeFrame } from './frame-probe.ts';

let calendar: TestCalendar;
let other: TestCalendar;
beforeEach(async () => {
  calendar = await openTestCalendar();
  other = await openTestCalendar();
});
afterEach(async () => {
  await calendar.close();
  await other.close();
});

const DENY = { 'X-Frame-Options': 'DENY' };

const probe = (path = '/call', options: Partial<ProbeOptions> = {}) =>
  probeFrame(calendar.origin + path, { origin: 'http://rowan.test', timeout: 20_000, ...options });

describe('the verdict on a response', () => {
  it.each<[string, Behaviour, FrameVerdict]>([
    ['a page without headers', respondsWith(200), 'ok'],
    ['a page that forbids frames', respondsWith(200, { 'X-Frame-Options': 'DENY' }), 'refuses'],
    [
      'a page that lists others',
      respondsWith(200, { 'Content-Security-Policy': 'frame-ancestors https://other.test' }),
      'refuses',
    ],
    [
      'a page that lists the site',
      respondsWith(200, { 'Content-Security-Policy': 'frame-ancestors http://rowan.test' }),
      'ok',
    ],
    [
      'two policies of which one forbids it',
      respondsWith(200, {
        'Content-Security-Policy': ['frame-ancestors *', "frame-ancestors 'none'"],
      }),
      'refuses',
    ],
    [
      'a policy that is tried out only',
      respondsWith(200, { 'Content-Security-Policy-Report-Only': "frame-ancestors 'none'" }),
      'ok',
    ],
    ['404', respondsWith(404), 'broken'],
    ['410', respondsWith(410), 'broken'],
    ['500', respondsWith(500), 'broken'],
    ['503', respondsWith(503), 'broken'],
    ['401', respondsWith(401), 'unknown'],
    ['a 403 for programs, with the headers of its own page', respondsWith(403, DENY), 'unknown'],
    ['429', respondsWith(429), 'unknown'],
    ['304', respondsWith(304), 'unknown'],
  ])('frame probe of %s', async (_, behaviour, verdict) => {
    calendar.setBehaviour(behaviour);
    expect(await probe()).toBe(verdict);
  });

  it('frame probe does not wait for the body', async () => {
    calendar.setBehaviour((res) => void res.writeHead(200).write('the first of many'));
    expect(await probe()).toBe('ok');
  });

  it('frame probe sends its user agent and the headers of a browser', async () => {
    let headers: Record<string, unknown> = {};
    calendar.setBehaviour((res, req) => {
      headers = req.headers;
      respondsWith(200)(res, req);
    });
    await probe();
    expect(headers).toMatchObject({
      'user-agent': 'Shingle (checks that this calendar can be shown on http://rowan.test)',
      referer: 'http://rowan.test/',
      'sec-fetch-dest': 'iframe',
    });
  });
});

describe('uncertain results', () => {
  it('frame probe returns unknown when the server does not respond', async () => {
    calendar.setBehaviour(hangs);
    expect(await probe('/call', { timeout: 100 })).toBe('unknown');
  });

  it('frame probe returns unknown when redirects together exceed the timeout', async () => {
    calendar.setBehaviour((res) => setTimeout(() => redirectsTo('/again')(res, res.req), 60));
    expect(await probe('/call', { timeout: 150 })).toBe('unknown');
  });

  it('frame probe returns unknown when the connection is refused', async () => {
    await calendar.close();
    expect(await probe()).toBe('unknown');
  });

  it('frame probe returns unknown when the host does not exist', async () => {
    expect(
      await probeFrame('https://calendar.invalid/', { origin: undefined, timeout: 20_000 }),
    ).toBe('unknown');
  });

  it('frame probe returns unknown when it is aborted', async () => {
    calendar.setBehaviour(hangs);
    const controller = new AbortController();
    const verdict = probe('/call', { signal: controller.signal, timeout: 60_000 });
    controller.abort();
    expect(await verdict).toBe('unknown');
  });
});

describe('a redirect', () => {
  it('frame probe follows redirects on the same host and judges the final headers', async () => {
    calendar.setBehaviour((res, req) => {
      if (req.url === '/call') redirectsTo('/login')(res, req);
      else if (req.url === '/login') redirectsTo(`${calendar.origin}/end`, 307)(res, req);
      else respondsWith(200, DENY)(res, req);
    });
    expect(await probe()).toBe('refuses');
    expect(calendar.requests).toEqual(['/call', '/login', '/end']);
  });

  it('frame probe ignores the frame headers of a redirect', async () => {
    calendar.setBehaviour((res, req) => {
      if (req.url === '/call') res.writeHead(301, { ...DENY, Location: '/end' }).end();
      else respondsWith(200)(res, req);
    });
    expect(await probe()).toBe('ok');
  });

  it('frame probe returns moved for a redirect to another host and sends no request there', async () => {
    calendar.setBehaviour(redirectsTo(`${other.origin}/inside`));
    expect(await probe()).toBe('moved');
    expect(other.requests).toEqual([]);
  });

  it('frame probe follows five redirects and returns unknown after more', async () => {
    calendar.setBehaviour((res, req) => {
      const left = Number(/\d+/.exec(req.url ?? '')?.[0]);
      if (left > 0) redirectsTo(`/${left - 1}`)(res, req);
      else respondsWith(200)(res, req);
    });
    expect(await probe('/5')).toBe('ok');
    expect(await probe('/6')).toBe('unknown');
  });

  it('frame probe returns unknown for a redirect without a location', async () => {
    calendar.setBehaviour(respondsWith(302));
    expect(await probe()).toBe('unknown');
  });
});

describe('a site over https', () => {
  const fetched: string[] = [];
  /** Replaces the network, since test hosts have no certificate; responses are real `Response` objects. */
  const fakeFetch = (location?: string): typeof fetch => {
    return async (address) => {
      fetched.push(String(address));
      return location && fetched.length === 1
        ? new Response(null, { status: 301, headers: { location } })
        : new Response('A calendar');
    };
  };
  beforeEach(() => void fetched.splice(0));
  const probeFromHttps = (address: string, options: Partial<ProbeOptions>) =>
    probeFrame(address, { origin: 'https://rowan.test', timeout: 20_000, ...options });

  it('frame probe returns moved for an http calendar on an https site, without a request', async () => {
    expect(await probeFromHttps('http://calendar.test/', { fetch: fakeFetch() })).toBe('moved');
    expect(fetched).toEqual([]);
  });

  it('frame probe accepts an http calendar on localhost on an https site', async () => {
    expect(await probeFromHttps(calendar.origin, {})).toBe('ok');
    expect(await probeFromHttps('http://calendar.localhost/', { fetch: fakeFetch() })).toBe('ok');
  });

  it('frame probe returns moved for an https calendar that redirects to http', async () => {
    expect(await probeFromHttps('https://calendar.test/', { fetch: fakeFetch() })).toBe('ok');
    fetched.splice(0);
    const fetch = fakeFetch('http://calendar.test/');
    expect(await probeFromHttps('https://calendar.test/', { fetch })).toBe('moved');
  });

  it('frame probe accepts an http calendar that redirects to its own https on an http site', async () => {
    const fetch = fakeFetch('https://calendar.test/call');
    const origin = 'http://rowan.test';
    expect(await probeFromHttps('http://calendar.test/call', { fetch, origin })).toBe('ok');
    expect(fetched).toEqual(['http://calendar.test/call', 'https://calendar.test/call']);
  });
});
