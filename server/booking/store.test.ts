import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Quota } from '../rate-limit/limiter.ts';
import type { Stores } from '../stores/stores.ts';
import { newBooking as testBooking } from '../testing/booking.ts';
import { engines, freshStores } from '../testing/engines.ts';
import { type Booking, visitorEmailId } from './rows.ts';
import type { BusySpan } from './slots.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2026, 2, 2, 9);

const newBooking = (change: Partial<Booking> = {}) =>
  testBooking({ start: now + day, createdAt: now, changedAt: now, ...change });

/** Whether no busy time overlaps the booking or its gap. */
const isFreeFor = ({ start, end, gapMs }: Pick<Booking, 'start' | 'end' | 'gapMs'>) => {
  return (busy: readonly BusySpan[]) =>
    busy.every(({ from, to, gapMs: other = 0 }) => {
      const gap = Math.max(gapMs, other);
      return end + gap <= from || to + gap <= start;
    });
};

const emailsOf = (booking: Booking) => [
  { id: visitorEmailId(booking), subject: 'Your call', blocks: [] },
];

const book = ({ bookings }: Stores, booking: Booking, key = booking.id) =>
  bookings.book(booking, {
    idempotencyKey: key,
    isFree: isFreeFor(booking),
    maxUpcoming: 1000,
    quotas: [],
    emails: emailsOf,
  });

const move = ({ bookings }: Stores, booking: Booking, start: number, maxChanges = 5) => {
  const times = { start, end: start + booking.end - booking.start };
  const isFree = isFreeFor({ ...times, gapMs: booking.gapMs });
  return bookings.move(booking.id, { ...times, at: now + 1, isFree, maxChanges, emails: emailsOf });
};

const cancel = ({ bookings }: Stores, { id }: Booking, at = now + 1) =>
  bookings.cancel(id, { at, emails: emailsOf });

