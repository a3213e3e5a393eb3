import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  answers,
  hangs,
  leadsTo,
  openTestCalendar,
  type TestCalendar,
} from '../testing/calendar.ts';
import { monitorFrames } from './frame-monitor.ts';

const minute = 60_000;

let calendar: TestCalendar;
let told: string[][];
let logged: { level: number; msg: string }[];
let stop: (() => void) | undefined;

beforeEach(async () => {
  calendar = await openTestCalendar();
  told = [];
  logged = [];
  // The pauses of the guardian pass at our word; what it asks goes over the real wire.
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

function guard({
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
    changed: async (refused) => void told.push(refused),
    pace: { first: 2000, every: 15 * minute, again: minute, timeout },
  });
}

/** How often the guardian has begun to wait; what carries the questions has other pauses. */
const pausesBegun = () =>
  vi
    .mocked(setTimeout)
    .mock.calls.filter(([, delay = 0]) =>
      [2000, minute, 15 * minute].some((pause) => Math.abs(delay / pause - 1) < 0.11),
    ).length;

/** Lets the pause pass, and waits until the round behind it is over. */
async function pause(delay: number, questions = 1) {
  const before = { asked: calendar.asked.length, begun: pausesBegun() };
  await vi.advanceTimersByTimeAsync(delay);
  await vi.waitFor(() => expect(pausesBegun()).toBe(before.begun + 1), 20_000);
  expect(calendar.asked).toHaveLength(before.asked + questions);
}

describe('the rounds', () => {
  it('begin a little after the start and come every fifteen minutes, not before', async () => {
    guard();
    await vi.advanceTimersByTimeAsync(1999);
    expect(calendar.asked).toEqual([]);
    await pause(1);
    await vi.advanceTimersByTimeAsync(15 * minute - 1);
    expect(calendar.asked).toHaveLength(1);
    await pause(1);
    await pause(15 * minute);
    expect(calendar.asked).toHaveLength(3);
  });

  it.each([
    [0, 13.5],
    [0.9999, 16.5],
  ])('are spread: at random %d after %d minutes', async (random, minutes) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    guard();
    await pause(2200);
    await vi.advanceTimersByTimeAsync((minutes - 0.1) * minute);
    expect(calendar.asked).toHaveLength(1);
    await pause(0.1 * minute);
  });

  it('ask one calendar after the other', async () => {
    let open = 0;
    let most = 0;
    calendar.behaves((res, req) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        answers(200)(res, req);
      });
    });
    guard({ calendars: { a: `${calendar.origin}/a`, b: `${calendar.origin}/b` } });
    await pause(2000, 2);
    expect(calendar.asked).toEqual(['/a', '/b']);
    expect(most).toBe(1);
  });

  it('are none while no calendar is connected', () => {
    guard({ calendars: {} });
    expect(pausesBegun()).toBe(0);
  });

  it('end with the site, also in the middle of a question', async () => {
    calendar.behaves(hangs);
    guard();
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(calendar.asked).toHaveLength(1), 20_000);
    stop?.();
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(calendar.asked).toHaveLength(1);
    expect(told).toEqual([]);
  });
});

describe('what it tells', () => {
  it('is nothing while the calendars can be framed', async () => {
    guard();
    await pause(2000);
    await pause(15 * minute);
    expect([told, logged]).toEqual([[], []]);
  });

  it('is a refusal at once, once, and the recovery', async () => {
    calendar.behaves(answers(200, { 'X-Frame-Options': 'DENY' }));
    guard();
    await pause(2000);
    expect(told).toEqual([['strategyCall']]);
    await pause(15 * minute);
    expect(told).toHaveLength(1);
    calendar.behaves(answers(200));
    await pause(15 * minute);
    expect(told).toEqual([['strategyCall'], []]);
    expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
      [
        40,
        `The calendar ${calendar.origin}/call does not let your site show it. Visitors now get a link to it instead of the frame.`,
      ],
      [30, `The calendar ${calendar.origin}/call can be shown in its dialog again.`],
    ]);
  });

  it('is a failure that is there again a minute later', async () => {
    calendar.behaves(answers(500));
    guard();
    await pause(2000);
    expect(told).toEqual([]);
    await pause(minute);
    expect(told).toEqual([['strategyCall']]);
    expect(logged[0]?.msg).toContain('its server answers with an error');
    calendar.behaves(answers(200));
    await pause(15 * minute);
    expect(told.at(-1)).toEqual([]);
  });

  it('is no failure that was gone a minute later', async () => {
    guard();
    for (const [status, delay] of [
      [500, 2000],
      [200, minute],
      [503, 15 * minute],
      [200, minute],
    ] as const) {
      calendar.behaves(answers(status));
      await pause(delay);
    }
    expect([told, logged]).toEqual([[], []]);
  });

  it('counts failures on over an answer that says nothing', async () => {
    guard();
    for (const [status, delay] of [
      [500, 2000],
      [429, minute],
      [500, minute],
    ] as const) {
      calendar.behaves(answers(status));
      await pause(delay);
    }
    expect(told).toEqual([['strategyCall']]);
  });

  it('is nothing while the network says nothing, before and after a refusal', async () => {
    calendar.behaves((res) => void res.destroy());
    guard();
    await pause(2000);
    await pause(15 * minute);
    expect([told, logged]).toEqual([[], []]);
    calendar.behaves(answers(200, { 'X-Frame-Options': 'DENY' }));
    await pause(15 * minute);
    calendar.behaves((res) => void res.destroy());
    await pause(15 * minute);
    expect(told).toEqual([['strategyCall']]);
    expect(logged).toHaveLength(1);
  });

  it('is nothing about a calendar that hangs', async () => {
    calendar.behaves(hangs);
    guard({ timeout: 50 });
    await pause(2000);
    await pause(15 * minute);
    expect([told, logged]).toEqual([[], []]);
  });

  it('says where a calendar that has moved is mended', async () => {
    calendar.behaves(leadsTo('http://other.localhost:1/call'));
    guard();
    await pause(2000);
    expect(told).toEqual([['strategyCall']]);
    expect(logged[0]?.msg).toContain('put the address you see there into site.config.ts');
  });

  it('hints at PUBLIC_URL when a list of others could hold the site', async () => {
    calendar.behaves(answers(200, { 'Content-Security-Policy': 'frame-ancestors rowan.test' }));
    guard({ isOriginKnown: false });
    await pause(2000);
    expect(logged[0]?.msg).toContain('PUBLIC_URL');
  });

  it('names the calendars in the order they are listed in, whichever refused first', async () => {
    const refuses = new Set(['/b']);
    calendar.behaves((res, req) => {
      const isRefused = refuses.has(req.url ?? '');
      answers(200, isRefused ? { 'X-Frame-Options': 'DENY' } : {})(res, req);
    });
    guard({ calendars: { a: `${calendar.origin}/a`, b: `${calendar.origin}/b` } });
    await pause(2000, 2);
    refuses.add('/a');
    await pause(15 * minute, 2);
    refuses.delete('/b');
    await pause(15 * minute, 2);
    expect(told).toEqual([['b'], ['a', 'b'], ['a']]);
  });
});
