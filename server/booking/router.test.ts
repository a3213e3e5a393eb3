import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { engines, postgres } from '../testing/engines.ts';
import { site as config } from '../testing/sample-config.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { openTestSmtp, type TestSmtp } from '../testing/smtp.ts';
import type { Calls } from './calls.ts';
import { createSchedule } from './schedule.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
// A Monday.
const monday = Date.UTC(2026, 10, 23, 9);
const calls: Calls = config.calls;

let now = monday;
let site: TestSite;
let smtp: TestSmtp;
let addresses = 0;

beforeEach(async () => {
  now = monday;
  smtp = await openTestSmtp();
  site = await openTestSite({
    now: () => now,
    env: {
      SMTP_URL: smtp.url,
      CONTACT_TO: 'rowan@studio.example',
      PUBLIC_URL: 'http://studio.example',
    },
  });
});
afterEach(async () => {
  await site.close();
  await smtp.close();
});

/** A new address for each call, so that calls do not share limits. */
const someone = () => ({
  'x-forwarded-for': `203.0.${Math.floor(++addresses / 250)}.${addresses % 250}`,
});

const visitor = {
  call: 'strategy-call',
  name: 'Tom Okafor',
  email: 'tom@brightcourse.example',
  timeZone: 'Europe/Berlin',
};

async function json(response: Promise<Response>) {
  const { status, headers } = await response;
  return { status, retryAfter: headers.get('retry-after'), ...(await (await response).json()) };
}

const slotsOf = async (query = 'call=strategy-call') =>
  json(site.fetch(`/api/booking/slots?${query}`));

const allSlots = async (): Promise<string[]> => {
  const { days } = await slotsOf();
  return days.flatMap(({ slots }: { slots: string[] }) => slots);
};

const book = (start: string, fields: object = {}, headers: Record<string, string> = someone()) =>
  json(
    site.post(
      '/api/bookings',
      { ...visitor, email: `${randomUUID()}@a.example`, start, ...fields },
      headers,
    ),
  );

const change = (fields: object, headers: Record<string, string> = someone()) =>
  json(site.post('/api/bookings/change', fields, headers));

const tokenIn = (url: string) => url.replace('/booking/', '');

async function asOwner(state = 'upcoming', query = '') {
  const cookie = await signIn(site);
  return json(site.fetch(`/api/bookings?state=${state}${query}`, { headers: { cookie } }));
}

const emailsTo = async (address: string, count = 1) =>
  vi.waitFor(() => {
    const found = smtp.emails.filter(({ to }) => to?.some((one) => one.address === address));
    expect(found).toHaveLength(count);
    return found;
  }, 20_000);

describe('free times', () => {
  it('free times are listed by date, ten days a page', async () => {
    const first = await slotsOf();
    expect(first).toMatchObject({
      status: 200,
      call: 'strategy-call',
      minutes: 30,
      timeZone: 'Europe/London',
      next: '2026-12-10',
    });
    expect(first.days).toHaveLength(10);
    expect(first.days[0]).toEqual({
      date: '2026-11-24',
      slots: [
        '10:00',
        '10:30',
        '11:00',
        '11:30',
        '12:00',
        '14:00',
        '14:30',
        '15:00',
        '15:30',
        '16:00',
      ].map((time) => `2026-11-24T${time}:00.000Z`),
    });
    const later = await slotsOf(`call=strategy-call&from=${first.next}`);
    expect(later.days[0].date).toBe('2026-12-10');
    expect(later.next).toBeUndefined();
  });

  it('free times have the dates of the zone of the visitor', async () => {
    const { days, timeZone } = await slotsOf('call=inbox-review&timeZone=Asia/Tokyo');
    expect(timeZone).toBe('Asia/Tokyo');
    // 14:45 in London is the next date in Tokyo only from 15:00 on.
    expect(days[0]).toMatchObject({ date: '2026-11-24' });
    expect(days[0].slots).toContain('2026-11-24T14:00:00.000Z');
  });

  it.each([
    ['call=lunch', 'The call must be strategy-call or inbox-review.'],
    ['call=strategy-call&timeZone=Mars/Base', 'There is no such time zone.'],
    ['call=strategy-call&from=tomorrow', 'from must be a date such as 2026-11-25.'],
  ])('free times are refused for %s', async (query, message) => {
    const { status, code, issues } = await slotsOf(query);
    expect([status, code]).toEqual([400, 'VALIDATION']);
    expect(issues[0].message).toContain(message);
  });

  it('a public site with the sample hours has no free time', async () => {
    const sample = await openTestSite({
      now: () => now,
      env: { PUBLIC_URL: 'https://studio.example' },
    });
    const headers = { 'x-forwarded-proto': 'https' };
    const { days } = await json(sample.fetch('/api/booking/slots?call=strategy-call', { headers }));
    await sample.close();
    expect(days).toEqual([]);
  });
});

