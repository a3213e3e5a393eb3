/** Connections as the owner sets, changes and clears them, on a running site. */
import { readdirSync, readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { routes } from '../contract/routes.ts';
import { eventTypes } from '../sales/stripe/facts.ts';
import { certificate, key } from '../testing/certificate.ts';
import { engines, postgres } from '../testing/engines.ts';
import { filled } from '../testing/filled-config.ts';
import { openTestServer } from '../testing/http-server.ts';
import { lookupBy } from '../testing/outbound.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { openTestSmtp } from '../testing/smtp.ts';
import { openTestStripe } from '../testing/stripe/api.ts';
import { secret as deliverySecret, event, session, signed } from '../testing/stripe/events.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const closed = <T extends { close(): unknown }>(one: T): T => {
  closing.push(() => one.close());
  return one;
};

async function createDatabase(engine = postgres) {
  const { env, remove } = await engine.create();
  closing.push(remove);
  return env;
}

/** Servers of this machine count as public, but for `inside.test`. */
const outbound = {
  isAllowed: (address: string) => address === '127.0.0.1',
  lookup: lookupBy((name) => [name === 'inside.test' ? '127.0.0.2' : '127.0.0.1']),
  ca: certificate,
};

async function open(
  options: Omit<Parameters<typeof openTestSite>[0] & object, 'overrides'> & {
    overrides?: object;
  } = {},
) {
  const overrides = { outbound, ...options.overrides };
  return closed(await openTestSite({ config: filled, ...options, overrides }));
}

interface Connection {
  name: string;
  state: string;
  hint?: string;
  problem?: string;
  variables?: string[];
  items?: { id: string; hint: string }[];
}

/** The calls of an owner who has just signed in. */
async function ownerOf(site: TestSite) {
  const cookie = await signIn(site);
  const set = async (name: string, value: object) => {
    const response = await site.post(routes['connections.set'].path, { name, value }, { cookie });
    const body = (await response.json()) as {
      connection?: Connection;
      secret?: string;
      code?: string;
      issues?: { path: string; message: string }[];
    };
    return { status: response.status, ...body };
  };
  const list = async () => {
    const response = await site.fetch(routes['connections.list'].path, { headers: { cookie } });
    const { connections } = (await response.json()) as { connections: Connection[] };
    return Object.fromEntries(connections.map(({ name, ...connection }) => [name, connection]));
  };
  const clear = (name: string) => site.post(routes['connections.clear'].path, { name }, { cookie });
  return { cookie, set, list, clear };
}

/** A mail server that wants this password, as the owner enters it. */
async function openMail(password = 'app password') {
  const smtp = closed(await openTestSmtp({ password }));
  const port = Number(new URL(smtp.url).port);
  const value = {
    ...{ host: 'mail.test', port, security: 'none', user: 'me@my-domain.com', password },
    to: ['owner@my-domain.com'],
  };
  return { smtp, value, overrides: { smtpPorts: [port] } };
}

const sendMessage = (site: TestSite) =>
  site.post('/api/contact', { name: 'Ada', email: 'ada@my-host.com', message: 'Hello' });
const newMessages = (emails: { subject?: string | undefined }[]) =>
  emails.filter(({ subject }) => subject === 'Message from Ada').length;

