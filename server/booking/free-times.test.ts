import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { engines, freshStores } from '../testing/engines.ts';
import { site } from '../testing/sample-config.ts';
import { createFreeTimes } from './free-times.ts';
import { createSchedule } from './schedule.ts';

const minute = 60_000;
// A Monday.
const monday = Date.UTC(2026, 2, 2, 9);
const call = 'strategy-call';

describe.each(engines)('free times on $name', (engine) => {
  const { stores, openBeside } = freshStores(engine);

  /** Free times by a clock of their own, and how often the database was read for them. */
  const opened = (
    busy = (span: Parameters<typeof stores.bookings.busy>[0]) => stores.bookings.busy(span),
  ) => {
    const state = { now: monday, reads: 0 };
    const freeTimes = createFreeTimes({
      bookings: {
        busy: (span) => {
          state.reads += 1;
          return busy(span);
        },
      },
      schedule: createSchedule(site.calls),
      changes: stores.busyTimeWrites,
      now: () => state.now,
    });
    return { state, freeTimes };
  };
  const blockAt = (from: number) => ({
    ...{ id: randomUUID(), from, to: from + minute, ownerNote: null },
  });

  it('free times of many requests are computed once in five seconds', async () => {
    const { state, freeTimes } = opened();
    for (let n = 0; n < 100; n++) await freeTimes(call);
    await Promise.all(Array.from({ length: 100 }, () => freeTimes(call)));
    expect(state.reads).toBe(1);
    state.now += 5000;
    await freeTimes(call);
    expect(state.reads).toBe(2);
    state.now -= minute;
    await freeTimes(call);
    expect(state.reads).toBe(3);
  });

  it('free times omit a time as soon as this instance has taken it, and offer it once it is free', async () => {
    const { freeTimes } = opened();
    const [first = 0, second = 0] = await freeTimes(call);
    const blocked = blockAt(first);
    await stores.bookings.block(blocked, monday);
    expect(await freeTimes(call)).not.toContain(first);
    await stores.bookings.unblock(blocked.id);
    expect(await freeTimes(call)).toContain(first);
    await stores.busy.keepOnly(['calendar']);
    expect(await freeTimes(call)).toEqual([]);
    const spans = [{ from: second, to: second + minute }];
    await stores.busy.replace('calendar', {
      ...{ spans, etag: undefined, lastModified: undefined, now: monday },
    });
    expect(await freeTimes(call)).not.toContain(second);
    expect((await freeTimes(call)).length).toBeGreaterThan(0);
  });

  it('free times omit a time that another instance has taken after five seconds', async () => {
    const { state, freeTimes } = opened();
    const [first = 0] = await freeTimes(call);
    const other = await openBeside();
    await other.bookings.block(blockAt(first), monday);
    await other.close();
    state.now += 5000;
    expect(await freeTimes(call)).not.toContain(first);
  });

  it('free times omit a time whose notice has passed since they were computed', async () => {
    const { state, freeTimes } = opened();
    const noticeMs = createSchedule(site.calls).rules(call).noticeMs;
    const [first = 0] = await freeTimes(call);
    state.now = first - noticeMs;
    expect(await freeTimes(call)).toContain(first);
    state.now += 1;
    expect(await freeTimes(call)).not.toContain(first);
    expect(state.reads).toBe(2);
  });

  it('free times that could not be read are read again by the next request', async () => {
    let isAway = true;
    const { freeTimes } = opened((span) =>
      isAway ? Promise.reject(new Error('away')) : stores.bookings.busy(span),
    );
    await expect(freeTimes(call)).rejects.toThrow('away');
    isAway = false;
    expect((await freeTimes(call)).length).toBeGreaterThan(0);
  });
});
