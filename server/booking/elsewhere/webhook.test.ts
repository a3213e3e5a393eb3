/** Signed deliveries of Calendly and Cal.com, in their documented formats, to a whole site. */

import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../testing/engines.ts';
import { sampleWith } from '../../testing/sample-config.ts';
import { openTestSite, signIn, type TestSite } from '../../testing/site.ts';

const calendlySecret = '5mEzn9C-I28UtwOjZJtFoob0sAAFZ95GbZkqj4y3i0I';
const calSecret = '8d2f61c0b7e94a35';
const day = 24 * 60 * 60_000;
const soon = new Date(Date.now() + 2 * day).toISOString();
const justNow = new Date(Date.now() - 60_000).toISOString();
/** Calendly sends microseconds. */
const inMicroseconds = (time: string) => time.replace('Z', '602Z');

/** A delivery as https://developer.calendly.com documents it, with the fields that are not read here. */
const calendly = (event: string, invitee: string, change: Record<string, unknown> = {}) => ({
  created_at: justNow,
  created_by: 'https://api.calendly.com/users/AAAAAAAAAAAAAAAA',
  event,
  payload: {
    cancel_url: 'https://calendly.com/cancellations/AAAAAAAAAAAAAAAA',
    created_at: inMicroseconds(justNow),
    email: 'ada@example.com',
    event: 'https://api.calendly.com/scheduled_events/GBGBDCAADAEDCRZ2',
    name: 'Ada',
    new_invitee: null,
    old_invitee: null,
    questions_and_answers: [],
    reschedule_url: 'https://calendly.com/reschedulings/AAAAAAAAAAAAAAAA',
    rescheduled: false,
    status: event === 'invitee.created' ? 'active' : 'canceled',
    text_reminder_number: null,
    timezone: 'America/New_York',
    tracking: {
      utm_campaign: null,
      utm_source: 'Newsletter',
      utm_medium: null,
      utm_content: null,
      utm_term: null,
      salesforce_uuid: null,
    },
    updated_at: justNow,
    uri: `https://api.calendly.com/scheduled_events/GBGBDCAADAEDCRZ2/invitees/${invitee}`,
    scheduled_event: {
      uri: 'https://api.calendly.com/scheduled_events/GBGBDCAADAEDCRZ2',
      name: '15 Minute Meeting',
      status: 'active',
      start_time: inMicroseconds(soon),
      end_time: inMicroseconds(soon),
      event_type: 'https://api.calendly.com/event_types/GBGBDCAADAEDCRZ2',
      location: { type: 'physical', location: 'string', additional_info: 'string' },
      invitees_counter: { total: 1, active: 1, limit: 1 },
    },
    ...change,
  },
});

const invitee = (name: string) =>
  `https://api.calendly.com/scheduled_events/GBGBDCAADAEDCRZ2/invitees/${name}`;

/** A delivery as https://cal.com/docs documents it. */
const cal = (triggerEvent: string, uid: string, change: Record<string, unknown> = {}) => ({
  triggerEvent,
  createdAt: justNow,
  payload: {
    type: '60min',
    title: '60min between Pro Example and Ada',
    startTime: soon,
    endTime: soon,
    organizer: { id: 5, name: 'Pro Example', email: 'pro@example.com', timeZone: 'Asia/Kolkata' },
    responses: { name: { label: 'your_name', value: 'Ada' } },
    attendees: [{ email: 'ada@example.com', name: 'Ada', timeZone: 'Asia/Kolkata' }],
    location: 'Calcom HQ',
    eventTypeId: 7,
    uid,
    bookingId: 91,
    metadata: { utm_source: 'podcast' },
    status: 'ACCEPTED',
    ...change,
  },
});

const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex');