describe.each(engines)('on $name', (engine) => {
  it('a mail server that was set sends a test email, then those of visitors, without a restart', async () => {
    const { smtp, value, overrides } = await openMail();
    const site = await open({ env: await createDatabase(engine), overrides });
    const { set, list, clear } = await ownerOf(site);
    expect((await list()).email).toEqual({ state: 'unset' });

    const result = await set('email', value);
    expect(result).toMatchObject({
      status: 200,
      connection: { state: 'browser', hint: 'A test email was sent to owner@my-domain.com' },
    });
    expect(smtp.emails.map(({ subject }) => subject)).toContain(
      'Test: emails of your site reach you',
    );
    expect((await list()).email).toEqual({
      state: 'browser',
      hint: 'me@my-domain.com at mail.test',
    });

    await sendMessage(site);
    await vi.waitFor(() => expect(newMessages(smtp.emails)).toBe(1), 10_000);

    expect((await clear('email')).status).toBe(200);
    expect((await list()).email).toEqual({ state: 'unset' });
    expect((await site.post('/api/settings/test-email', undefined, { cookie: '' })).status).toBe(
      401,
    );
  });

  it('a mail server that refuses the login is not stored, and the one before keeps working', async () => {
    const { smtp, value, overrides } = await openMail();
    const site = await open({ env: await createDatabase(engine), overrides });
    const { set, list } = await ownerOf(site);
    await set('email', value);
    const refused = await set('email', { ...value, password: 'wrong' });
    expect(refused).toMatchObject({ status: 400, code: 'VALIDATION' });
    expect(refused.issues?.[0]?.message).toMatch(
      /^The mail server rejects the user or the password/,
    );
    expect((await list()).email).toMatchObject({ state: 'browser' });
    await sendMessage(site);
    await vi.waitFor(() => expect(newMessages(smtp.emails)).toBe(1), 10_000);
  });

  it('no secret is in an answer or in the database', async () => {
    const { value, overrides } = await openMail('a-secret-of-the-owner');
    const env = await createDatabase(engine);
    const site = await open({ env, overrides });
    const { set, list, cookie } = await ownerOf(site);
    const answers = [
      await set('email', value),
      await set('calcom', { webhookSecret: 'another-secret-value' }),
      await list(),
    ];
    const log = await site.fetch('/api/admin/log', { headers: { cookie } });
    expect(JSON.stringify([answers, await log.text()])).not.toMatch(/a-secret|another-secret/);
    if (!env.DATA_DIR) return;
    for (const name of readdirSync(env.DATA_DIR).filter((name) => name.startsWith('shingle.db'))) {
      expect(readFileSync(`${env.DATA_DIR}/${name}`, 'latin1'), name).not.toMatch(
        /a-secret|another-secret/,
      );
    }
  });
});

it('another instance uses a connection within seconds', async () => {
  const { smtp, value, overrides } = await openMail();
  const env = await createDatabase();
  const [one, other] = [await open({ env, overrides }), await open({ env, overrides })];
  await (await ownerOf(one)).set('email', value);
  const { list, cookie } = await ownerOf(other);
  await vi.waitFor(async () => {
    const response = await other.fetch('/api/settings/email', { headers: { cookie } });
    expect(await response.json()).toMatchObject({ mailServer: { host: 'mail.test' } });
  }, 10_000);
  expect((await list()).email).toMatchObject({ state: 'browser' });
  await sendMessage(other);
  await vi.waitFor(() => expect(newMessages(smtp.emails)).toBe(1), 10_000);
});

it('a stored password is kept for the same host and user, and never sent to another', async () => {
  const { value, overrides } = await openMail();
  const other = await openMail('of another server');
  const site = await open({
    overrides: { smtpPorts: [...overrides.smtpPorts, ...other.overrides.smtpPorts] },
  });
  const { set } = await ownerOf(site);
  const { password: _, ...withoutPassword } = value;
  await set('email', value);
  expect((await set('email', { ...withoutPassword, to: ['two@my-domain.com'] })).status).toBe(200);
  const moved = await set('email', { ...withoutPassword, host: 'other.test' });
  expect(moved.status).toBe(400);
});

it('what the environment sets is locked, and names its variable', async () => {
  const { smtp } = await openMail();
  const env = {
    SMTP_URL: smtp.url,
    CONTACT_TO: 'owner@my-domain.com',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  };
  const site = await open({ env });
  const { set, list, clear } = await ownerOf(site);
  expect(await list()).toMatchObject({
    email: { state: 'environment', variables: ['SMTP_URL'] },
    stripe: { state: 'environment', variables: ['STRIPE_WEBHOOK_SECRET'] },
    webhook: { state: 'unset' },
  });
  const value = { host: 'mail.test', port: 587 };
  expect(await set('email', value)).toMatchObject({ status: 409, code: 'SET_BY_ENVIRONMENT' });
  expect((await clear('email')).status).toBe(409);
});

it.each([
  ['email', { host: 'inside.test', port: 587, to: ['owner@my-domain.com'] }],
  ['email', { host: '127.0.0.2', port: 587, to: ['owner@my-domain.com'] }],
  ['webhook', { url: 'https://inside.test/hook' }],
  ['webhook', { url: 'https://127.0.0.2/hook' }],
  ['busyCalendars', { add: 'https://inside.test/basic.ics' }],
  ['busyCalendars', { add: 'https://[::1]/basic.ics' }],
])('%s refuses an address of a local network: case %#', async (name, value) => {
  const { set, list } = await ownerOf(await open());
  const refused = await set(name, value);
  expect(refused.issues?.[0]?.message).toMatch(/local network/);
  expect((await list())[name]).toEqual({ state: 'unset' });
});

