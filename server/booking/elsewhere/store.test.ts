/** Deliveries of Calendly and Cal.com in any order, stored in both databases. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engines, freshStores } from '../../testing/engines.ts';
import { calCalls, calendlyCalls } from './deliveries.ts';

const now = Date.UTC(2026, 4, 20);
const day = 24 * 60 * 60_000;
const iso = (days: number) => new Date(now + days * day).toISOString();

const visit = { utm_source: 'newsletter', utm_content: 'hero' };
const laterVisit = { utm_source: 'podcast', utm_content: 'footer' };

const calendly = (event: string, at: number, uri: string, payload: Record<string, unknown> = {}) =>
  calendlyCalls({
    event: `invitee.${event}`,
    created_at: iso(at),
    payload: {
      uri,
      created_at: iso(event === 'created' ? at : -20),
      scheduled_event: { start_time: iso(3) },
      tracking: laterVisit,
      ...payload,
    },
  });

const cal = (event: string, at: number, uid: string, payload: Record<string, unknown> = {}) =>
  calCalls({
    triggerEvent: `BOOKING_${event}`,
    createdAt: iso(at),
    payload: { uid, startTime: iso(3), metadata: laterVisit, ...payload },
  });

describe.each(engines)('$name', (engine) => {
  const { stores } = freshStores(engine);

  /** Delivers these reports, each twice, in random orders, each time about other calls. */
  async function inAnyOrder(
    deliveriesOf: (calls: string) => ReturnType<typeof calCalls>[],
    check: (times: number) => Promise<void>,
  ) {
    let times = 0;
    const indexes = deliveriesOf('').flatMap((_, i) => [i, i]);
    const order = fc.shuffledSubarray(indexes, { minLength: indexes.length });
    await fc.assert(
      fc.asyncProperty(order, async (sequence) => {
        times += 1;
        const deliveries = deliveriesOf(`${times}`);
        for (const i of sequence) {
          await stores.elsewhere.record(deliveries[i] ?? [], { now, isCounted: true });
        }
        await check(times);
      }),
      // Each run adds calls to the same database, so a failure cannot be shrunk.
      { numRuns: process.env.TEST_LONG ? 300 : 5, endOnFailure: true },
    );
  }
  const overview = (from: number, to: number) =>
    stores.bookings.overview({ from: now + from * day, to: now + to * day }, now, {
      source: 'newsletter',
      button: 'hero',
    });

  it('a call that was moved twice and then cancelled counts for its first booking, in any order', async () => {
    const deliveriesOf = (n: string) => [
      calendly('created', -20, `${n}A`, { tracking: visit }),
      calendly('canceled', -10, `${n}A`, { tracking: visit, new_invitee: `${n}B` }),
      calendly('created', -10, `${n}B`, { old_invitee: `${n}A` }),
      calendly('canceled', -5, `${n}B`, { old_invitee: `${n}A`, new_invitee: `${n}C` }),
      calendly('created', -5, `${n}C`, { old_invitee: `${n}B` }),
      calendly('canceled', -1, `${n}C`, { old_invitee: `${n}B` }),
      cal('CREATED', -20, `${n}a`, { metadata: visit }),
      cal('RESCHEDULED', -10, `${n}b`, { rescheduleUid: `${n}a` }),
      cal('RESCHEDULED', -5, `${n}c`, { rescheduleUid: `${n}b` }),
      cal('CANCELLED', -1, `${n}c`),
    ];
    await inAnyOrder(deliveriesOf, async (times) => {
      expect(await overview(-21, -19)).toMatchObject({ cancelled: 2 * times, soon: 0 });
      const always = { from: 0, to: now };
      expect((await stores.analytics.totals(always)).callsBooked).toBe(2 * times);
    });
    expect((await overview(-19, 0)).cancelled).toBe(0);
  });

  it('a call that the owner confirms counts with the visit of its request, and so does one that was moved', async () => {
    const confirmed = { metadata: { videoCallUrl: 'https://video.test' } };
    for (const reports of [
      cal('REQUESTED', -20, 'a', { metadata: visit }),
      cal('REQUESTED', -20, 'unconfirmed', { metadata: visit }),
      cal('REJECTED', -19, 'unconfirmed'),
      cal('CREATED', -19, 'a', confirmed),
      cal('REQUESTED', -10, 'b', { rescheduleUid: 'a' }),
      cal('CREATED', -9, 'b', confirmed),
    ].flatMap((reports) => [reports, reports])) {
      await stores.elsewhere.record(reports, { now, isCounted: true });
    }
    const always = { from: 0, to: now };
    expect((await overview(-20, -18)).soon).toBe(1);
    expect(await stores.analytics.totals(always)).toMatchObject({ callsBooked: 1 });
    expect(await stores.analytics.totals(always, { source: 'newsletter' })).toMatchObject({
      callsBooked: 1,
    });
    for (const reports of [
      cal('REQUESTED', -2, 'c', { rescheduleUid: 'b' }),
      cal('REJECTED', -1, 'c'),
    ]) {
      await stores.elsewhere.record(reports, { now, isCounted: true });
    }
    expect(await overview(-20, -18)).toMatchObject({ cancelled: 1, soon: 0 });
  });

  it('a call that was moved before the owner confirmed it counts once with its visit', async () => {
    const confirmed = { metadata: { videoCallUrl: 'https://video.test' } };
    for (const reports of [
      cal('REQUESTED', -20, 'a', { metadata: visit }),
      cal('REQUESTED', -10, 'b', { rescheduleUid: 'a', metadata: {} }),
      cal('CREATED', -9, 'b', confirmed),
    ].flatMap((reports) => [reports, reports])) {
      await stores.elsewhere.record(reports, { now, isCounted: true });
    }
    expect((await overview(-10, -8)).soon).toBe(1);
    expect(
      await stores.analytics.totals({ from: 0, to: now }, { source: 'newsletter', button: 'hero' }),
    ).toMatchObject({ callsBooked: 1 });
  });

  it('calls that were booked and moved at the same time, by a clock ahead of ours, keep their visit in any order', async () => {
    const deliveriesOf = (n: string) => [
      calendly('created', 0.01, `${n}A`, { tracking: visit }),
      calendly('created', 0.01, `${n}B`, { old_invitee: `${n}A` }),
      calendly('created', 0.02, `${n}C`, { old_invitee: `${n}B` }),
    ];
    await inAnyOrder(deliveriesOf, async (times) => {
      expect((await overview(0, 1)).soon).toBe(3 * times);
      const untilNow = { from: 0, to: now + 1 };
      expect((await stores.analytics.totals(untilNow)).callsBooked).toBe(times);
    });
  });

  it('a call keeps the time that the newest delivery gave it, in any order', async () => {
    const deliveriesOf = (n: string) => [
      cal('CREATED', -20, `${n}a`, { metadata: visit, startTime: iso(30) }),
      cal('RESCHEDULED', -10, `${n}a`, { startTime: iso(40) }),
      cal('RESCHEDULED', -5, `${n}a`, { startTime: iso(3) }),
    ];
    await inAnyOrder(deliveriesOf, async (times) => {
      expect((await overview(-30, 0)).soon).toBe(times);
    });
  });
});