describe.each(engines)('$name', (engine) => {
  let site: TestSite;
  let database: Awaited<ReturnType<typeof engine.create>>;

  const open = async (env: Record<string, string>, schedulers: Record<string, string> = {}) => {
    database = await engine.create();
    const config = sampleWith({ schedulers });
    site = await openTestSite({ env: { ...database.env, ...env }, config });
  };
  const both = { CALENDLY_WEBHOOK_SECRET: calendlySecret, CAL_WEBHOOK_SECRET: calSecret };
  beforeEach(() => open(both, { strategyCall: 'https://calendly.com/ada/call' }));
  afterEach(async () => {
    await site.close();
    await database.remove();
  });

  const toCalendly = (body: unknown, { secret = calendlySecret, at = Date.now() } = {}) => {
    const text = JSON.stringify(body);
    const time = Math.floor(at / 1000);
    const signature = `t=${time},v1=${hmac(secret, `${time}.${text}`)}`;
    return site.post('/api/webhooks/calendly', text, { 'Calendly-Webhook-Signature': signature });
  };
  const toCal = (body: unknown, secret = calSecret) => {
    const text = JSON.stringify(body);
    return site.post('/api/webhooks/cal', text, { 'X-Cal-Signature-256': hmac(secret, text) });
  };
  /** Calls booked, calls cancelled, and calls within a week. */
  const figures = async (query = '') => {
    const cookie = await signIn(site);
    const response = await site.fetch(`/api/analytics/dashboard?${query}`, { headers: { cookie } });
    const { summary, calls } = await response.json();
    return [summary.callsBooked, calls.cancelled, calls.soon];
  };
  const accepted = async (sending: Promise<Response>) => expect((await sending).status).toBe(200);

  it('a call at Calendly and one at Cal.com count once with their sources, however often delivered', async () => {
    for (let n = 0; n < 2; n++) {
      await accepted(toCalendly(calendly('invitee.created', 'A')));
      await accepted(toCal(cal('BOOKING_CREATED', 'a')));
    }
    expect(await figures()).toEqual([2, 0, 2]);
    expect(await figures('source=newsletter')).toEqual([1, 0, 1]);
    expect(await figures('source=podcast')).toEqual([1, 0, 1]);
    expect(await figures('button=hero')).toEqual([0, 0, 0]);
  });

  it('a cancellation counts as one, in any order', async () => {
    const deliveries = [
      () => toCalendly(calendly('invitee.created', 'A')),
      () => toCalendly(calendly('invitee.canceled', 'A')),
      () => toCal(cal('BOOKING_CANCELLED', 'a', { status: 'CANCELLED' })),
      () => toCal(cal('BOOKING_CREATED', 'a')),
    ];
    for (const deliver of deliveries) await accepted(deliver());
    expect(await figures()).toEqual([2, 2, 0]);
  });

  it('a call that was moved counts once, in any order, and is no cancellation', async () => {
    const first = { rescheduled: true, new_invitee: invitee('B') };
    const second = { old_invitee: invitee('A') };
    const deliveries = [
      () => toCalendly(calendly('invitee.created', 'B', second)),
      () => toCalendly(calendly('invitee.canceled', 'A', first)),
      () => toCalendly(calendly('invitee.created', 'A', first)),
      () => toCal(cal('BOOKING_CREATED', 'a')),
      () => toCal(cal('BOOKING_RESCHEDULED', 'b', { rescheduleUid: 'a' })),
      () => toCal(cal('BOOKING_CANCELLED', 'a')),
    ];
    for (const deliver of [...deliveries, ...deliveries]) await accepted(deliver());
    expect(await figures()).toEqual([2, 0, 2]);
  });

  it.each(['\0', '\ud800'])(
    'a delivery with the character %j returns 400 for an id, and counts without it in a source',
    async (character) => {
      const name = `A${character}`;
      const old = { old_invitee: invitee(name) };
      for (const refused of [
        toCal(cal('BOOKING_CREATED', name)),
        toCal(cal('BOOKING_RESCHEDULED', 'b', { rescheduleUid: name })),
        toCalendly(calendly('invitee.created', name)),
        toCalendly(calendly('invitee.created', 'B', old)),
      ]) {
        expect((await refused).status).toBe(400);
      }
      const visit = { utm_source: `podcast${character}`, utm_content: `hero${character}` };
      await accepted(toCal(cal('BOOKING_CREATED', 'a', { metadata: visit })));
      await accepted(toCalendly(calendly('invitee.created', 'A', { tracking: visit })));
      expect(await figures()).toEqual([2, 0, 2]);
    },
  );

  it('a call counts with the campaign and the button of the page that passed them on', async () => {
    const visit = { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'Spring sale' };
    const created = (name: string, utm_content: string) =>
      calendly('invitee.created', name, { tracking: { ...visit, utm_content } });
    await accepted(toCalendly(created('A', 'hero')));
    await accepted(toCalendly(created('B', 'a stranger’s button')));
    const metadata = { ...visit, utm_content: 'footer' };
    await accepted(toCal(cal('BOOKING_CREATED', 'a', { metadata })));
    await accepted(toCal(cal('BOOKING_CANCELLED', 'a', { metadata })));
    expect(await figures('source=newsletter/email/spring-sale')).toEqual([3, 1, 2]);
    expect(await figures('button=hero')).toEqual([1, 0, 1]);
    expect(await figures('button=footer')).toEqual([1, 1, 0]);
  });

  it('a call elsewhere blocks no time of the site’s own scheduler', async () => {
    const slots = async () => (await site.fetch('/api/booking/slots?call=strategy-call')).json();
    const { days } = await slots();
    const start_time = days[0].slots[0];
    const moved = { scheduled_event: { start_time, end_time: start_time } };
    await accepted(toCalendly(calendly('invitee.created', 'A', moved)));
    expect((await slots()).days[0].slots[0]).toBe(start_time);
  });

  it('reports of the page are not counted when the webhook counts the same calls', async () => {
    const report = { type: 'call_booked', search: '?utm_source=newsletter' };
    expect((await site.post('/api/activity', report, { origin: site.origin })).status).toBe(204);
    expect(await figures()).toEqual([0, 0, 0]);
  });

  it('a call is counted once when only one of two calendars has its webhook', async () => {
    await site.close();
    await database.remove();
    await open(
      { CALENDLY_WEBHOOK_SECRET: calendlySecret },
      { strategyCall: 'https://calendly.com/ada/call', inboxReview: 'https://cal.com/ada/review' },
    );
    const report = { type: 'call_booked' };
    expect((await site.post('/api/activity', report, { origin: site.origin })).status).toBe(204);
    await accepted(toCalendly(calendly('invitee.created', 'A')));
    expect((await figures())[0]).toBe(1);
  });

  it('forged and old deliveries are refused and count nothing', async () => {
    const booked = calendly('invitee.created', 'A');
    const invalid = { code: 'INVALID_SIGNATURE' };
    for (const sending of [
      toCalendly(booked, { secret: calSecret }),
      toCalendly(booked, { at: Date.now() - 6 * 60_000 }),
      site.post('/api/webhooks/calendly', booked),
      toCal(cal('BOOKING_CREATED', 'a'), calendlySecret),
      site.post('/api/webhooks/cal', cal('BOOKING_CREATED', 'a')),
    ]) {
      const response = await sending;
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject(invalid);
    }
    expect(await figures()).toEqual([0, 0, 0]);
  });

  it('oversized and unreadable deliveries are refused, and other events are ignored', async () => {
    const large = await toCal(cal('BOOKING_CREATED', 'a', { title: 'x'.repeat(300_000) }));
    expect(large.status).toBe(413);
    for (const sending of [
      toCal({ ...cal('BOOKING_CREATED', 'a'), createdAt: 'now' }),
      toCal(null),
    ]) {
      const response = await sending;
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'UNREADABLE_EVENT' });
    }
    await accepted(toCal({ triggerEvent: 'PING', createdAt: justNow }));
    await accepted(toCalendly({ event: 'routing_form_submission.created', payload: {} }));
    expect((await site.fetch('/api/webhooks/cal')).status).toBe(405);
    expect(await figures()).toEqual([0, 0, 0]);
  });
});

it('webhooks of calendars are not found without their secrets', async () => {
  const site = await openTestSite();
  for (const name of ['calendly', 'cal']) {
    expect((await site.post(`/api/webhooks/${name}`, {})).status).toBe(404);
  }
  await site.close();
});
