/** Connections that fail after they were set, on a running site whose clock the tests move. */
import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { connectionTests, ownerOf } from '../testing/connections.ts';
import { openTestServer } from '../testing/http-server.ts';
import type { TestSite } from '../testing/site.ts';
import { event, secret, session, signed } from '../testing/stripe/events.ts';

const { closed, open, openMail } = connectionTests();

const minute = 60_000;
const webhookSecret = 'a secret of sixteen characters';
let clock: number;
beforeEach(() => {
  clock = Date.now();
});

async function openSite(overrides: object = {}) {
  const site = await open({ now: () => clock, overrides });
  return { site, ...(await ownerOf(site)) };
}

const sendMessage = (site: TestSite) =>
  site.post('/api/contact', { name: 'Ada', email: 'ada@my-host.com', message: 'Hello' });

/** Waits until the alerts of the site match; null is that there are none. */
const alerts = async (site: TestSite, cookie: string, pattern: RegExp | null) => {
  await vi.waitFor(async () => {
    const response = await site.fetch('/api/settings/status', { headers: { cookie } });
    const { alert } = (await response.json()) as { alert: string | null };
    if (pattern === null) expect(alert).toBeNull();
    else expect(alert).toMatch(pattern);
  }, 10_000);
};

/** A server that answers with this status, and counts requests. */
async function openServer(body: string) {
  const state = { status: 200, requests: 0 };
  const server = closed(
    await openTestServer(
      (_, res) => {
        state.requests += 1;
        res.writeHead(state.status).end(body);
      },
      { isTls: true },
    ),
  );
  return Object.assign(state, { origin: server.origin });
}

it('a mail server that takes no email is an alert after five minutes, until it takes them', async () => {
  const { smtp, value, overrides } = await openMail();
  const { site, cookie, set, list } = await openSite(overrides);
  await set('email', value);
  smtp.setBehaviour('defer');
  await sendMessage(site);
  clock += 5 * minute;
  // Once the result is stored.
  await alerts(site, cookie, /^An email could not be sent for 5 .* result: EMESSAGE 451\. /);
  const { problem } = (await list()).email ?? {};
  expect(problem).toMatch(/^An email could not be sent/);
  // Its own text.
  expect(problem).not.toContain('Greylisted');
  smtp.setBehaviour('accept');
  clock += 10 * minute;
  // It wakes the worker, which looks every half minute otherwise.
  await sendMessage(site);
  await alerts(site, cookie, null);
  expect((await list()).email?.problem).toBeUndefined();
});

it('a webhook receiver that takes no event is an alert after five minutes, until it takes them', async () => {
  const receiver = await openServer('');
  const { site, cookie, set, list } = await openSite();
  await set('webhook', { url: `${receiver.origin}/hook` });
  receiver.status = 503;
  await sendMessage(site);
  await vi.waitFor(() => expect(receiver.requests).toBeGreaterThan(1), 10_000);
  clock += 5 * minute;
  await alerts(site, cookie, /An event .* for 5 minutes\. The last result: HTTP 503\./);
  expect((await list()).webhook?.problem).toMatch(/Check its address/);
  receiver.status = 200;
  clock += 10 * minute;
  await sendMessage(site);
  await alerts(site, cookie, null);
  expect((await list()).webhook?.problem).toBeUndefined();
});

it('a calendar that cannot be read is an alert after five minutes, until it can', async () => {
  const calendar = await openServer('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n');
  const { site, cookie, set, list } = await openSite();
  const checkedAt = async () => (await list()).busyCalendars?.checkedAt;
  await set('busyCalendars', { add: `${calendar.origin}/basic.ics` });
  await vi.waitFor(async () => expect(await checkedAt()).toBeDefined(), 10_000);
  const readAt = await checkedAt();
  // The site starts to read anew when its connections change; otherwise it looks each minute.
  const readAgain = async (name: string) => {
    const { requests } = calendar;
    clock += 6 * minute;
    expect((await (await ownerOf(site)).set(name, { webhookSecret })).status).toBe(200);
    await vi.waitFor(() => expect(calendar.requests).toBe(requests + 1), 10_000);
  };
  calendar.status = 500;
  await readAgain('calcom');
  // Until the failure is stored, the time of the try counts.
  await vi.waitFor(async () => expect(await checkedAt()).toBe(readAt), 10_000);
  clock += 5 * minute;
  await alerts(site, cookie, /^Your calendar at localhost cannot be read\./);
  expect((await list()).busyCalendars?.problem).toMatch(/responds with status 500/);
  calendar.status = 200;
  await readAgain('calendly');
  await alerts(site, cookie, null);
});