it('a password is sent to a mail server only after its certificate is checked', async () => {
  const logins: unknown[] = [];
  const smtp = closed(
    await openTestSmtp({
      rules: {
        ...{ secure: true, key, cert: certificate },
        onAuth: (auth, _session, done) => {
          logins.push(auth);
          done(null, { user: auth.username });
        },
      },
    }),
  );
  const port = Number(new URL(smtp.url).port);
  const { set } = await ownerOf(await open({ overrides: { smtpPorts: [port] } }));
  const login = { user: 'me@my-domain.com', password: 'app password' };
  const value = { port, ...login, to: ['owner@my-domain.com'] };
  // The certificate is that of localhost, of an authority that nobody trusts.
  for (const host of ['localhost', 'mail.test']) {
    const { issues } = await set('email', { ...value, host, security: 'tls' });
    expect(issues?.[0]?.message).toMatch(/^The certificate of the mail server is/);
  }
  expect(logins).toEqual([]);
});

it('a mail server without encryption gets no password unless the owner chose that', async () => {
  const { value, overrides } = await openMail();
  const { set } = await ownerOf(await open({ overrides }));
  const { security: _, ...byDefault } = value;
  const { issues } = await set('email', byDefault);
  expect(issues?.[0]?.message).toMatch(/^The mail server offers no encryption at this port/);
  expect((await set('email', value)).status).toBe(200);
});

it('a mail server at another port than those of mail is refused', async () => {
  const { set } = await ownerOf(await open());
  const { issues } = await set('email', {
    host: 'mail.test',
    port: 22,
    to: ['owner@my-domain.com'],
  });
  expect(issues?.[0]?.message).toMatch(/at the ports 587, 465, 2525 and 25, not at 22/);
});

it('connections are read with an older secret that is still listed, and are named when it is missing', async () => {
  const env = await createDatabase();
  const [older, newer] = ['an older secret of sessions', 'a newer secret of sessions'];
  const openWith = async (SESSION_SECRET: string) => {
    const site = await openTestSite({ config: filled, env: { ...env, SESSION_SECRET } });
    const owner = await ownerOf(site);
    return { site, ...owner };
  };
  const first = await openWith(older);
  await first.set('calcom', { webhookSecret: 'a secret of sixteen characters' });
  await first.site.close();
  const rotated = await openWith(`${newer},${older}`);
  expect((await rotated.list()).calcom).toMatchObject({ state: 'browser', hint: '…ters' });
  await rotated.site.close();
  // It was encrypted anew.
  const next = await openWith(newer);
  expect((await next.list()).calcom).toMatchObject({ state: 'browser', hint: '…ters' });
  await next.site.close();
  const lost = await openWith('quite another secret of sessions');
  closing.push(() => lost.site.close());
  const { problem } = (await lost.list()).calcom ?? {};
  expect(problem).toMatch(/^What you entered for Cal\.com cannot be read any more/);
  const status = await lost.site.fetch('/api/settings/status', {
    headers: { cookie: lost.cookie },
  });
  expect(((await status.json()) as { alert: string }).alert).toBe(problem);
});

it('setting and clearing ask for the password after ten minutes, and are in the log', async () => {
  let clock = Date.now();
  const site = await open({ now: () => clock });
  const { set, clear, cookie } = await ownerOf(site);
  const value = { webhookSecret: 'a secret of sixteen characters' };
  expect((await set('calendly', value)).status).toBe(200);
  expect((await clear('calendly')).status).toBe(200);
  const response = await site.fetch('/api/admin/log', { headers: { cookie } });
  const { entries } = (await response.json()) as { entries: { act: string; detail?: string }[] };
  const acts = entries.filter(({ act }) => act.startsWith('connection'));
  expect(acts.map(({ act, detail }) => `${act} ${detail}`).sort()).toEqual([
    ...['connection_cleared calendly', 'connection_set calendly'],
  ]);
  clock += 11 * 60_000;
  expect(await set('calendly', value)).toMatchObject({ status: 403, code: 'CONFIRM_PASSWORD' });
  expect((await clear('calendly')).status).toBe(403);
});

