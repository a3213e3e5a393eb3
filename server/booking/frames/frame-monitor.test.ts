import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  hangs,
  openTestCalendar,
  redirectsTo,
  respondsWith,
  type TestCalendar,
} from '../../testing/calendar.ts';
import { monitorFrames } from './frame-monitor.ts';

const minute = 60_000;

let calendar: TestCalendar;
let notified: string[][];
let logged: { level: number; msg: string; calendar: string }[];
let stop: (() => void) | undefined;

beforeEach(async () => {
  calendar = await openTestCalendar();
  notified = [];
  logged = [];
  // The monitor's timers are fake; its requests use the real network.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(globalThis, 'setTimeout');
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(async () => {
  stop?.();
  stop = undefined;
  // In this order: the spy on setTimeout would restore the fake one.
  vi.restoreAllMocks();
  vi.useRealTimers();
  await calendar.close();
});

function startMonitor({
  calendars = { strategyCall: `${calendar.origin}/call` },
  isOriginKnown = true,
  timeout = 10_000,
}: {
  calendars?: Record<string, string>;
  isOriginKnown?: boolean;
  timeout?: number;
} = {}) {
  const lines = new Writable({
    write(chunk, _encoding, done) {
      logged.push(JSON.parse(String(chunk)));
      done();
    },
  });
  stop = monitorFrames({
    calendars,
    origin: isOriginKnown ? 'http://rowan.test' : undefined,
    log: pino(lines),
    changed: async (refused) => void notified.push(refused),
    pace: { first: 2000, every: 15 * minute, again: minute, timeout },
  });
}

/** Number of timers that the monitor has set. Timers of the HTTP client have other delays. */
const timersSet = () =>
  vi
    .mocked(setTimeout)
    .mock.calls.filter(([, delay = 0]) =>
      [2000, minute, 15 * minute].some((expected) => Math.abs(delay / expected - 1) < 0.11),
    ).length;

/** Advances the timers by `delay`, and waits until the check that they start is finished. */
async function advance(delay: number, requests = 1) {
  const before = { requests: calendar.requests.length, timers: timersSet() };
  await vi.advanceTimersByTimeAsync(delay);
  await vi.waitFor(() => expect(timersSet()).toBe(before.timers + 1), 20_000);
  expect(calendar.requests).toHaveLength(before.requests + requests);
}

describe('the schedule', () => {
  it('frame monitor checks two seconds after the start and then every fifteen minutes', async () => {
    startMonitor();
    await vi.advanceTimersByTimeAsync(1999);
    expect(calendar.requests).toEqual([]);
    await advance(1);
    await vi.advanceTimersByTimeAsync(15 * minute - 1);
    expect(calendar.requests).toHaveLength(1);
    await advance(1);
    await advance(15 * minute);
    expect(calendar.requests).toHaveLength(3);
  });

  it.each([
    [0, 13.5],
    [0.9999, 16.5],
  ])(
    'frame monitor adds jitter: with random %d it checks after %d minutes',
    async (random, minutes) => {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      startMonitor();
      await advance(2200);
      await vi.advanceTimersByTimeAsync((minutes - 0.1) * minute);
      expect(calendar.requests).toHaveLength(1);
      await advance(0.1 * minute);
    },
  );

  it('frame monitor checks one calendar at a time', async () => {
    let open = 0;
    let maxOpen = 0;
    calendar.setBehaviour((res, req) => {
      open += 1;
      maxOpen = Math.max(maxOpen, open);
      setImmediate(() => {
        open -= 1;
        respondsWith(200)(res, req);
      });
    });
    startMonitor({ calendars: { a: `${calendar.origin}/a`, b: `${calendar.origin}/b` } });
    await advance(2000, 2);
    expect(calendar.requests).toEqual(['/a', '/b']);
    expect(maxOpen).toBe(1);
  });

  it('frame monitor does nothing when no calendar is configured', () => {
    startMonitor({ calendars: {} });
    expect(timersSet()).toBe(0);
  });

  it('frame monitor stops during a check', async () => {
    calendar.setBehaviour(hangs);
    startMonitor();
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(calendar.requests).toHaveLength(1), 20_000);
    stop?.();
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(calendar.requests).toHaveLength(1);
    expect(notified).toEqual([]);
  });
});

describe('reports', () => {
  it('frame monitor reports nothing while the calendars can be framed', async () => {
    startMonitor();
    await advance(2000);
    await advance(15 * minute);
    expect([notified, logged]).toEqual([[], []]);
  });

  it('frame monitor reports a refusal at once and only once, and the recovery', async () => {
    calendar.setBehaviour(respondsWith(200, { 'X-Frame-Options': 'DENY' }));
    startMonitor();
    await advance(2000);
    expect(notified).toEqual([['strategyCall']]);
    await advance(15 * minute);
    expect(notified).toHaveLength(1);
    calendar.setBehaviour(respondsWith(200));
    await advance(15 * minute);
    expect(notified).toEqual([['strategyCall'], []]);
    const address = `${calendar.origin}/call`;
    expect(logged).toMatchObject([
      {
        level: 40,
        calendar: address,
        msg: 'frame monitor: the calendar does not allow your site to frame it; visitors get a link',
      },
      { level: 30, calendar: address, msg: 'frame monitor: the calendar can be framed again' },
    ]);
  });

  it('frame monitor reports a failure that persists a minute later', async () => {
    calendar.setBehaviour(respondsWith(500));
    startMonitor();
    await advance(2000);
    expect(notified).toEqual([]);
    await advance(minute);
    expect(notified).toEqual([['strategyCall']]);
    expect(logged[0]?.msg).toContain('the server of the calendar returns an error');
    calendar.setBehaviour(respondsWith(200));
    await advance(15 * minute);
    expect(notified.at(-1)).toEqual([]);
  });

  it('frame monitor does not report a failure that is gone a minute later', async () => {
    startMonitor();
    for (const [status, delay] of [
      [500, 2000],
      [200, minute],
      [503, 15 * minute],
      [200, minute],
    ] as const) {
      calendar.setBehaviour(respondsWith(status));
      await advance(delay);
    }
    expect([notified, logged]).toEqual([[], []]);
  });

  it('frame monitor keeps counting failures after an uncertain response', async () => {
    startMonitor();
    for (const [status, delay] of [
      [500, 2000],
      [429, minute],
      [500, minute],
    ] as const) {
      calendar.setBehaviour(respondsWith(status));
      await advance(delay);
    }
    expect(notified).toEqual([['strategyCall']]);
  });

  it('frame monitor reports nothing while the network fails, before and after a refusal', async () => {
    calendar.setBehaviour((res) => void res.destroy());
    startMonitor();
    await advance(2000);
    await advance(15 * minute);
    expect([notified, logged]).toEqual([[], []]);
    calendar.setBehaviour(respondsWith(200, { 'X-Frame-Options': 'DENY' }));
    await advance(15 * minute);
    calendar.setBehaviour((res) => void res.destroy());
    await advance(15 * minute);
    expect(notified).toEqual([['strategyCall']]);
    expect(logged).toHaveLength(1);
  });

  it('frame monitor reports nothing when a calendar does not respond', async () => {
    calendar.setBehaviour(hangs);
    // Long enough for the request to arrive also on a busy machine.
    startMonitor({ timeout: 1000 });
    await advance(2000);
    await advance(15 * minute);
    expect([notified, logged]).toEqual([[], []]);
  });

  it('frame monitor logs how to fix a calendar that has moved', async () => {
    calendar.setBehaviour(redirectsTo('http://other.localhost:1/call'));
    startMonitor();
    await advance(2000);
    expect(notified).toEqual([['strategyCall']]);
    expect(logged[0]?.msg).toMatch(/Put the address .* into site\.config\.ts/);
  });

  it('frame monitor suggests PUBLIC_URL when the origin is unknown and a calendar lists other sites', async () => {
    calendar.setBehaviour(
      respondsWith(200, { 'Content-Security-Policy': 'frame-ancestors rowan.test' }),
    );
    startMonitor({ isOriginKnown: false });
    await advance(2000);
    expect(logged[0]?.msg).toContain('PUBLIC_URL');
  });

  it('frame monitor names calendars in the configured order, not in the order of refusals', async () => {
    const refuses = new Set(['/b']);
    calendar.setBehaviour((res, req) => {
      const isRefused = refuses.has(req.url ?? '');
      respondsWith(200, isRefused ? { 'X-Frame-Options': 'DENY' } : {})(res, req);
    });
    startMonitor({ calendars: { a: `${calendar.origin}/a`, b: `${calendar.origin}/b` } });
    await advance(2000, 2);
    refuses.add('/a');
    await advance(15 * minute, 2);
    refuses.delete('/b');
    await advance(15 * minute, 2);
    expect(notified).toEqual([['b'], ['a', 'b'], ['a']]);
  });
});