describe('deliveries with the signature of another secret', () => {
  const timed = (body: string, key: string) => signed(body, { key });
  const untimed = (body: string, key: string) =>
    createHmac('sha256', key).update(body).digest('hex');
  const stripeEvent = JSON.stringify(event('checkout.session.completed', session()));
  const services = [
    ['stripe', 'Stripe', '/api/webhooks/stripe', 'stripe-signature', timed, stripeEvent],
    ['calendly', 'Calendly', '/api/webhooks/calendly', 'calendly-webhook-signature', timed, '{}'],
    ['calcom', 'Cal.com', '/api/webhooks/cal', 'x-cal-signature-256', untimed, '{}'],
  ] as const;

  describe.each(services)('of %s', (name, service, path, header, sign, body) => {
    async function openService() {
      const opened = await openSite();
      await opened.set(name, { webhookSecret: `whsec_${webhookSecret.replaceAll(' ', '_')}` });
      const send = async (signature: string, text = body as string) =>
        (await opened.site.post(path, text, { [header]: signature })).status;
      const problem = async () => (await opened.list())[name]?.problem;
      return { ...opened, send, problem };
    }
    const other = () => sign(body, 'whsec_another_secret_of_a_webhook');

    it('are a problem and an alert after the third within five minutes or more', async () => {
      const { site, cookie, send, problem, set } = await openService();
      expect(await send(other())).toBe(400);
      await send(other());
      expect(await problem()).toBeUndefined();
      clock += 5 * minute;
      await send(other());
      expect(await problem()).toMatch(
        `${service}’s deliveries are refused: the signing secret is another one.`,
      );
      await alerts(site, cookie, /deliveries are refused/);
      // Another connection starts the webhooks anew.
      await set(name === 'calcom' ? 'calendly' : 'calcom', { webhookSecret });
      await alerts(site, cookie, /deliveries are refused/);
      await set(name, { webhookSecret: 'whsec_another_secret_of_a_webhook' });
      await alerts(site, cookie, null);
    });

    it('are none when many come at once, or do not look like those of the service', async () => {
      const { send, problem } = await openService();
      for (let n = 0; n < 5; n++) await send(other());
      expect(await problem()).toBeUndefined();
      const strange = await openService();
      for (let n = 0; n < 5; n++) {
        clock += 5 * minute;
        for (const signature of ['', 'a', 't=1,v1=a']) await strange.send(signature);
        await strange.send(other(), 'no object');
      }
      expect(await strange.problem()).toBeUndefined();
    });
  });

  it('end as a problem with the next accepted one, and as an alert when the service is removed', async () => {
    const { set, list, cookie, site } = await openSite();
    await set('stripe', { webhookSecret: secret });
    const send = async (key: string) =>
      site.post('/api/webhooks/stripe', stripeEvent, {
        'stripe-signature': signed(stripeEvent, { key }),
      });
    const sendOthers = async () => {
      for (let n = 0; n < 3; n++) {
        await send('whsec_another');
        clock += 2.5 * minute;
      }
      expect((await list()).stripe?.problem).toMatch(/are refused/);
    };
    await sendOthers();
    expect((await send(secret)).status).toBe(200);
    expect((await list()).stripe?.problem).toBeUndefined();
    await sendOthers();
    expect((await (await ownerOf(site)).clear('stripe')).status).toBe(200);
    await alerts(site, cookie, null);
  });
});