it('a key of Stripe that lacks rights is refused with their names, one that has them is used', async () => {
  const stripe = closed(await openTestStripe());
  const site = await open({ overrides: { stripeEndpoint: stripe.endpoint } });
  const { set, list } = await ownerOf(site);
  const error = { type: 'invalid_request_error', message: 'no' };
  stripe.failure = { path: /disputes|refunds/, status: 403, error };
  expect((await set('stripe', { key: 'rk_test_1234' })).issues?.[0]?.message).toBe(
    'This key may not read Charges and Refunds and Disputes. Please allow it at Stripe, or create another key.',
  );
  stripe.failure = { path: /./, status: 401, error };
  expect((await set('stripe', { key: 'rk_test_1234' })).issues?.[0]?.message).toMatch(
    /^Stripe rejects the key/,
  );
  stripe.failure = undefined;
  expect((await set('stripe', { key: 'rk_test_1234' })).status).toBe(200);
  expect((await list()).stripe).toMatchObject({ state: 'browser', hint: 'Key …1234' });
  expect(stripe.keys.at(-1)).toBe('Bearer rk_test_1234');
});

describe('with a public address', () => {
  const env = { PUBLIC_URL: 'https://www.adabrook.com' };
  const url = `${env.PUBLIC_URL}/api/webhooks/stripe`;
  const denied = { type: 'invalid_request_error', message: 'no' };

  async function openPublic() {
    const stripe = closed(await openTestStripe());
    stripe.account = { ...stripe.account, settings: { dashboard: { display_name: 'Ada Brook' } } };
    const site = await open({ env, overrides: { stripeEndpoint: stripe.endpoint } });
    return { stripe, site, ...(await ownerOf(site)) };
  }

  it('a key of Stripe makes the webhook of the site, whose deliveries are accepted, and clearing deletes it', async () => {
    const { stripe, site, set, clear } = await openPublic();
    stripe.endpoints.push(
      { id: 'we_hand', url, status: 'enabled', enabled_events: ['*'] },
      { id: 'we_other', url: 'https://shop.example/hook', status: 'enabled' },
    );
    const { connection } = await set('stripe', { key: 'rk_live_1234' });
    expect(connection?.hint).toBe('Connected to Ada Brook');
    // The one that was made by hand would deliver everything twice.
    expect(stripe.endpoints).toMatchObject([
      { id: 'we_other' },
      {
        id: 'we_3',
        url,
        enabled_events: eventTypes,
        api_version: expect.stringMatching(/^20\d\d-/),
      },
    ]);
    const body = JSON.stringify(event('checkout.session.completed', session()));
    const signature = signed(body, { key: 'whsec_of_we_3' });
    const deliver = () =>
      site.post('/api/webhooks/stripe', body, { 'stripe-signature': signature });
    expect((await deliver()).status).toBe(200);
    await clear('stripe');
    expect((await deliver()).status).toBe(404);
    expect(stripe.endpoints).toMatchObject([{ id: 'we_other' }]);
  });

  it('the webhook at Stripe is mended by the same key, and moves with another one', async () => {
    const { stripe, set, list } = await openPublic();
    await set('stripe', { key: 'rk_live_1234' });
    Object.assign(stripe.endpoints[0] ?? {}, {
      status: 'disabled',
      enabled_events: ['payout.paid'],
    });
    await set('stripe', { key: 'rk_live_5678' });
    expect(stripe.endpoints).toMatchObject([
      { id: 'we_1', status: 'enabled', enabled_events: eventTypes },
    ]);
    stripe.endpoints.splice(0);
    await set('stripe', { key: 'rk_live_9999' });
    expect(stripe.endpoints).toHaveLength(1);
    expect((await list()).stripe?.hint).toBe('Key …9999');
  });

  it('a key of Stripe that may not make the webhook is refused, unless the owner has made it', async () => {
    const { stripe, set } = await openPublic();
    stripe.failure = { path: /webhook_endpoints/, status: 403, error: denied };
    const { issues } = await set('stripe', { key: 'rk_live_1234' });
    expect(issues?.[0]?.message).toMatch(/^This key may not write Webhook Endpoints/);
    await set('stripe', { webhookSecret: deliverySecret });
    expect((await set('stripe', { key: 'rk_live_1234' })).status).toBe(200);
  });

  it('a key for test payments is refused on a live site', async () => {
    const { set } = await openPublic();
    const { issues } = await set('stripe', { key: 'rk_test_1234' });
    expect(issues?.[0]?.message).toMatch(/^This is a key for test payments/);
  });

  it('Payment Links are listed with what they sell, or why they cannot be read', async () => {
    const { stripe, set, site, cookie } = await openPublic();
    const path = routes['connections.paymentLinks'].path;
    const links = async () => (await site.fetch(path, { headers: { cookie } })).json();
    expect(await links()).toEqual({ links: [], problem: 'Connect Stripe with a key first.' });
    await set('stripe', { key: 'rk_live_1234' });
    stripe.paymentLinks.push({
      ...{ id: 'plink_1', url: 'https://buy.stripe.com/a', object: 'payment_link' },
      line_items: { object: 'list', data: [{ description: 'Email audit' }] },
    });
    expect(await links()).toEqual({
      links: [{ id: 'plink_1', url: 'https://buy.stripe.com/a', name: 'Email audit' }],
    });
    stripe.failure = { path: /payment_links/, status: 403, error: denied };
    expect(await links()).toMatchObject({
      problem: expect.stringMatching(/may not read Payment Links/),
    });
  });
});