describe.each(engines)('bookings on $name', (engine) => {
  const { stores, openBeside, runSql } = freshStores(engine);
  const upcoming = () => stores.bookings.list({ state: 'upcoming', now, limit: 1000 });
  const emailIds = async (...ids: string[]) =>
    (
      await Promise.all(ids.map((id) => stores.mail.queue({ id, subject: '', blocks: [] }, now)))
    ).flatMap((isNew, i) => (isNew ? [] : [ids[i]]));

  it('booking is stored with its email and read back unchanged', async () => {
    const booking = newBooking({ note: 'Too many tools', answers: { Why: 'Time' } });
    expect(await book(stores, booking)).toEqual({ status: 'booked', booking });
    expect(await stores.bookings.find(booking.id)).toEqual(booking);
    const id = visitorEmailId(booking);
    expect(await emailIds(id)).toEqual([id]);
    expect(await stores.bookings.find('unknown')).toBeUndefined();
  });

  it('retry with the same key returns the stored booking', async () => {
    const booking = newBooking();
    await book(stores, booking, 'key');
    expect(await book(stores, newBooking(), 'key')).toEqual({ status: 'repeated', booking });
    expect(await upcoming()).toHaveLength(1);
  });

  it('booking is refused when its time is taken, also by a part or by the longer gap of the two', async () => {
    const first = newBooking({ gapMs: 10 * minute });
    await book(stores, first);
    for (const start of [first.start, first.start + 15 * minute, first.end + 9 * minute]) {
      expect(await book(stores, newBooking({ start }))).toEqual({ status: 'taken' });
    }
    const wider = newBooking({ start: first.end + 10 * minute, gapMs: 11 * minute });
    expect(await book(stores, wider)).toEqual({ status: 'taken' });
    const next = newBooking({ start: first.end + 10 * minute });
    expect(await book(stores, next)).toMatchObject({ status: 'booked' });
    expect(await upcoming()).toHaveLength(2);
  });

  it('unique index refuses the same start even when the check passes', async () => {
    const options = { isFree: () => true, maxUpcoming: 10, quotas: [], emails: emailsOf };
    await stores.bookings.book(newBooking(), { ...options, idempotencyKey: 'a' });
    const second = newBooking();
    expect(await stores.bookings.book(second, { ...options, idempotencyKey: 'b' })).toEqual({
      status: 'taken',
    });
    const id = visitorEmailId(second);
    expect(await emailIds(id)).toEqual([]);
  });

  it('visitor with the most upcoming calls books no further one, whatever the case of the address', async () => {
    const limited = (booking: Booking) =>
      stores.bookings.book(booking, {
        idempotencyKey: booking.id,
        isFree: () => true,
        maxUpcoming: 2,
        quotas: [],
        emails: emailsOf,
      });
    await limited(newBooking());
    await limited(newBooking({ start: now + 2 * day }));
    const third = newBooking({ start: now + 3 * day, email: 'Tom@BrightCourse.example' });
    expect(await limited(third)).toEqual({ status: 'limited' });
    expect(await limited({ ...third, email: 'ada@example.com' })).toMatchObject({
      status: 'booked',
    });
  });

  it('bookings pause when all visitors together reach a quota, also with cancelled ones', async () => {
    const hourly = { max: 2, windowMs: hour };
    const limited = (n: number, createdAt = now) => {
      const booking = newBooking({ start: now + n * day, createdAt });
      const options = { isFree: () => true, maxUpcoming: 9, quotas: [hourly], emails: emailsOf };
      return stores.bookings.book(booking, { ...options, idempotencyKey: booking.id });
    };
    const first = await limited(1);
    await limited(2);
    if ('booking' in first) await cancel(stores, first.booking);
    const pause = { quota: hourly, until: now + hour };
    expect(await limited(3)).toEqual({ status: 'paused', pause, isEmailed: false });
    expect(await stores.bookings.pause([hourly], now)).toEqual(pause);
    expect(await stores.bookings.pause([hourly], now + hour)).toBeUndefined();
    expect(await limited(3, now + hour)).toMatchObject({ status: 'booked' });
  });

  it('pause of several full quotas ends with the last of them', async () => {
    const hourly = { max: 2, windowMs: hour };
    const daily = { max: 3, windowMs: day };
    const attempt = (minutes: number, quotas: Quota[]) => {
      const createdAt = now + minutes * minute;
      const booking = newBooking({ start: createdAt + day, createdAt });
      const options = { isFree: () => true, maxUpcoming: 9, quotas, emails: emailsOf };
      return stores.bookings.book(booking, { ...options, idempotencyKey: booking.id });
    };
    for (const minutes of [0, 30, 50]) await attempt(minutes, []);
    expect(await attempt(60, [hourly, daily])).toMatchObject({
      pause: { quota: daily, until: now + day },
    });
    expect(await attempt(60, [hourly])).toMatchObject({
      pause: { quota: hourly, until: now + 90 * minute },
    });
    expect(await attempt(24 * 60, [hourly, daily])).toMatchObject({ status: 'booked' });
  });

  it('owner gets one email in the window of a quota about its pause, over several connections', async () => {
    const quota = { max: 1, windowMs: hour };
    const other = await openBeside();
    const attempt = async ({ bookings }: Stores, createdAt: number) => {
      const booking = newBooking({ start: createdAt + day, createdAt });
      const result = await bookings.book(booking, {
        idempotencyKey: booking.id,
        isFree: () => true,
        maxUpcoming: 9,
        quotas: [quota],
        emails: () => [],
        pausedEmail: ({ until }) => ({ subject: `Until ${until}`, blocks: [] }),
      });
      return 'isEmailed' in result ? result.isEmailed : result.status;
    };
    const at = (minutes: number) => now + minutes * minute;
    expect(await attempt(stores, at(50))).toBe('booked');
    const crowd = Array.from({ length: 20 }, (_, n) => attempt(n % 2 ? stores : other, at(55)));
    expect((await Promise.all(crowd)).filter(Boolean)).toEqual([true]);
    // The next hour of the clock is still within the window.
    expect(await attempt(other, at(65))).toBe(false);
    expect(await attempt(stores, at(110))).toBe('booked');
    expect(await attempt(stores, at(114))).toBe(false);
    expect(await attempt(other, at(115))).toBe(true);
    expect(await attempt(stores, at(116))).toBe(false);
    expect(await stores.mail.state()).toMatchObject({ waiting: 2 });
  });

  it('moved booking keeps its id, counts its versions and frees its old time', async () => {
    const booking = newBooking();
    await book(stores, booking);
    const start = booking.start + 15 * minute;
    const changed = {
      ...booking,
      start,
      end: start + 30 * minute,
      sequence: 1,
      changedAt: now + 1,
    };
    expect(await move(stores, booking, start)).toEqual({ status: 'changed', booking: changed });
    expect(await move(stores, booking, start)).toEqual({ status: 'unchanged', booking: changed });
    const id = visitorEmailId(changed);
    expect(await emailIds(id)).toEqual([id]);
    expect(await upcoming()).toMatchObject([changed]);
    await book(stores, newBooking({ start: booking.start - 15 * minute }));
    expect(await move(stores, booking, booking.start)).toMatchObject({ status: 'taken' });
  });

  it('moves by the owner do not count towards the changes of the visitor', async () => {
    const booking = newBooking();
    await book(stores, booking);
    const at = (n: number) => now + day + n * hour;
    const byOwner = (n: number) =>
      stores.bookings.move(booking.id, {
        start: at(n),
        end: at(n) + 30 * minute,
        at: now + 1,
        isFree: () => true,
        maxChanges: undefined,
        emails: emailsOf,
      });
    for (const n of [1, 2, 3]) expect(await byOwner(n)).toMatchObject({ status: 'changed' });
    for (const n of [4, 5]) {
      expect(await move(stores, booking, at(n), 2)).toMatchObject({ status: 'changed' });
    }
    expect(await move(stores, booking, at(6), 2)).toMatchObject({ status: 'closed' });
    // Each version of the calendar event has its own number, also those that the owner made.
    expect(await byOwner(7)).toMatchObject({ status: 'changed', booking: { sequence: 6 } });
  });

  it('booking is not moved after its last change, once it has begun, or when it is unknown', async () => {
    const booking = newBooking();
    await book(stores, booking);
    expect(await move(stores, booking, now + 2 * day, 0)).toMatchObject({ status: 'closed' });
    const begun = newBooking({ start: now });
    await book(stores, begun);
    expect(await move(stores, begun, now + 3 * day)).toMatchObject({ status: 'closed' });
    expect(await move(stores, newBooking(), now + 4 * day)).toBeUndefined();
    expect(await stores.bookings.find(booking.id)).toEqual(booking);
  });

  it('cancelled booking frees its time and stays cancelled', async () => {
    const booking = newBooking();
    await book(stores, booking);
    const changed = { ...booking, state: 'cancelled', sequence: 1, changedAt: now + 1 };
    expect(await cancel(stores, booking)).toEqual({ status: 'changed', booking: changed });
    expect(await cancel(stores, booking)).toEqual({ status: 'unchanged', booking: changed });
    expect(await move(stores, booking, now + 2 * day)).toMatchObject({ status: 'closed' });
    expect(await book(stores, newBooking())).toMatchObject({ status: 'booked' });
    expect(await cancel(stores, newBooking())).toBeUndefined();
    const begun = newBooking({ start: now });
    await book(stores, begun);
    expect(await cancel(stores, begun)).toMatchObject({ status: 'closed' });
  });

  it('answers and the note of the owner are stored apart', async () => {
    const booking = newBooking();
    await book(stores, booking);
    expect(await stores.bookings.answer(booking.id, { Why: 'Because' }, now)).toBe(true);
    expect(await stores.bookings.note(booking.id, 'Call first')).toBe(true);
    expect(await stores.bookings.find(booking.id)).toEqual({
      ...booking,
      answers: { Why: 'Because' },
      ownerNote: 'Call first',
    });
    expect(await stores.bookings.note('unknown', '')).toBe(false);
    expect(await stores.bookings.answer(booking.id, {}, booking.start)).toBe(false);
    await cancel(stores, booking);
    expect(await stores.bookings.answer(booking.id, {}, now)).toBe(false);
  });

  it('lists have upcoming calls in order, and past and cancelled ones from the newest, in pages', async () => {
    const made = [3, 1, 2, -1, -2].map((days) => newBooking({ start: now + days * day }));
    for (const booking of made) await book(stores, booking);
    const [third, first, second, yesterday, before] = made as [
      Booking,
      Booking,
      Booking,
      Booking,
      Booking,
    ];
    await cancel(stores, second);
    const ids = async (...args: Parameters<typeof stores.bookings.list>) =>
      (await stores.bookings.list(...args)).map(({ id }) => id);
    expect(await ids({ state: 'upcoming', now, limit: 10 })).toEqual([first.id, third.id]);
    expect(await ids({ state: 'upcoming', now, limit: 10, after: first })).toEqual([third.id]);
    expect(await ids({ state: 'past', now, limit: 1 })).toEqual([yesterday.id]);
    expect(await ids({ state: 'past', now, limit: 1, after: yesterday })).toEqual([before.id]);
    expect(await ids({ state: 'cancelled', now, limit: 10 })).toEqual([second.id]);
    expect(await stores.bookings.counts(now)).toEqual({ upcoming: 2, past: 2, cancelled: 1 });
    const [listed] = await upcoming();
    expect(listed?.delivery).toMatchObject({ state: 'waiting' });
  });

  it('overview counts cancelled and soon calls, and has the next three', async () => {
    const made = [1, 2, 3, 6, 8, 4].map((days) => newBooking({ start: now + days * day }));
    for (const booking of made) await book(stores, booking);
    const [first, second, third, , , cancelled] = made;
    if (cancelled) await cancel(stores, cancelled);
    const window = { from: now, to: now + 1 };
    expect(await stores.bookings.overview(window, now)).toEqual({
      cancelled: 1,
      soon: 4,
      next: [first, second, third],
    });
    expect(await stores.bookings.overview({ from: now + 1, to: now + 2 }, now)).toMatchObject({
      cancelled: 0,
    });
  });

  it('overview has only the calls of a source and of a button', async () => {
    const [podcast, direct, cancelled] = [
      { source: 'podcast', button: 'hero' },
      { source: null, button: 'hero' },
      { source: 'podcast', button: null },
    ].map((from, i) => newBooking({ start: now + (i + 1) * day, ...from }));
    for (const booking of [podcast, direct, cancelled]) await book(stores, booking as Booking);
    if (cancelled) await cancel(stores, cancelled);
    const overview = (from: Parameters<typeof stores.bookings.overview>[2]) =>
      stores.bookings.overview({ from: now, to: now + 1 }, now, from);
    expect(await overview({ source: 'podcast' })).toEqual({
      cancelled: 1,
      soon: 1,
      next: [podcast],
    });
    expect(await overview({ source: null })).toEqual({ cancelled: 0, soon: 1, next: [direct] });
    expect(await overview({ button: 'hero' })).toMatchObject({ cancelled: 0, soon: 2 });
    expect(await overview({ source: 'podcast', button: 'footer' })).toMatchObject({ soon: 0 });
  });

  it('overview of a source has the calls of its campaigns', async () => {
    const paths = ['news', 'news/email/may', 'news//may', 'newsletter'];
    for (const [i, source] of paths.entries()) {
      await book(stores, newBooking({ start: now + (i + 1) * day, source }));
    }
    const soon = async (source: string) =>
      (await stores.bookings.overview({ from: now, to: now + 1 }, now, { source })).soon;
    expect(await Promise.all(['news', ...paths.slice(1)].map(soon))).toEqual([3, 1, 1, 1]);
  });

  it('booked calls of a span are in order, without those before and after it', async () => {
    const [past, second, first] = [-1, 2, 1].map((days) => newBooking({ start: now + days * day }));
    for (const booking of [past, second, first]) await book(stores, booking as Booking);
    expect(await stores.bookings.booked({ from: now, to: now + 9 * day })).toEqual([first, second]);
    expect(await stores.bookings.booked({ from: now, to: now + 2 * day })).toEqual([first]);
  });

  it('booked calls of a span are all there, also more than a thousand', async () => {
    const made = Array.from({ length: 1001 }, (_, i) =>
      newBooking({ start: now + (i + 1) * day, email: `${i}@a.example` }),
    );
    await Promise.all(made.map((booking) => book(stores, booking)));
    const booked = await stores.bookings.booked({ from: now, to: Number.MAX_SAFE_INTEGER });
    expect(booked).toHaveLength(1001);
  });

  it('export has all bookings by their time, also more than one batch, and no blocked times', async () => {
    const made = Array.from({ length: 203 }, (_, i) => newBooking({ start: now + (i - 5) * day }));
    for (const booking of made.toReversed()) await book(stores, booking);
    await cancel(stores, made[2] as Booking);
    await stores.bookings.block({ id: 'b', from: now, to: now + day, ownerNote: null }, now);
    const ids: string[] = [];
    for await (const { id } of stores.bookings.all()) ids.push(id);
    expect(ids).toEqual(made.map(({ id }) => id));
  });

  it('blocked time takes the calls out of its span until it is deleted', async () => {
    const blocked = {
      id: randomUUID(),
      from: now + day,
      to: now + day + 4 * hour,
      ownerNote: 'Dentist',
    };
    expect(await stores.bookings.block(blocked, now)).toBe(true);
    expect(await stores.bookings.block({ ...blocked, id: randomUUID() }, now)).toBe(false);
    expect(await stores.bookings.blocked(now)).toEqual([blocked]);
    expect(await stores.bookings.blocked(blocked.to)).toEqual([]);
    expect(await book(stores, newBooking({ start: blocked.from + hour }))).toEqual({
      status: 'taken',
    });
    expect(await stores.bookings.find(blocked.id)).toBeUndefined();
    expect(await stores.bookings.unblock(blocked.id)).toBe(true);
    expect(await stores.bookings.unblock(blocked.id)).toBe(false);
    expect(await book(stores, newBooking({ start: blocked.from + hour }))).toMatchObject({
      status: 'booked',
    });
  });

  it('reminder is queued once for each call within a day that was booked earlier', async () => {
    const due = newBooking({ start: now + 20 * hour, createdAt: now - 2 * day });
    const late = newBooking({ start: now + 2 * hour, createdAt: now - hour });
    const far = newBooking({ start: now + 3 * day, createdAt: now - 2 * day });
    for (const booking of [due, late, far]) await book(stores, booking);
    const reminder = ({ id, sequence }: Booking) => [
      { id: `visitor-reminder-${id}-${sequence}`, subject: 'Tomorrow', blocks: [] },
    ];
    expect(await stores.bookings.remind(now, day, reminder)).toBe(1);
    expect(await stores.bookings.remind(now, day, reminder)).toBe(0);
    const ids = [due, late, far].map(({ id }) => `visitor-reminder-${id}-0`);
    expect(await emailIds(...ids)).toEqual([ids[0]]);
  });

  it('erasure deletes the bookings of an address and keeps those of others', async () => {
    const own = newBooking();
    const other = newBooking({ start: now + 2 * day, email: 'ada@example.com' });
    for (const booking of [own, other]) await book(stores, booking);
    expect(await stores.bookings.of('TOM@brightcourse.example')).toEqual([own]);
    expect(await stores.bookings.erase('TOM@brightcourse.example')).toBe(1);
    expect(await upcoming()).toMatchObject([other]);
    expect((await stores.mail.state()).waiting).toBe(1);
  });

  it('retention deletes what ended before', async () => {
    const old = newBooking({ start: now - 10 * day });
    const recent = newBooking({ start: now - day });
    for (const booking of [old, recent]) await book(stores, booking);
    expect(await stores.bookings.deleteOld(now - 5 * day)).toBe(1);
    expect(await stores.bookings.find(old.id)).toBeUndefined();
    expect(await stores.bookings.find(recent.id)).toBeDefined();
  });

  it('key that signs links is created once', async () => {
    const key = await stores.bookings.key();
    expect(await stores.bookings.key()).toEqual(key);
  });

  it('key that signs links is the same when two instances ask for it first at the same moment', async () => {
    const other = await openBeside();
    // The first round also connects, which may take one instance longer than the other.
    for (let n = 0; n < 5; n++) {
      await runSql('DELETE FROM secret');
      const [key, otherKey] = await Promise.all([stores.bookings.key(), other.bookings.key()]);
      expect(otherKey).toEqual(key);
      expect(await stores.bookings.key()).toEqual(key);
    }
    await other.close();
  });

  it('only one of many concurrent bookings of a time is stored, over several connections', async () => {
    const others = await Promise.all([openBeside(), openBeside()]);
    const all = [stores, ...others];
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, i) => book(all[i % all.length] as Stores, newBooking())),
    );
    await Promise.all(others.map(({ close }) => close()));
    expect(results.filter(({ status }) => status === 'booked')).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'taken')).toHaveLength(299);
    expect(await upcoming()).toHaveLength(1);
  });

  it('no calls or gaps overlap after concurrent bookings and moves at random times', async () => {
    const other = await openBeside();
    const time = fc.integer({ min: 0, max: 60 }).map((n) => now + day + n * 10 * minute);
    const action = fc.record({ start: time, to: time, gap: fc.integer({ min: 0, max: 3 }) });
    const [actions = []] = fc.sample(fc.array(action, { minLength: 200, maxLength: 200 }), 1);
    await Promise.all(
      actions.map(async ({ start, to, gap }, i) => {
        const place = i % 2 ? other : stores;
        const booking = newBooking({ start, gapMs: gap * 5 * minute });
        const { status } = await book(place, booking);
        if (status === 'booked') await move(place, booking, to);
      }),
    );
    await other.close();
    const calls = await upcoming();
    expect(calls.length).toBeGreaterThan(3);
    calls.forEach((call, i) => {
      expect(
        isFreeFor(call)(
          calls
            .filter((_, j) => j !== i)
            .map(({ start, end, gapMs }) => ({ from: start, to: end, gapMs })),
        ),
      ).toBe(true);
    });
  });
});