describe('booking', () => {
  it('booked call is no longer free, and the owner sees it with its source', async () => {
    const [start = ''] = await allSlots();
    const fields = { note: 'Nine tools', search: '?utm_source=newsletter', button: 'hero' };
    const booked = await book(start, { ...fields, email: visitor.email });
    expect(booked).toMatchObject({
      status: 200,
      start,
      end: new Date(Date.parse(start) + hour / 2).toISOString(),
      url: expect.stringMatching(/^\/booking\/[\w-]+\.[\w-]{22}$/),
    });
    expect(await allSlots()).not.toContain(start);
    const { bookings } = await asOwner();
    expect(bookings).toMatchObject([
      {
        call: 'strategy-call',
        start,
        state: 'booked',
        name: 'Tom Okafor',
        email: visitor.email,
        timeZone: 'Europe/Berlin',
        note: 'Nine tools',
        source: 'newsletter',
        button: 'hero',
        answers: {},
      },
    ]);
    expect((await site.fetch('/api/bookings')).status).toBe(401);
  });

  it('visitor with Global Privacy Control books a call without a source, and is not counted', async () => {
    const [start = '', , other = ''] = await allSlots();
    const visit = { search: '?utm_source=newsletter', button: 'hero' };
    const headers = { ...someone(), 'sec-gpc': '1', referer: 'https://news.example/' };
    expect(await book(start, visit, headers)).toMatchObject({ status: 200, start });
    expect((await asOwner()).bookings).toMatchObject([{ start, source: null, button: null }]);
    // Counts follow the response: once the second call is counted, the first one would be, too.
    await book(other, visit);
    now += 1;
    const cookie = await signIn(site);
    const counted = () => json(site.fetch('/api/analytics/dashboard', { headers: { cookie } }));
    await vi.waitFor(
      async () => expect((await counted()).summary.callsBooked).toBeGreaterThan(0),
      20_000,
    );
    expect((await counted()).summary).toMatchObject({ callsBooked: 1, pageViews: 0 });
    expect((await asOwner()).bookings).toHaveLength(2);
  });

  it('visitor and owner get an email with the call as a calendar file', async () => {
    const [start = ''] = await allSlots();
    const { url } = await book(start, { email: visitor.email, note: 'Nine tools' });
    const [invitation] = await emailsTo(visitor.email);
    expect(invitation?.from).toMatchObject({ address: 'rowan@studio.example' });
    expect(invitation?.replyTo).toMatchObject([{ address: 'rowan@studio.example' }]);
    expect(invitation?.subject).toBe(
      'Strategy call, Tuesday, November 24, 11:00–11:30 AM, Berlin (GMT+1)',
    );
    expect(invitation?.text).toContain('Hello Tom Okafor,');
    expect(invitation?.text).toContain(`http://studio.example${url}`);
    expect(invitation?.text).toContain(
      `${config.bookingPages.ownTime} Tuesday, November 24, 10:00–10:30 AM, London (GMT)`,
    );
    expect(invitation?.text).not.toContain('Nine tools');
    const event = eventIn(invitation);
    expect(event).toMatchObject({ method: 'REQUEST', sequence: 0, summary: 'Strategy call' });
    expect(event.start).toBe(start);

    const [report] = await emailsTo('rowan@studio.example');
    expect(report?.replyTo).toMatchObject([{ address: visitor.email }]);
    expect(report?.subject).toBe(
      'Call booked: Tom Okafor, Tuesday, November 24, 10:00–10:30 AM, London (GMT)',
    );
    expect(report?.text).toContain('Nine tools');
    expect(eventIn(report)).toMatchObject({
      method: undefined,
      uid: event.uid,
      summary: 'Strategy call: Tom Okafor',
    });
  });

  it('email to the visitor omits a name that could carry a message', async () => {
    const [start = ''] = await allSlots();
    await book(start, { email: visitor.email, name: 'Win at evil.example now' });
    const [invitation] = await emailsTo(visitor.email);
    expect(JSON.stringify(invitation)).not.toContain('evil.example');
    expect(invitation?.text).toContain('Hello,');
  });

  it('retry with the same key is one booking, and the key of another visitor returns no link', async () => {
    const [start = ''] = await allSlots();
    const headers = { ...someone(), 'idempotency-key': randomUUID() };
    const fields = { email: visitor.email };
    const first = await book(start, fields, headers);
    expect(await book(start, fields, headers)).toEqual(first);
    expect((await asOwner()).bookings).toHaveLength(1);
    expect(await book(start, fields)).toMatchObject({ status: 409, code: 'SLOT_TAKEN' });
    expect(await book(start, {}, headers)).toMatchObject({ status: 409, code: 'SLOT_TAKEN' });
    await emailsTo(visitor.email);
  });

  it('taken time is refused with the nearest free ones', async () => {
    const slots = await allSlots();
    await book(slots[3] ?? '');
    expect(await book(slots[3] ?? '')).toEqual({
      status: 409,
      retryAfter: null,
      code: 'SLOT_TAKEN',
      error: 'Somebody else just booked this time. Please choose another one.',
      // The gap of 15 minutes takes the two neighbours, too.
      nearest: [slots[0], slots[1], slots[5]],
    });
  });

  it.each([
    ['start', { start: 'soon' }, 'Please send a time such as 2026-11-25T09:30:00Z.'],
    ['start', { start: undefined }, 'Please send a time such as'],
    ['name', { name: ' ' }, 'Please fill in your name.'],
    ['email', { email: 'tom' }, 'Please enter an e-mail address such as you@example.com.'],
    ['email', { email: 'jo@gmail' }, 'it ends in @gmail. Did you mean jo@gmail.com?'],
    ['email', { email: 'a@b' }, 'Please check your e-mail address: it ends in @b, where no e-mail'],
    ['timeZone', { timeZone: 'Mars' }, 'There is no such time zone.'],
    ['call', { call: 'lunch' }, 'The call must be strategy-call or inbox-review.'],
  ])('booking with a wrong %s is refused: %j', async (path, fields, message) => {
    const [start = ''] = await allSlots();
    const response = await book(start, fields);
    expect(response).toMatchObject({ status: 400, code: 'VALIDATION', issues: [{ path }] });
    expect(response.issues[0].message).toContain(message);
    expect(await allSlots()).toContain(start);
  });

  it('booking from another site is refused', async () => {
    const [start = ''] = await allSlots();
    const headers = {
      ...someone(),
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    };
    expect(await book(start, {}, headers)).toMatchObject({ status: 403, code: 'FOREIGN_ORIGIN' });
  });

  it('every offered time can be booked, and no other', async () => {
    const offered = new Set(createSchedule(calls).free('strategy-call', [], now));
    const anyTime = fc.oneof(
      fc.constantFrom(...offered),
      fc.integer({ min: now - 2 * day, max: now + 40 * day }),
      fc.integer({ min: -100, max: 100 }).map((n) => now + n * (hour / 2)),
    );
    await fc.assert(
      fc.asyncProperty(anyTime, async (time) => {
        const { status } = await book(new Date(time).toISOString());
        expect(status).toBe(offered.has(time) ? 200 : 409);
        if (status !== 200) return;
        // Limits of all bookings are another test: the next one starts without the last booking.
        await site.close();
        site = await openTestSite({ now: () => now });
      }),
      { numRuns: process.env.TEST_LONG ? 200 : 20 },
    );
  }, 60_000);
});