it('deliveries of Stripe are accepted from the moment their secret is set', async () => {
  const site = await open();
  const { set, list, clear } = await ownerOf(site);
  const body = JSON.stringify(event('checkout.session.completed', session()));
  const deliver = async () =>
    (await site.post('/api/webhooks/stripe', body, { 'stripe-signature': signed(body) })).status;
  expect(await deliver()).toBe(404);
  expect((await set('stripe', { webhookSecret: deliverySecret })).status).toBe(200);
  expect(await deliver()).toBe(200);
  expect((await list()).stripe).toMatchObject({ state: 'browser' });
  await clear('stripe');
  expect(await deliver()).toBe(404);
});

it('calendars are added with what was read, listed by host, and removed', async () => {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  const busy = `BEGIN:VEVENT\r\nUID:1\r\nDTSTART:${day}T100000Z\r\nDTEND:${day}T110000Z\r\nEND:VEVENT`;
  const calendar = closed(
    await openTestServer(
      (req, res) =>
        void (req.url === '/missing.ics'
          ? res.writeHead(404).end()
          : res.end(`BEGIN:VCALENDAR\r\n${busy}\r\nEND:VCALENDAR\r\n`)),
      { isTls: true },
    ),
  );
  const site = await open();
  const { set, list } = await ownerOf(site);
  const added = await set('busyCalendars', { add: `${calendar.origin}/a.ics` });
  expect(added.connection?.hint).toBe('Read: 1 busy time in the next seven days');
  await set('busyCalendars', { add: `${calendar.origin}/b.ics` });
  const { items = [] } = (await list()).busyCalendars ?? {};
  expect(items.map(({ hint }) => hint)).toEqual(['localhost', 'localhost']);
  const missing = await set('busyCalendars', { add: `${calendar.origin}/missing.ics` });
  expect(missing).toMatchObject({ status: 400, code: 'VALIDATION' });
  for (const { id } of items) {
    expect((await set('busyCalendars', { remove: id })).status).toBe(200);
  }
  expect((await list()).busyCalendars).toEqual({ state: 'unset' });
});

it('the secret of a webhook is returned once, and signs its events', async () => {
  const bodies: { text: string; headers: Record<string, string> }[] = [];
  const receiver = closed(
    await openTestServer(
      async (req, res) => {
        let text = '';
        for await (const part of req) text += part;
        if (req.method === 'POST') {
          bodies.push({ text, headers: req.headers as Record<string, string> });
        }
        res.end();
      },
      { isTls: true },
    ),
  );
  const site = await open();
  const { set } = await ownerOf(site);
  const url = `${receiver.origin}/hook`;
  const { secret = '' } = await set('webhook', { url });
  expect(secret).toMatch(/^whsec_/);
  expect((await set('webhook', { url })).secret).toBeUndefined();
  await sendMessage(site);
  await vi.waitFor(() => expect(bodies).toHaveLength(1), 10_000);
  const { text = '', headers = {} } = bodies[0] ?? {};
  expect(new Webhook(secret).verify(text, headers)).toMatchObject({ type: 'message.received' });
});
