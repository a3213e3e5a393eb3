import ICAL from 'ical.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../log.ts';
import { startOwnPostgres } from '../../testing/postgres/server.ts';
import { site as config } from '../../testing/sample-config.ts';
import { openTestSite, signIn, type TestSite } from '../../testing/site.ts';
import { sentenceOf } from '../../trpc/errors.ts';

const { calls, bookingPages: copy } = config;
const minute = 60_000;
const hour = 60 * minute;
// A Monday.
const monday = Date.UTC(2026, 10, 23, 9);

let now = monday;
let site: TestSite;
let addresses = 0;

beforeEach(async () => {
  now = monday;
  site = await openTestSite({ now: () => now });
});
afterEach(() => site.close());

/** A new address for each visitor, so that tests do not share limits. */
const someone = () => ({ 'x-forwarded-for': `203.0.113.${++addresses % 250}` });

interface Page {
  status: number;
  name: string;
  values: Record<string, string> & {
    days: { day: string; count: string; isOpen: boolean; slots: Record<string, string>[] }[];
    nearest: Record<string, string>[];
    questions: Record<string, string>[];
    zones: Record<string, string>[];
  };
}

async function read(response: Promise<Response>): Promise<Page> {
  const { status } = await response;
  const text = await (await response).text();
  const [name = ''] = text.split(' ', 1);
  return { status, name, values: JSON.parse(text.slice(name.length) || '{}') };
}

const open = (path = '/book/strategy-call', headers: Record<string, string> = {}) =>
  read(site.fetch(path, { headers }));

const post = (path: string, fields: Record<string, string>, headers = someone()) =>
  site.fetch(path, { method: 'POST', body: new URLSearchParams(fields), headers });

const typed = { name: 'Tom <b>', email: 'tom@brightcourse.example', note: 'Nine\r\ntools' };

/** Opens the page, waits as long as a person does, and returns the fields of its form. */
async function formOf(path = '/book/strategy-call') {
  const { values } = await open(path);
  now += 10_000;
  const { stamp = '', timeZone = '', search = '', button = '' } = values;
  const slots = values.days.flatMap((day) => day.slots);
  return { slots, fields: { ...typed, stamp, timeZone, search, button, hq7x: '', confirmed: '' } };
}

/** Books the `n`th free time and returns the path of the booking. */
async function book(n = 0): Promise<string> {
  const { slots, fields } = await formOf();
  const response = await post('/book/strategy-call', { ...fields, start: slots[n]?.start ?? '' });
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
}

async function bookings() {
  const headers = { cookie: await signIn(site) };
  return (await (await site.fetch('/api/bookings?state=upcoming', { headers })).json()).bookings;
}

describe('page of free times', () => {
  it('page has ten days of times, the first one open and none chosen', async () => {
    const { status, name, values } = await open();
    expect([status, name]).toEqual([200, 'book-strategy-call']);
    expect(values.days).toHaveLength(10);
    expect(values.days.map(({ isOpen }) => isOpen)).toEqual([true, ...Array(9).fill(false)]);
    expect(values.days[0]).toMatchObject({ day: 'Tuesday, Nov 24', count: '10 times' });
    expect(values.days[0]?.slots[0]).toEqual({
      start: '2026-11-24T10:00:00.000Z',
      time: '10:00 AM',
      name: 'Tuesday, Nov 24, 10:00 AM',
      isChosen: false,
    });
    expect(values).toMatchObject({
      minutes: '30',
      zoneName: 'London (GMT)',
      firstFree: 'Tue, Nov 24, 10:00 AM',
      asksZone: 'yes',
      isFramed: false,
      firstLink: '',
    });
  });

  it('page shows the times in the zone of the visitor', async () => {
    const { values } = await open('/book/strategy-call?timeZone=Asia/Tokyo');
    expect(values.asksZone).toBe('');
    expect(values.zoneName).toBe('Tokyo (GMT+9)');
    expect(values.days[0]?.slots[0]?.time).toBe('7:00 PM');
    const unknown = await open('/book/strategy-call?timeZone=Mars');
    expect(unknown.values.zoneName).toBe('London (GMT)');
  });

  it('page lists the time zones on request', async () => {
    const { values } = await open('/book/strategy-call?change&timeZone=Asia/Kolkata');
    expect(values.zones.filter(({ isChosen }) => isChosen)).toEqual([
      { zone: 'Asia/Kolkata', isChosen: true },
    ]);
    expect(values.zones.length).toBeGreaterThan(400);
    expect((await open()).values.zones).toEqual([]);
  });

  it('later days are on a page of their own, which keeps the source of the visit', async () => {
    const first = await open('/book/strategy-call?utm_source=newsletter');
    expect(first.values.search).toBe('?utm_source=newsletter');
    const later = await open(first.values.laterLink);
    expect(later.values.days[0]?.day).toBe('Thursday, Dec 10');
    expect(later.values.search).toBe('?utm_source=newsletter');
    expect(later.values.laterLink).toBe('');
    expect((await open(later.values.firstLink)).values.days).toEqual(first.values.days);
  });

  it('page in a frame is without header', async () => {
    const { values } = await open('/book/inbox-review', { 'sec-fetch-dest': 'iframe' });
    expect(values.isFramed).toBe(true);
  });

  it('unknown calls are not found', async () => {
    expect(await (await site.fetch('/book/lunch')).text()).toBe('page');
    expect((await site.fetch('/book/strategy-call', { method: 'PUT' })).status).toBe(405);
  });
});