describe('limits', () => {
  it('one address books three calls a day', async () => {
    const slots = await allSlots();
    const headers = someone();
    const results = [];
    for (const n of [0, 2, 4, 6]) results.push(await book(slots[n] ?? '', {}, headers));
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(results.at(-1)).toMatchObject({ code: 'BOOKING_LIMIT_REACHED' });
  });

  it.each(engines)(
    'ten calls from one IPv6 /48 network leave bookings open to others, at all instances on $name',
    async (engine) => {
      const database = await engine.create();
      const open = () => openTestSite({ now: () => now, env: database.env });
      // A folder has one instance.
      const instances = await Promise.all(engine === postgres ? [open(), open()] : [open()]);
      const slots = (await allSlots()).filter((_, n) => n % 2 === 0);
      const bookAt = (n: number, address: string) =>
        json(
          (instances[n % instances.length] ?? site).post(
            '/api/bookings',
            { ...visitor, email: `${randomUUID()}@a.example`, start: slots[n] },
            { 'x-forwarded-for': address },
          ),
        );
      const flood = [];
      for (let n = 0; n < 10; n++) flood.push(await bookAt(n, `2001:db8:77:${n}::1`));
      expect(flood.at(-1)).toMatchObject({ status: 429, code: 'BOOKING_LIMIT_REACHED' });
      for (const n of [10, 11]) {
        expect(await bookAt(n, `2001:db8:${n}::1`)).toMatchObject({ status: 200 });
      }
      await Promise.all(instances.map((instance) => instance.close()));
      await database.remove();
    },
  );

  it('one email address has two upcoming calls', async () => {
    const slots = await allSlots();
    const fields = { email: visitor.email };
    const results = [];
    for (const n of [0, 2, 4]) results.push(await book(slots[n] ?? '', fields));
    expect(results.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(results.at(-1)).toMatchObject({ code: 'BOOKING_LIMIT_REACHED' });
  });

  it('refused bookings do not count against the limits', async () => {
    const [start = '', , other = ''] = await allSlots();
    await book(start);
    const headers = someone();
    for (let n = 0; n < 10; n++) await book(start, {}, headers);
    expect(await book(other, {}, headers)).toMatchObject({ status: 200 });
  });

  it('a flood from forty networks books ten calls an hour and emails the owner once that bookings are paused', async () => {
    const slots = await allSlots();
    const networks = Array.from({ length: 40 }, someone);
    const statuses: Record<number, number> = {};
    for (let n = 0; n < 400; n++) {
      const { status } = await book(slots[n % slots.length] ?? '', {}, networks[n % 40]);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    expect(statuses[200]).toBe(10);
    const { bookings } = await asOwner();
    expect(bookings).toHaveLength(10);
    const emails = () =>
      smtp.emails.filter(({ subject }) => subject !== 'New sign-in to your site');
    await vi.waitFor(() => expect(emails()).toHaveLength(21), 20_000);
    expect(await book(slots.at(-1) ?? '')).toMatchObject({
      status: 429,
      code: 'BOOKINGS_PAUSED',
      retryAfter: '3600',
    });
    const pauses = () => emails().filter(({ subject }) => subject?.includes('paused'));
    const [email] = pauses();
    expect(email?.subject).toBe(
      'Bookings are paused until Monday, November 23, 10:00 AM, London (GMT)',
    );
    expect(email?.to).toMatchObject([{ address: 'rowan@studio.example' }]);
    expect(email?.text).toContain('10 calls were booked within an hour');
    expect(email?.text).toContain('http://studio.example/analytics/bookings');
    expect(email?.text).not.toContain('Tom Okafor');
    const headers = { cookie: await signIn(site) };
    const alert = async () =>
      (await json(site.fetch('/api/analytics/dashboard', { headers }))).alert;
    expect(await alert()).toBe(
      '10 calls were booked within an hour, so visitors cannot book until Monday, November 23, 10:00 AM, London (GMT). Look at them under Bookings.',
    );
    now += hour + 1;
    // The email about the sign-in may not be sent yet.
    await vi.waitFor(async () => expect(await alert()).toBeNull(), 20_000);
    expect(await book((await allSlots()).at(-1) ?? '')).toMatchObject({ status: 200 });
    // Nine more fill the quota of the day, which pauses longer than that of the hour.
    const rest = (await allSlots()).filter((_, n) => n % 2 === 0).slice(-20);
    for (const start of rest) await book(start);
    await vi.waitFor(() => expect(emails()).toHaveLength(42), 20_000);
    expect((await asOwner()).bookings).toHaveLength(20);
    expect(pauses().map(({ subject }) => subject)).toEqual([
      email?.subject,
      'Bookings are paused until Tuesday, November 24, 9:00 AM, London (GMT)',
    ]);
  }, 60_000);

  it('pause sends no email without a mail server', async () => {
    const METRICS_KEY = 'k'.repeat(32);
    const quiet = await openTestSite({ now: () => now, env: { METRICS_KEY } });
    const post = (start: string) =>
      json(
        quiet.post(
          '/api/bookings',
          { ...visitor, email: `${randomUUID()}@a.example`, start },
          someone(),
        ),
      );
    const statuses = [];
    for (const start of (await allSlots()).filter((_, n) => n % 2 === 0).slice(0, 11)) {
      statuses.push((await post(start)).status);
    }
    const cookie = await signIn(quiet);
    const { alert } = await json(quiet.fetch('/api/analytics/dashboard', { headers: { cookie } }));
    const headers = { authorization: `Bearer ${METRICS_KEY}` };
    const metrics = await (await quiet.fetch('/metrics', { headers })).text();
    await quiet.close();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect(alert).toMatch(/^10 calls were booked/);
    expect(metrics).toMatch(/^shingle_emails_waiting 0$/m);
  });
});

describe('change', () => {
  const booked = async (fields: object = { email: visitor.email }) => {
    const slots = await allSlots();
    const { url } = await book(slots[0] ?? '', fields);
    return { token: tokenIn(url), slots };
  };

  it('moved call keeps its event and frees its old time', async () => {
    const { token, slots } = await booked();
    const start = slots[8] ?? '';
    expect(await change({ token, start })).toEqual({
      status: 200,
      retryAfter: null,
      start,
      end: new Date(Date.parse(start) + hour / 2).toISOString(),
      state: 'booked',
    });
    expect(await allSlots()).toContain(slots[0]);
    const [first, second] = await emailsTo(visitor.email, 2);
    expect(second?.text).toContain('Your call has a new time.');
    expect(eventIn(second)).toMatchObject({
      uid: eventIn(first).uid,
      method: 'REQUEST',
      sequence: 1,
      start,
    });
  });

  it('call can be moved by a step that overlaps its own time', async () => {
    const { token, slots } = await booked();
    expect(await change({ token, start: slots[1] })).toMatchObject({ status: 200 });
  });

  it('cancelled call frees its time, and cancelling it again changes nothing', async () => {
    const { token, slots } = await booked();
    expect(await change({ token, cancel: true })).toMatchObject({
      status: 200,
      state: 'cancelled',
    });
    expect(await change({ token, cancel: true })).toMatchObject({
      status: 200,
      state: 'cancelled',
    });
    expect(await allSlots()).toContain(slots[0]);
    const [, second] = await emailsTo(visitor.email, 2);
    expect(eventIn(second)).toMatchObject({ method: 'CANCEL', sequence: 1, status: 'CANCELLED' });
    expect((await asOwner('cancelled')).bookings).toHaveLength(1);
    expect(await change({ token, start: slots[4] })).toMatchObject({
      status: 409,
      code: 'BOOKING_CLOSED',
    });
  });

  it('taken time is refused, and the call keeps its own', async () => {
    const { token, slots } = await booked();
    await book(slots[6] ?? '');
    expect(await change({ token, start: slots[6] })).toMatchObject({
      status: 409,
      code: 'SLOT_TAKEN',
      nearest: expect.arrayContaining([slots[4]]),
    });
    const { bookings } = await asOwner();
    expect(bookings.map(({ start }: { start: string }) => start)).toEqual([slots[0], slots[6]]);
  });

  it('call is changed at most five times, and not once it has begun', async () => {
    const { token, slots } = await booked();
    const moves = [];
    for (const n of [2, 4, 6, 8, 0, 2])
      moves.push((await change({ token, start: slots[n] })).status);
    expect(moves).toEqual([200, 200, 200, 200, 200, 409]);
    now = Date.parse(slots[0] ?? '') + 1;
    expect(await change({ token, cancel: true })).toMatchObject({
      status: 409,
      code: 'BOOKING_CLOSED',
    });
    now += day;
    expect((await asOwner('past')).bookings).toHaveLength(1);
  });

  it('moves by the signed-in owner do not count towards the five changes of the visitor', async () => {
    const { token, slots } = await booked();
    const owner = { ...someone(), cookie: await signIn(site) };
    const statuses = async (headers: Record<string, string>, ...times: number[]) => {
      const found = [];
      for (const n of times) found.push((await change({ token, start: slots[n] }, headers)).status);
      return found;
    };
    expect(await statuses(owner, 2, 4, 6, 8, 0, 2)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await statuses(someone(), 4, 6, 8, 0, 2, 4)).toEqual([200, 200, 200, 200, 200, 409]);
    expect(await statuses(owner, 4)).toEqual([200]);
    const forged = { ...someone(), cookie: owner.cookie.replace(/session=./, 'session=0') };
    expect(await statuses(forged, 6)).toEqual([409]);
    expect(await change({ token, cancel: true }, owner)).toMatchObject({ state: 'cancelled' });
  });

  it('unknown and forged tokens return the same 404', async () => {
    const { token } = await booked();
    const responses = await Promise.all(
      ['', 'x', `${token}x`, token.replace(/^./, (c) => (c === 'a' ? 'b' : 'a'))].map((forged) =>
        change({ token: forged, cancel: true }),
      ),
    );
    for (const response of responses) {
      expect(response).toMatchObject({
        status: 404,
        code: 'BOOKING_NOT_FOUND',
        error: 'There is no booking at this address.',
      });
    }
    expect((await asOwner()).bookings).toHaveLength(1);
  });

  it('change needs either a time or a cancellation', async () => {
    const { token, slots } = await booked();
    for (const fields of [{ token }, { token, start: slots[1], cancel: true }]) {
      expect(await change(fields)).toMatchObject({ status: 400, code: 'VALIDATION' });
    }
  });
});

it('booking.list returns pages', async () => {
  const slots = await allSlots();
  for (const start of [slots[0], slots[2]]) await book(start ?? '');
  const { bookings, next } = await asOwner();
  expect(bookings).toHaveLength(2);
  expect(next).toBeUndefined();
  const [first] = bookings;
  const after = `${Date.parse(first.start)} ${first.id}`;
  const rest = await asOwner('upcoming', `&after=${encodeURIComponent(after)}`);
  expect(rest.bookings).toMatchObject([{ start: slots[2] }]);
});

describe('owner', () => {
  const asAdmin = async (path: string, fields: object) => {
    const headers = { cookie: await signIn(site), 'sec-fetch-site': 'same-origin' };
    return json(site.post(path, fields, headers));
  };

  it('list has the number of each kind, the link of a booking and the zone of the owner', async () => {
    const slots = await allSlots();
    const { url } = await book(slots[0] ?? '');
    expect(await asOwner()).toMatchObject({
      bookings: [{ url }],
      counts: { upcoming: 1, past: 0, cancelled: 0 },
      blocked: [],
      timeZone: 'Europe/London',
      isMailed: true,
    });
  });

  it('list has the next seven days and the number of questions', async () => {
    const slots = await allSlots();
    for (const start of [slots[0], slots[2]]) await book(start ?? '');
    const { week, questions, busyTimesAt } = await asOwner('past');
    expect(week).toEqual([
      { date: '2026-11-23', isOpen: false, calls: 0 },
      { date: '2026-11-24', isOpen: true, calls: 2 },
      { date: '2026-11-25', isOpen: true, calls: 0 },
      { date: '2026-11-26', isOpen: true, calls: 0 },
      { date: '2026-11-27', isOpen: true, calls: 0 },
      { date: '2026-11-28', isOpen: false, calls: 0 },
      { date: '2026-11-29', isOpen: false, calls: 0 },
    ]);
    expect(questions['strategy-call']).toBe(calls.strategyCall.questions.length);
    expect(busyTimesAt).toBeUndefined();
  });

  it('note about a booking is stored', async () => {
    const slots = await allSlots();
    await book(slots[0] ?? '');
    const [{ id }] = (await asOwner()).bookings;
    expect(await asAdmin('/api/bookings/note', { id, note: 'Call first' })).toMatchObject({
      status: 200,
    });
    expect((await asOwner()).bookings).toMatchObject([{ ownerNote: 'Call first' }]);
    expect(await asAdmin('/api/bookings/note', { id: 'x', note: '' })).toMatchObject({
      status: 404,
      code: 'BOOKING_NOT_FOUND',
    });
  });

  it('blocked time is not free until it is unblocked', async () => {
    const before = await allSlots();
    const block = { date: '2026-11-24', from: '09:00', to: '13:00', note: 'Dentist' };
    expect(await asAdmin('/api/bookings/block', block)).toMatchObject({ status: 200 });
    expect(await asAdmin('/api/bookings/block', block)).toMatchObject({
      status: 409,
      code: 'TIME_IN_USE',
    });
    expect((await allSlots())[0]).toBe('2026-11-24T14:00:00.000Z');
    const { blocked } = await asOwner();
    expect(blocked).toMatchObject([
      { start: '2026-11-24T09:00:00.000Z', end: '2026-11-24T13:00:00.000Z', note: 'Dentist' },
    ]);
    await asAdmin('/api/bookings/unblock', { id: blocked[0].id });
    expect(await allSlots()).toEqual(before);
  });

  it.each([
    [{ date: 'soon' }, 'Please choose a date.'],
    [{ from: '13:00', to: '09:00' }, 'Please choose an end that is after the start.'],
  ])('blocked time with %j is refused', async (wrong, message) => {
    const block = { date: '2026-11-24', from: '09:00', to: '13:00', ...wrong };
    const response = await asAdmin('/api/bookings/block', block);
    expect(response).toMatchObject({ status: 400, issues: [{ message }] });
  });

  it('changes need the session of the owner', async () => {
    for (const path of ['note', 'block', 'unblock']) {
      expect((await site.post(`/api/bookings/${path}`, {})).status).toBe(401);
    }
  });
});

/** The event in the calendar file of an email. */
function eventIn(email: TestSmtp['emails'][number] | undefined) {
  const file = email?.attachments.find(({ mimeType }) => mimeType === 'text/calendar');
  const text = new TextDecoder().decode(file?.content as ArrayBuffer);
  const calendar = new ICAL.Component(ICAL.parse(text));
  const component = calendar.getFirstSubcomponent('vevent');
  if (!component) throw new Error('There is no event.');
  const { uid, summary, sequence, startDate } = new ICAL.Event(component);
  return {
    method: calendar.getFirstPropertyValue('method') ?? undefined,
    status: component.getFirstPropertyValue('status'),
    start: startDate.toJSDate().toISOString(),
    uid,
    summary,
    sequence,
  };
}
