/** Connections as the owner sets, changes and clears them, on a running site. */
import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import type { SitePages } from '../app/site-pages.ts';
import { handTyped } from '../database/columns.ts';
import { all } from '../database/database.ts';
import { certificate, key } from '../testing/certificate.ts';
import { connectionTests, ownerOf } from '../testing/connections.ts';
import { engines, openDatabase, postgres, sqlite } from '../testing/engines.ts';
import { filled } from '../testing/filled-config.ts';
import { openTestServer } from '../testing/http-server.ts';
import { lookupBy } from '../testing/outbound.ts';
import { plainPages, type TestSite } from '../testing/site.ts';
import { openTestSmtp } from '../testing/smtp.ts';

const { closed, createDatabase, open, openMail } = connectionTests();

const sendMessage = (site: TestSite) =>
  site.post('/api/contact', { name: 'Ada', email: 'ada@my-host.com', message: 'Hello' });
const newMessages = (emails: { subject?: string | undefined }[]) =>
  emails.filter(({ subject }) => subject === 'Message from Ada').length;

describe.each(engines)('on $name', (engine) => {
  it('a mail server that was set sends a test email, then those of visitors, without a restart', async () => {
    const { smtp, value, overrides } = await openMail();
    const site = await open({ env: await createDatabase(engine), overrides });
    const { set, list, clear, cookie } = await ownerOf(site);
    expect((await list()).email).toEqual({ state: 'unset' });

    const result = await set('email', value);
    expect(result).toMatchObject({
      status: 200,
      connection: { state: 'browser', hint: 'A test email was sent to owner@my-domain.com' },
    });
    expect(smtp.emails.map(({ subject }) => subject)).toContain(
      'Test: emails of your site reach you',
    );
    const { password: _, ...fields } = value;
    expect((await list()).email).toEqual({
      ...{ state: 'browser', hint: 'me@my-domain.com at mail.test', fields },
    });

    await sendMessage(site);
    await vi.waitFor(() => expect(newMessages(smtp.emails)).toBe(1), 10_000);

    expect((await clear('email')).status).toBe(200);
    expect((await list()).email).toEqual({ state: 'unset' });
    const test = await site.post('/api/settings/test-email', undefined, { cookie });
    expect(await test.json()).toMatchObject({ code: 'NO_MAIL_SERVER' });
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

it('a stored password is kept for the same login, and never sent to another server', async () => {
  const { value, overrides } = await openMail();
  const logins: unknown[] = [];
  const other = closed(
    await openTestSmtp({
      rules: {
        onAuth: (auth, _session, done) => {
          logins.push(auth);
          done(null, { user: auth.username });
        },
      },
    }),
  );
  const port = Number(new URL(other.url).port);
  const { set } = await ownerOf(
    await open({ overrides: { smtpPorts: [...overrides.smtpPorts, port] } }),
  );
  const { password: _, ...withoutPassword } = value;
  await set('email', value);
  expect((await set('email', { ...withoutPassword, to: ['two@my-domain.com'] })).status).toBe(200);
  for (const change of [{ host: 'other.test' }, { port }, { user: 'you@my-domain.com' }]) {
    const moved = await set('email', { ...withoutPassword, ...change });
    expect(moved.issues?.[0]?.message, JSON.stringify(change)).toBe(
      'The mail server has a user and no password. Enter both.',
    );
  }
  expect(logins).toEqual([]);
});

it('a field that the environment sets is locked, and the mail server is not', async () => {
  const { smtp, value, overrides } = await openMail();
  const site = await open({
    env: { CONTACT_TO: 'me@my-host.com', EMAIL_FROM: 'site@my-host.com' },
    overrides,
  });
  const { set, list } = await ownerOf(site);
  const variables = ['EMAIL_FROM', 'CONTACT_TO'];
  expect((await list()).email).toEqual({ state: 'unset', variables });
  const { to: _, ...server } = value;
  expect(await set('email', value)).toMatchObject({
    ...{ status: 409, code: 'SET_BY_ENVIRONMENT' },
    error: expect.stringMatching(/^CONTACT_TO is set/),
  });
  const refused = await set('email', { ...server, from: 'other@my-host.com' });
  expect(refused).toMatchObject({ status: 409, error: expect.stringMatching(/^EMAIL_FROM is/) });
  expect((await set('email', server)).status).toBe(200);
  expect((await list()).email).toMatchObject({ state: 'browser', variables });
  expect(smtp.emails[0]).toMatchObject({
    ...{ from: { address: 'site@my-host.com' }, to: [{ address: 'me@my-host.com' }] },
  });
});

it('connections that are set at once are in use when their responses arrive', async () => {
  const rendering = { isSlow: false };
  const pages: SitePages = {
    of: async () => {
      if (rendering.isSlow) await setTimeout(300);
      return plainPages;
    },
    preview: async () => plainPages,
    addWords: async () => {},
  };
  // Its stores take what is written at once in one commit.
  const site = await open({ pages, env: await createDatabase(postgres) });
  const { set } = await ownerOf(site);
  rendering.isSlow = true;
  const isUsed = async (name: string, path: string) => {
    expect((await set(name, { webhookSecret: 'whsec_of_sixteen_characters' })).status).toBe(200);
    // Without the connection there is no such address (404); with it the signature is missing.
    expect((await site.post(path, {})).status).toBe(400);
  };
  await Promise.all([
    isUsed('calcom', '/api/webhooks/cal'),
    isUsed('calendly', '/api/webhooks/calendly'),
    isUsed('stripe', '/api/webhooks/stripe'),
  ]);
});

/** A site that as many times as `failures` says cannot use what was stored. */
async function openFailing() {
  const state = { failures: 0 };
  const pages: SitePages = {
    async of() {
      if (state.failures-- > 0) throw new Error('away');
      return plainPages;
    },
    preview: async () => plainPages,
    addWords: async () => {},
  };
  const site = await open({ env: await createDatabase(), pages });
  return { state, site, ...(await ownerOf(site)) };
}

it('a connection that was stored and could not be used is in use once it can', async () => {
  const { state, site, set } = await openFailing();
  // That of the request, and that of the check after it.
  state.failures = 2;
  expect(await set('calcom', { webhookSecret: 'a secret of sixteen characters' })).toMatchObject({
    status: 200,
    connection: { state: 'browser', problem: expect.stringMatching(/^It is saved, but/) },
  });
  await vi.waitFor(
    async () => expect((await site.post('/api/webhooks/cal', '{}')).status).not.toBe(404),
    30_000,
  );
});

it('the secret of a webhook is returned also when the webhook cannot be used at once', async () => {
  const receiver = closed(await openTestServer((_, res) => void res.end(), { isTls: true }));
  const { state, set } = await openFailing();
  state.failures = 2;
  expect((await set('webhook', { url: `${receiver.origin}/hook` })).secret).toMatch(/^whsec_/);
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
    email: { state: 'environment', variables: ['SMTP_URL', 'CONTACT_TO'] },
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

it('a host that LOCAL_HOSTS names may be in a local network and at any port', async () => {
  const { smtp, value } = await openMail();
  const outbound = { isAllowed: () => false, lookup: lookupBy(() => ['127.0.0.1']) };
  const site = await open({ env: { LOCAL_HOSTS: 'Relay.test' }, overrides: { outbound } });
  const { set } = await ownerOf(site);
  const refused = await set('email', { ...value, port: 587 });
  expect(refused.issues?.[0]?.message).toMatch(/local network/);
  expect((await set('email', { ...value, host: 'relay.test' })).status).toBe(200);
  await sendMessage(site);
  await vi.waitFor(() => expect(newMessages(smtp.emails)).toBe(1), 10_000);
});

it('a port that is none is refused, also for a host that LOCAL_HOSTS names', async () => {
  const site = await open({ env: { LOCAL_HOSTS: 'relay.test' } });
  const { set } = await ownerOf(site);
  for (const port of [-1, 0, 65_536, 2 ** 40]) {
    const refused = await set('email', { host: 'relay.test', port, to: ['owner@my-domain.com'] });
    expect(refused, String(port)).toMatchObject({ status: 400, issues: [{ path: 'value.port' }] });
  }
});

it('an app password is accepted with the no-break spaces of the page it was copied from', async () => {
  const { value, overrides } = await openMail('abcd efgh ijkl mnop');
  const { set } = await ownerOf(await open({ overrides }));
  const password = '\u00a0abcd\u00a0efgh\u00a0ijkl\u00a0mnop ';
  expect((await set('email', { ...value, password })).status).toBe(200);
});

it('a mail server without a recipient has a problem', async () => {
  const { value, overrides } = await openMail();
  const site = await open({ overrides });
  const { set, list } = await ownerOf(site);
  const { to: _, ...server } = value;
  expect((await set('email', server)).status).toBe(200);
  expect((await list()).email?.problem).toBeUndefined();
  const brand = { ...filled.brand, email: 'hello@studio.example' };
  await site.configure({ ...filled, brand });
  expect((await list()).email?.problem).toMatch(/^The site sends no email/);
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

it('setting and clearing ask for the password after ten minutes, and are in the log', async () => {
  let clock = Date.now();
  const site = await open({ now: () => clock });
  const { set, clear, cookie } = await ownerOf(site);
  const value = { webhookSecret: 'a secret of sixteen characters' };
  expect((await set('calendly', value)).status).toBe(200);
  expect((await clear('calendly')).status).toBe(200);
  // They change nothing.
  expect((await clear('calendly')).status).toBe(200);
  expect((await set('busyCalendars', { remove: 'unknown' })).status).toBe(200);
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

it('calendars are added with what was read, listed by host with their busy times, and removed', async () => {
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
  const { items: listed = [] } = (await list()).busyCalendars ?? {};
  const items = listed.map(({ id, hint }) => ({ id, hint }));
  expect(items.map(({ hint }) => hint)).toEqual(['localhost', 'localhost']);
  await vi.waitFor(async () => {
    const read = { checkedAt: expect.any(String), busyTimes: 1 };
    expect((await list()).busyCalendars?.items).toEqual(
      items.map((item) => ({ ...item, ...read })),
    );
  }, 10_000);
  const again = await set('busyCalendars', {
    add: `webcal://${new URL(calendar.origin).host}/b.ics`,
  });
  expect(again.connection?.items).toMatchObject(items);
  const missing = await set('busyCalendars', { add: `${calendar.origin}/missing.ics` });
  expect(missing).toMatchObject({ status: 400, code: 'VALIDATION' });
  for (const { id } of items) {
    expect((await set('busyCalendars', { remove: id })).status).toBe(200);
  }
  expect((await list()).busyCalendars).toEqual({ state: 'unset' });
});

it('a webhook at something else than an https address is refused with an example', async () => {
  const { set } = await ownerOf(await open());
  const urls = ['hooks.my-host.com', 'https://', 'https://hooks.my-host.com:99999/', ''];
  for (const url of [...urls, 'http://hooks.my-host.com/']) {
    const { status, issues } = await set('webhook', { url });
    expect([status, issues?.[0]], url).toEqual([
      400,
      { path: 'value.url', message: expect.stringMatching(/^Please enter an address such as/) },
    ]);
  }
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

it('events that wait for one webhook receiver are erased when another one is set', async () => {
  const refuse = async () => {
    const requests: string[] = [];
    const server = await openTestServer(
      (req, res) => {
        if (req.method === 'POST') requests.push(req.url ?? '');
        res.writeHead(503).end();
      },
      { isTls: true },
    );
    return { requests, ...closed(server) };
  };
  const [first, second] = [await refuse(), await refuse()];
  const database = await createDatabase(sqlite);
  const { set, clear, site } = await open({ env: database }).then(async (site) => ({
    site,
    ...(await ownerOf(site)),
  }));
  const beside = await openDatabase({ env: database });
  const states = async () =>
    (
      await beside.read(() =>
        all(
          handTyped<{ state: string }>(
            `SELECT state FROM outbox WHERE channel = 'webhook' ORDER BY queued_at, id`,
          ),
        ),
      )
    ).map(({ state }) => state);
  await set('webhook', { url: `${first.origin}/hook` });
  await sendMessage(site);
  await vi.waitFor(() => expect(first.requests).toHaveLength(1), 10_000);
  await set('webhook', { url: `${first.origin}/another-path` });
  expect(await states()).toEqual(['waiting']);
  await set('webhook', { url: `${second.origin}/hook` });
  expect(await states()).toEqual(['erased']);
  await sendMessage(site);
  await vi.waitFor(() => expect(second.requests).toHaveLength(1), 10_000);
  await clear('webhook');
  expect(await states()).toEqual(['erased', 'erased']);
  await beside.close();
});

describe('events that wait for a webhook receiver', () => {
  async function openWithDatabase(engine: (typeof engines)[number]) {
    const database = await createDatabase(engine);
    const receiver = closed(
      await openTestServer((_, res) => void res.writeHead(503).end(), { isTls: true }),
    );
    return {
      url: `${receiver.origin}/hook`,
      openWith: (env: object) => open({ env: { ...database, ...env } }),
      /** The states of the events that wait, or waited, for it. */
      async states() {
        const beside = await openDatabase({ env: database });
        const selectStates = handTyped<{ state: string }>(
          `SELECT state FROM outbox WHERE channel = 'webhook'`,
        );
        const rows = await beside.read(() => all(selectStates));
        await beside.close();
        return rows.map(({ state }) => state);
      },
    };
  }
  const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const older = { SESSION_SECRET: 'an older secret of sessions' };
  const newer = { SESSION_SECRET: 'a newer secret of sessions' };

  describe.each(engines)('on $name', (engine) => {
    it.each([
      ['kept', 'the one of the environment', undefined],
      ['erased', 'another one', 'https://localhost:1/hook'],
    ])('are %s when the browser sets %s', async (is, _, before) => {
      const { url, openWith, states } = await openWithDatabase(engine);
      const first = await openWith({ WEBHOOK_URL: before ?? url, WEBHOOK_SECRET });
      await sendMessage(first);
      await first.close();
      const { set } = await ownerOf(await openWith({}));
      expect((await set('webhook', { url })).status).toBe(200);
      expect(await states()).toEqual([is === 'kept' ? 'waiting' : 'erased']);
    });

    it('are kept when one that cannot be read is entered again', async () => {
      const { url, openWith, states } = await openWithDatabase(engine);
      const first = await openWith(older);
      await (await ownerOf(first)).set('webhook', { url });
      await sendMessage(first);
      await first.close();
      const { set } = await ownerOf(await openWith(newer));
      expect((await set('webhook', { url })).status).toBe(200);
      expect(await states()).toEqual(['waiting']);
    });
  });
});