describe('form', () => {
  it('form books the call and leads to its page', async () => {
    const path = await book();
    const { status, name, values } = await open(path);
    expect([status, name]).toEqual([200, 'booking']);
    expect(values).toMatchObject({
      headline: copy.booked,
      isUpcoming: true,
      date: 'Tuesday, November 24',
      times: '10:00–10:30 AM, London (GMT)',
      ownTimes: '',
      place: calls.strategyCall.place,
      email: typed.email,
      isMailed: false,
    });
    expect(await bookings()).toMatchObject([{ name: 'Tom <b>', note: 'Nine\r\ntools' }]);
  });

  it('form that is sent twice books one call', async () => {
    const { slots, fields } = await formOf();
    const form = { ...fields, start: slots[0]?.start ?? '' };
    const [first, second] = await Promise.all([
      post('/book/strategy-call', form),
      post('/book/strategy-call', form),
    ]);
    expect(first.headers.get('location')).toBe(second.headers.get('location'));
    expect(await bookings()).toHaveLength(1);
  });

  it('form repeats all values, with the nearest times first, when its time was taken', async () => {
    const { slots, fields } = await formOf();
    const start = slots[1]?.start ?? '';
    await book(1);
    const { status, values } = await read(post('/book/strategy-call', { ...fields, start }));
    expect(status).toBe(409);
    expect(values).toMatchObject({ ...typed, error: sentenceOf('SLOT_TAKEN'), asksZone: '' });
    expect(values.nearest.map(({ time }) => time)).toEqual(['11:30 AM', '12:00 PM', '2:00 PM']);
    const { stamp = '' } = values;
    expect(stamp).not.toBe(fields.stamp);
    const again = { ...fields, stamp, start: values.nearest[0]?.start ?? '' };
    expect((await post('/book/strategy-call', again)).status).toBe(303);
  });

  it.each([
    ['no time', { start: '' }, `${copy.choose}.`],
    ['a time that is no time', { start: 'soon' }, 'Please send a time such as'],
    ['no name', { name: ' ' }, 'Please fill in your name.'],
    ['no address', { email: 'tom' }, 'Please enter an e-mail address'],
    ['a mistyped domain', { email: 'jo@hotmail.con' }, 'Did you mean jo@hotmail.com?'],
  ])('form repeats all values when it has %s', async (_, wrong, error) => {
    const { slots, fields } = await formOf();
    const form = { ...fields, start: slots[4]?.start ?? '', ...wrong };
    const { status, values } = await read(post('/book/strategy-call', form));
    expect(status).toBe(400);
    expect(values.error).toContain(error);
    expect(values).toMatchObject({ name: form.name, email: form.email, note: form.note });
    const chosen = values.days.flatMap(({ slots }) => slots.filter(({ isChosen }) => isChosen));
    expect(chosen.map(({ start }) => start)).toEqual('start' in wrong ? [] : [slots[4]?.start]);
    expect(await bookings()).toEqual([]);
  });

  it.each([
    ['whose stamp is forged', { stamp: `${monday}-x.${'A'.repeat(22)}` }],
    ['without a stamp', { stamp: '' }],
    ['whose honeypot was filled in', { hq7x: 'https://spam.example' }],
  ])('form %s asks for one more press and then books', async (_, sign) => {
    const { slots, fields } = await formOf();
    const form = { ...fields, ...sign, start: slots[0]?.start ?? '' };
    const { status, values } = await read(post('/book/strategy-call', form));
    expect(status).toBe(400);
    expect(values).toMatchObject({ ...typed, error: copy.confirm, confirmed: 'yes' });
    expect(await bookings()).toEqual([]);
    const { stamp = '', confirmed = '' } = values;
    const second = await post('/book/strategy-call', { ...form, stamp, confirmed });
    expect(second.status).toBe(303);
  });

  it('form that was open for more than a day asks for one more press', async () => {
    const { fields } = await formOf();
    now += 25 * hour;
    const { slots } = await formOf();
    const form = { ...fields, start: slots[0]?.start ?? '' };
    expect((await read(post('/book/strategy-call', form))).values.error).toBe(copy.confirm);
  });

  it('form must be submitted again when its network has sent more than three', async () => {
    const headers = someone();
    const statuses = [];
    for (let n = 0; n < 5; n++) {
      const { values } = await open();
      const { stamp = '', days } = values;
      const start = days[n]?.slots[0]?.start ?? '';
      const form = { ...typed, email: `a${n}@b.example`, stamp, start };
      statuses.push((await post('/book/strategy-call', form, headers)).status);
    }
    expect(statuses).toEqual([303, 303, 303, 400, 400]);
  });

  it('form from another site books nothing', async () => {
    const { slots, fields } = await formOf();
    const form = { ...fields, start: slots[0]?.start ?? '' };
    const headers = { ...someone(), 'sec-fetch-site': 'cross-site' };
    const { status, values } = await read(post('/book/strategy-call', form, headers));
    expect([status, values.error]).toEqual([403, sentenceOf('FOREIGN_ORIGIN')]);
    expect(await bookings()).toEqual([]);
  });

  it('booking is counted with the source of the visit', async () => {
    const { slots, fields } = await formOf('/book/strategy-call?utm_source=podcast');
    await post('/book/strategy-call', { ...fields, start: slots[0]?.start ?? '' });
    now += minute;
    expect(await bookings()).toMatchObject([{ source: 'podcast' }]);
    const headers = { cookie: await signIn(site) };
    await vi.waitFor(async () => {
      const dashboard = await site.fetch('/api/analytics/dashboard', { headers });
      const { summary } = await dashboard.json();
      expect(summary).toMatchObject({ callsBooked: 1, pageViews: 0 });
    }, 20_000);
    const breakdown = await (await site.fetch('/api/analytics/breakdown', { headers })).json();
    expect(breakdown.sources).toMatchObject([{ source: 'podcast' }]);
  });
});

