import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  answers,
  type Behaviour,
  hangs,
  leadsTo,
  openTestCalendar,
  type TestCalendar,
} from '../testing/calendar.ts';
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
  probeFrame(calendar.origin + path, { origin: 'http://rowan.test', timeout: 2000, ...options });

describe('the verdict on what a calendar answers', () => {
  it.each<[string, Behaviour, FrameVerdict]>([
    ['a page', answers(200), 'ok'],
    ['a page that forbids frames', answers(200, { 'X-Frame-Options': 'DENY' }), 'refuses'],
    [
      'a page that lists others',
      answers(200, { 'Content-Security-Policy': 'frame-ancestors https://other.test' }),
      'refuses',
    ],
    [
      'a page that lists the site',
      answers(200, { 'Content-Security-Policy': 'frame-ancestors http://rowan.test' }),
      'ok',
    ],
    [
      'two policies of which one forbids it',
      answers(200, { 'Content-Security-Policy': ['frame-ancestors *', "frame-ancestors 'none'"] }),
      'refuses',
    ],
    [
      'a policy that is tried out only',
      answers(200, { 'Content-Security-Policy-Report-Only': "frame-ancestors 'none'" }),
      'ok',
    ],
    ['404', answers(404), 'broken'],
    ['410', answers(410), 'broken'],
    ['500', answers(500), 'broken'],
    ['503', answers(503), 'broken'],
    ['401', answers(401), 'unknown'],
    ['a 403 for programs, with the headers of its own page', answers(403, DENY), 'unknown'],
    ['429', answers(429), 'unknown'],
    ['304', answers(304), 'unknown'],
  ])('%s', async (_, behaviour, verdict) => {
    calendar.behaves(behaviour);
    expect(await probe()).toBe(verdict);
  });

  it('does not wait for the body', async () => {
    calendar.behaves((res) => void res.writeHead(200).write('the first of many'));
    expect(await probe()).toBe('ok');
  });

  it('says who asks, and what a browser would say', async () => {
    let headers: Record<string, unknown> = {};
    calendar.behaves((res, req) => {
      headers = req.headers;
      answers(200)(res, req);
    });
    await probe();
    expect(headers).toMatchObject({
      'user-agent': 'Shingle (checks that this calendar can be shown on http://rowan.test)',
      referer: 'http://rowan.test/',
      'sec-fetch-dest': 'iframe',
    });
  });
});

describe('what is not certain is unknown', () => {
  it('a server that hangs', async () => {
    calendar.behaves(hangs);
    expect(await probe('/call', { timeout: 100 })).toBe('unknown');
  });

  it('redirects that together take too long', async () => {
    calendar.behaves((res) => setTimeout(() => leadsTo('/again')(res, res.req), 60));
    expect(await probe('/call', { timeout: 150 })).toBe('unknown');
  });

  it('a port on which nobody listens', async () => {
    await calendar.close();
    expect(await probe()).toBe('unknown');
  });

  it('a name that does not exist', async () => {
    expect(
      await probeFrame('https://calendar.invalid/', { origin: undefined, timeout: 2000 }),
    ).toBe('unknown');
  });

  it('a question that was given up', async () => {
    calendar.behaves(hangs);
    const over = new AbortController();
    const verdict = probe('/call', { signal: over.signal, timeout: 60_000 });
    over.abort();
    expect(await verdict).toBe('unknown');
  });
});

describe('a redirect', () => {
  it('is followed on the calendar’s own host, to the headers of its end', async () => {
    calendar.behaves((res, req) => {
      if (req.url === '/call') leadsTo('/login')(res, req);
      else if (req.url === '/login') leadsTo(`${calendar.origin}/end`, 307)(res, req);
      else answers(200, DENY)(res, req);
    });
    expect(await probe()).toBe('refuses');
    expect(calendar.asked).toEqual(['/call', '/login', '/end']);
  });

  it('may forbid frames itself: only its end is shown', async () => {
    calendar.behaves((res, req) => {
      if (req.url === '/call') res.writeHead(301, { ...DENY, Location: '/end' }).end();
      else answers(200)(res, req);
    });
    expect(await probe()).toBe('ok');
  });

  it('to another host has moved it, and nothing is asked there', async () => {
    calendar.behaves(leadsTo(`${other.origin}/inside`));
    expect(await probe()).toBe('moved');
    expect(other.asked).toEqual([]);
  });

  it('is followed five times', async () => {
    calendar.behaves((res, req) => {
      const left = Number(/\d+/.exec(req.url ?? '')?.[0]);
      if (left > 0) leadsTo(`/${left - 1}`)(res, req);
      else answers(200)(res, req);
    });
    expect(await probe('/5')).toBe('ok');
    expect(await probe('/6')).toBe('unknown');
  });

  it('without an address is no answer', async () => {
    calendar.behaves(answers(302));
    expect(await probe()).toBe('unknown');
  });
});

describe('a page over https', () => {
  const fetched: string[] = [];
  /** There is no certificate for a test's host: the wire is stood in for, the answer is real. */
  const overWire = (location?: string): typeof fetch => {
    return async (address) => {
      fetched.push(String(address));
      return location && fetched.length === 1
        ? new Response(null, { status: 301, headers: { location } })
        : new Response('A calendar');
    };
  };
  beforeEach(() => void fetched.splice(0));
  const ask = (address: string, options: Partial<ProbeOptions>) =>
    probeFrame(address, { origin: 'https://rowan.test', timeout: 2000, ...options });

  it('shows no calendar over http, so that is not even asked', async () => {
    expect(await ask('http://calendar.test/', { fetch: overWire() })).toBe('moved');
    expect(fetched).toEqual([]);
  });

  it('shows one over http that is on the same machine', async () => {
    expect(await ask(calendar.origin, {})).toBe('ok');
    expect(await ask('http://calendar.localhost/', { fetch: overWire() })).toBe('ok');
  });

  it('shows one over https, and none that leads on to http', async () => {
    expect(await ask('https://calendar.test/', { fetch: overWire() })).toBe('ok');
    fetched.splice(0);
    const leading = overWire('http://calendar.test/');
    expect(await ask('https://calendar.test/', { fetch: leading })).toBe('moved');
  });

  it('while a page over http shows one that leads on to its own https', async () => {
    const fetch = overWire('https://calendar.test/call');
    const origin = 'http://rowan.test';
    expect(await ask('http://calendar.test/call', { fetch, origin })).toBe('ok');
    expect(fetched).toEqual(['http://calendar.test/call', 'https://calendar.test/call']);
  });
});
