/** A site on the data of `demo`, with every connection that the environment can name. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestCalendar, type TestCalendar } from '../../testing/calendar.ts';
import { createOwner, now, type TestOwner } from '../../testing/cli-io.ts';
import { openTestSite, signIn, type TestSite } from '../../testing/site.ts';
import { openTestSmtp, type TestSmtp } from '../../testing/smtp.ts';
import { openTestStripe, type TestStripe } from '../../testing/stripe/api.ts';
import {
  openTestReceiver,
  type TestReceiver,
  webhookSecret,
} from '../../testing/webhook-receiver.ts';

let owner: TestOwner;
let smtp: TestSmtp;
let receiver: TestReceiver;
let calendar: TestCalendar;
let stripe: TestStripe;
let site: TestSite;
let clock: number;

beforeEach(async () => {
  clock = now;
  owner = await createOwner();
  smtp = await openTestSmtp();
  receiver = await openTestReceiver();
  calendar = await openTestCalendar();
  stripe = await openTestStripe();
});
afterEach(async () => {
  vi.useRealTimers();
  await site.close();
  for (const one of [smtp, receiver, calendar, stripe]) await one.close();
  await owner.remove();
});

const open = async () => {
  site = await openTestSite({
    env: {
      DATA_DIR: owner.folder,
      SMTP_URL: smtp.url,
      CONTACT_TO: 'me@my-domain.com',
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: webhookSecret,
      BUSY_CALENDARS: `${calendar.origin}/secret.ics`,
      STRIPE_API_KEY: 'rk_test_abc',
    },
    overrides: { stripeEndpoint: stripe.endpoint },
    now: () => clock,
  });
};
const sendMessage = () =>
  site.post(
    '/api/contact',
    { name: 'Ada', email: 'ada@example.com', message: 'Hello' },
    { 'idempotency-key': randomUUID() },
  );
const sent = () => ({
  emails: smtp.emails.length > 0,
  events: receiver.requests.length > 0,
  calendars: calendar.requests.length > 0,
  stripe: stripe.requests.length > 0,
});
const read = async (path: string, cookie: string) =>
  (await site.fetch(path, { headers: { cookie } })).json();

it('a site on made-up data sends no email and no event, and calls no other server', async () => {
  expect(await owner.admin(['demo', '--events', '50', '--days', '9'])).toMatchObject({ code: 0 });
  await open();
  const cookie = await signIn(site);
  expect((await sendMessage()).status).toBe(200);
  await sleep(1500);
  expect(sent()).toEqual({ emails: false, events: false, calendars: false, stripe: false });

  const shown = { isDemo: true, alert: null };
  expect(await read('/api/settings/status', cookie)).toMatchObject(shown);
  expect(await read('/api/analytics/dashboard', cookie)).toMatchObject(shown);
  expect(JSON.stringify(await read('/api/settings/launch-check', cookie))).toMatch(
    /The database.*holds the demo’s made-up data/,
  );
  expect(JSON.stringify(await read('/api/settings/network-check', cookie))).not.toMatch(/responds/);
  const address = calendar.origin;
  const tested = await site.post('/api/settings/test-address', { address }, { cookie });
  expect(await tested.json()).toEqual({
    problem: 'It was not tested: a site with made-up data calls no other server.',
  });
  const test = await site.post('/api/settings/test-email', undefined, { cookie });
  expect(test.status).toBe(409);
});

it('the same site on real data uses each of these connections', async () => {
  await open();
  const cookie = await signIn(site);
  expect((await sendMessage()).status).toBe(200);
  await vi.waitFor(
    () => expect(sent()).toEqual({ emails: true, events: true, calendars: true, stripe: true }),
    20_000,
  );
  expect(await read('/api/settings/status', cookie)).toMatchObject({ isDemo: false, unread: 1 });
});

it('a running site sends nothing of the data that demo adds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await open();
  await vi.waitFor(() => expect(sent()).toMatchObject({ calendars: true, stripe: true }), 20_000);
  expect(await owner.admin(['demo', '--events', '50', '--days', '9'])).toMatchObject({ code: 0 });
  const cookie = await signIn(site);
  const before = smtp.emails.length;
  expect((await sendMessage()).status).toBe(200);
  const address = calendar.origin;
  const tested = await site.post('/api/settings/test-address', { address }, { cookie });
  expect(await tested.json()).toEqual({
    problem: 'It was not tested: a site with made-up data calls no other server.',
  });
  const test = await site.post('/api/settings/test-email', undefined, { cookie });
  expect(await test.json()).toMatchObject({ code: 'DEMO_DATA' });
  const requested = () => calendar.requests.length + stripe.requests.length;
  vi.advanceTimersByTime(60_000);
  await sleep(500);
  const earlier = requested();
  clock += 10 * 60_000;
  vi.advanceTimersByTime(10 * 60_000);
  await sleep(1500);
  expect(requested()).toBe(earlier);
  expect(smtp.emails.length).toBe(before);
  expect(receiver.requests).toEqual([]);
  expect(await read('/api/settings/status', cookie)).toMatchObject({ isDemo: true });

  const asked = stripe.requests.length;
  const verified = await owner.admin(['verify'], {
    env: { STRIPE_API_KEY: 'rk_test_abc' },
    stripeEndpoint: stripe.endpoint,
  });
  expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^The data are made up/) });
  expect(stripe.requests).toHaveLength(asked);
});