it('storage error is a page that says what to do, and keeps no token in the log', async () => {
  const postgres = await startOwnPostgres();
  const lines: string[] = [];
  const log = createLog('info', { pretty: false });
  vi.spyOn(log, 'error').mockImplementation((...args) => void lines.push(JSON.stringify(args)));
  const env = { DATABASE_URL: postgres.url, SESSION_SECRET: 'the same for every instance' };
  await site.close();
  site = await openTestSite({ now: () => now, env, log });
  const path = await book();
  const { slots, fields } = await formOf();
  await postgres.kill('SIGINT');
  const form = { ...fields, start: slots[3]?.start ?? '' };
  const goBack = 'Go back in your browser: your text is still in the form.';
  const responses = [
    await open(),
    await open(path),
    await read(post(path, { action: 'cancel' })),
    await read(post('/book/strategy-call', form)),
  ];
  for (const { status, name, values } of responses) {
    expect([status, name]).toEqual([503, 'book-strategy-call']);
    expect(values.error).toContain(sentenceOf('STORAGE_UNAVAILABLE'));
  }
  expect(responses.at(-1)?.values.error).toBe(`${sentenceOf('STORAGE_UNAVAILABLE')} ${goBack}`);
  expect(lines.join()).not.toContain(path.slice('/booking/'.length));
  await postgres.restart();
  await postgres.stop();
}, 60_000);

describe('feed of the owner', () => {
  const feed = async (): Promise<string> => {
    const headers = { cookie: await signIn(site) };
    return (await (await site.fetch('/api/bookings', { headers })).json()).feed;
  };

  it('feed has the booked calls with the names of the visitors', async () => {
    await book(0);
    const cancelled = await book(4);
    await post(cancelled, { action: 'cancel' });
    const response = await site.fetch(await feed());
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const calendar = new ICAL.Component(ICAL.parse(await response.text()));
    const events = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
    expect(events.map(({ summary }) => summary)).toEqual([`${copy.strategyCall}: Tom <b>`]);
  });

  it('feed under another address is not found, and takes no other method', async () => {
    const address = await feed();
    const path = await book();
    for (const other of [
      address.replace('.ics', ''),
      address.replace(/.{5}\.ics$/, 'AAAAA.ics'),
      `/calendar/${path.replace('/booking/', '')}.ics`,
    ]) {
      expect((await open(other, someone())).status).toBe(404);
    }
    expect((await post(address, {})).status).toBe(405);
  });
});

describe('page of a booking', () => {
  it('a hundred requests for each of its addresses change nothing', async () => {
    const path = await book();
    const before = await bookings();
    for (const address of [
      path,
      `${path}?move`,
      `${path}?saved`,
      `${path}.ics`,
      `${path}?cancel`,
    ]) {
      for (let n = 0; n < 100; n++) {
        const { status } = await site.fetch(address, { headers: someone() });
        expect(status).toBe(200);
      }
    }
    expect(await bookings()).toEqual(before);
  });

  it('call is cancelled by its form', async () => {
    const path = await book();
    const response = await post(path, { action: 'cancel' });
    expect([response.status, response.headers.get('location')]).toEqual([303, path]);
    const { values } = await open(path);
    expect(values).toMatchObject({ headline: copy.cancelled, isUpcoming: false });
    expect(values.bookLink).toBe('/book/strategy-call');
    expect(await bookings()).toEqual([]);
  });

  it('call is moved by its form, and shows its new time', async () => {
    const path = await book();
    const moving = await open(`${path}?move`);
    expect(moving.values).toMatchObject({ headline: copy.move, isMoving: true });
    const start = moving.values.days[1]?.slots[0]?.start ?? '';
    expect((await post(path, { action: 'move', start })).status).toBe(303);
    expect((await open(path)).values.date).toBe('Wednesday, November 25');
  });

  it('move to a taken time shows the nearest ones and keeps the call', async () => {
    const path = await book(0);
    const { slots } = await formOf();
    const start = slots[3]?.start ?? '';
    await book(3);
    const { status, values } = await read(post(path, { action: 'move', start }));
    expect(status).toBe(409);
    expect(values).toMatchObject({ error: sentenceOf('SLOT_TAKEN'), isMoving: true });
    expect(values.nearest).toHaveLength(3);
    expect((await open(path)).values.times).toContain('10:00–10:30 AM');
    const none = await post(path, { action: 'move' });
    expect(none.headers.get('location')).toBe(`${path}?move`);
  });

  it('an answer that is too long is refused by name, and what was typed is kept', async () => {
    const path = await book();
    const long = 'x'.repeat(2001);
    const answers = { action: 'answers', 'answer-0': 'Courses', 'answer-1': long };
    const { status, values } = await read(post(path, answers));
    expect(status).toBe(400);
    expect(values.error).toBe(
      `Please shorten your answer to “${calls.strategyCall.questions[1]}” to 2,000 characters.`,
    );
    expect(values.questions.slice(0, 2)).toMatchObject([{ answer: 'Courses' }, { answer: long }]);
    expect(await bookings()).toMatchObject([{ answers: {} }]);
  });

  it('answers are stored until they change', async () => {
    const path = await book();
    const [first, second] = calls.strategyCall.questions;
    const answers = { action: 'answers', 'answer-0': ' Courses ', 'answer-1': '', 'answer-9': 'x' };
    const response = await post(path, answers);
    expect(response.headers.get('location')).toBe(`${path}?saved#answers`);
    const { values } = await open(`${path}?saved`);
    expect(values.isSaved).toBe(true);
    expect(values.questions.slice(0, 2)).toEqual([
      { question: first, field: 'answer-0', answer: 'Courses' },
      { question: second, field: 'answer-1', answer: '' },
    ]);
    expect(await bookings()).toMatchObject([{ answers: { [first ?? '']: 'Courses' } }]);
  });

  it('answers of one booking are refused after thirty in an hour, and what was typed is kept', async () => {
    const path = await book();
    const answers = (n: number) => post(path, { action: 'answers', 'answer-0': `Answer ${n}` });
    for (let n = 0; n < 30; n++) expect((await answers(n)).status).toBe(303);
    const { status, values } = await read(answers(30));
    expect([status, values.error]).toEqual([429, sentenceOf('RATE_LIMITED')]);
    expect(values.questions[0]).toMatchObject({ answer: 'Answer 30' });
    const [first = ''] = calls.strategyCall.questions;
    expect(await bookings()).toMatchObject([{ answers: { [first]: 'Answer 29' } }]);
    now += hour;
    expect((await answers(31)).status).toBe(303);
  });

  it.each([
    ['cancelled', 'cancel', 0],
    ['over', 'none', 26 * hour],
  ])(
    'answers of a call that is %s are refused, and what was typed is kept',
    async (_, action, later) => {
      const path = await book();
      await post(path, { action });
      now += later;
      const { status, values } = await read(
        post(path, { action: 'answers', 'answer-0': 'Courses' }),
      );
      expect([status, values.error]).toEqual([409, sentenceOf('BOOKING_CLOSED')]);
      expect(values).toMatchObject({ hasQuestions: true, isUpcoming: false });
      expect(values.questions[0]).toMatchObject({ answer: 'Courses' });
      expect((await open(path)).values).toMatchObject({ hasQuestions: false });
      expect((await open(path)).values.questions[0]).toMatchObject({ answer: '' });
    },
  );

  it('calendar file has the call', async () => {
    const path = await book();
    const response = await site.fetch(`${path}.ics`);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const calendar = new ICAL.Component(ICAL.parse(await response.text()));
    const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined);
    expect(event.summary).toBe(copy.strategyCall);
    expect(event.startDate.toJSDate().toISOString()).toBe('2026-11-24T10:00:00.000Z');
    expect(calendar.getFirstPropertyValue('method')).toBeNull();
  });

  it('call that has begun can no longer be changed', async () => {
    const path = await book();
    now += 26 * hour;
    expect((await open(path)).values).toMatchObject({ headline: copy.over, isUpcoming: false });
    const { status, values } = await read(post(path, { action: 'cancel' }));
    expect([status, values.error]).toEqual([409, sentenceOf('BOOKING_CLOSED')]);
  });

  it('unknown, forged and malformed tokens are the same 404', async () => {
    const path = await book();
    const forged = [
      '/booking/',
      '/booking/x',
      `${path}x`,
      path.replace(/.{3}$/, 'AAA'),
      path.replace('/booking/', '/booking/0'),
      `${path.slice(0, -4)}.ics`,
    ];
    for (const address of forged) {
      expect(await open(address, someone()), address).toEqual({
        status: 404,
        name: 'not-found',
        values: {},
      });
      expect((await post(address, { action: 'cancel' })).status).toBe(404);
    }
    expect(await bookings()).toHaveLength(1);
  });

  it('network that guesses tokens is refused after thirty', async () => {
    const headers = someone();
    const statuses = [];
    for (let n = 0; n < 32; n++) {
      statuses.push((await site.fetch(`/booking/guess-${n}`, { headers })).status);
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(30);
    expect(statuses.slice(30)).toEqual([429, 429]);
  });

  it('change from another site is refused', async () => {
    const path = await book();
    const headers = { ...someone(), 'sec-fetch-site': 'cross-site' };
    for (const action of ['cancel', 'answers']) {
      expect((await post(path, { action }, headers)).status).toBe(403);
    }
    expect(await bookings()).toHaveLength(1);
  });
});
