import { afterEach, expect, it, vi } from 'vitest';
import { openTestCalendar, redirectsTo, respondsWith } from '../testing/calendar.ts';
import { filled } from '../testing/filled-config.ts';
import { named, testNetwork } from '../testing/outbound.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { openTestSmtp, type TestSmtp } from '../testing/smtp.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function openSignedIn(options: Parameters<typeof openTestSite>[0] = {}) {
  const site = await openTestSite(options);
  opened.push(site);
  return { site, cookie: await signIn(site) };
}

async function openMail(smtpOptions: { password?: string } = {}, url?: string) {
  const smtp = await openTestSmtp(smtpOptions);
  opened.push(smtp);
  const env = { SMTP_URL: url ?? smtp.url, CONTACT_TO: 'owner@my-domain.com' };
  return { smtp, ...(await openSignedIn({ env })) };
}

const read = async (site: TestSite, path: string, cookie: string, headers = {}) => {
  const response = await site.fetch(path, { headers: { cookie, ...headers } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const sendTest = (site: TestSite, cookie: string) =>
  site.post('/api/settings/test-email', undefined, { cookie });

/** The test emails, without the one about the sign-in. */
const testsIn = ({ emails }: TestSmtp) =>
  emails.filter(({ subject }) => subject === 'Test: emails of your site reach you');

it('launchCheck returns every check, with the heading of its topic', async () => {
  const { site, cookie } = await openSignedIn();
  const { status, body } = await read(site, '/api/settings/launch-check', cookie);
  expect(status).toBe(200);
  expect(body.checks).toEqual(
    expect.arrayContaining([
      {
        topic: 'Settings (the file .env, or the environment)',
        done: 'A mail server is set.',
        findings: [{ kind: 'todo', where: 'SMTP_URL', text: expect.stringMatching(/^is not set/) }],
      },
      { topic: 'Build', done: 'The build is up to date.', findings: [] },
    ]),
  );
});

it('launchCheck says in sentences of the form what the browser can change, each with its field', async () => {
  const { site, cookie } = await openSignedIn();
  const { body } = await read(site, '/api/settings/launch-check', cookie);
  const findings = (body.checks as { findings: object[] }[]).flatMap(({ findings }) => findings);
  for (const [text, path] of [
    ['Three quotes are samples.', 'testimonials.quotes.0'],
    ['The photo of you is a drawing.', 'about.photo'],
    ['Your email address is a sample.', 'brand.email'],
    ['The hours for calls are samples.', 'calls.hours'],
  ]) {
    expect(findings).toContainEqual({ kind: 'todo', text, path });
  }
  expect(findings.filter((one) => 'line' in one)).toEqual([]);
  const texts = findings.flatMap((one) => ('path' in one && 'text' in one ? [one.text] : []));
  for (const text of texts) {
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(text).not.toMatch(/quotes for|bracket|folder|its quotes|[a-z]\.[a-z]+ (still|has)/);
  }
});

it('launchCheck names the fields of the file while it is pinned', async () => {
  const { site, cookie } = await openSignedIn({ env: { SITE_CONTENT: 'file' } });
  const { body } = await read(site, '/api/settings/launch-check', cookie);
  const findings = (body.checks as { findings: object[] }[]).flatMap(({ findings }) => findings);
  expect(findings).toContainEqual({
    ...{ kind: 'todo', where: 'about.photo', text: expect.stringMatching(/the folder public/) },
  });
  expect(findings.filter((one) => 'path' in one)).toEqual([]);
});

it('networkCheck requests the addresses of the site config, at most ten times in ten minutes', async () => {
  const quiz = await openTestCalendar();
  opened.push(quiz);
  let requests = 0;
  quiz.setBehaviour((res, req) => {
    requests += 1;
    respondsWith(404)(res, req);
  });
  const { site, cookie } = await openSignedIn({
    overrides: { outbound: testNetwork },
    config: {
      ...filled,
      brand: { ...filled.brand, email: 'hello@rowanhale.example' },
      links: { instagram: '', linkedin: '', checkout: '', quiz: `${named(quiz.origin)}/quiz` },
      schedulers: { strategyCall: '', inboxReview: '' },
    },
  });
  const first = await read(site, '/api/settings/network-check', cookie);
  expect(first.status).toBe(200);
  // Without a network, the check says so instead of requesting anything.
  expect(JSON.stringify(first.body)).toMatch(/does not exist \(404\)|no network/);
  const statuses = [];
  for (let n = 0; n < 10; n++) {
    statuses.push((await read(site, '/api/settings/network-check', cookie)).status);
  }
  expect(statuses).toEqual([...Array(9).fill(200), 429]);
  expect(requests).toBeLessThanOrEqual(10);
});

const inside = 'It leads into a local network, which no visitor can reach. Use a public address.';

it('testAddress sends no request to this machine', async () => {
  const server = await openTestCalendar();
  opened.push(server);
  const { site, cookie } = await openSignedIn();
  for (const address of [server.origin, named(server.origin, 'localhost')]) {
    const response = await site.post('/api/settings/test-address', { address }, { cookie });
    expect(await response.json()).toEqual({ problem: inside });
  }
  expect(server.requests).toEqual([]);
});

it('testAddress says why an address does not respond, and nothing of the response', async () => {
  const server = await openTestCalendar();
  opened.push(server);
  const { site, cookie } = await openSignedIn({ overrides: { outbound: testNetwork } });
  const problemAt = async (address: string) => {
    const response = await site.post('/api/settings/test-address', { address }, { cookie });
    expect(response.status).toBe(200);
    return ((await response.json()) as { problem: string | null }).problem;
  };
  const address = `${named(server.origin)}/quiz`;
  expect(await problemAt(address)).toBe(null);
  server.setBehaviour((res) => void res.writeHead(404, 'Stolen words').end('Stolen words'));
  expect(await problemAt(address)).toBe(
    'It leads to a page that does not exist (404). Copy the address again.',
  );
  server.setBehaviour(redirectsTo(named(server.origin, 'inside.test')));
  expect(await problemAt(address)).toBe(inside);
  expect(server.requests).toEqual(['/quiz', '/quiz', '/quiz']);
  expect(await problemAt('https://gone.example/')).toBe(
    'It could not be tested from here: no network.',
  );
});

it('testAddress takes web addresses only, in the quota of networkCheck', async () => {
  const server = await openTestCalendar();
  opened.push(server);
  const { site, cookie } = await openSignedIn({ overrides: { outbound: testNetwork } });
  const test = (address: unknown, headers: Record<string, string> = { cookie }) =>
    site.post('/api/settings/test-address', { address }, headers);
  for (const address of ['', 'quiz', 'file:///etc/passwd', 'ftp://site.test', 'javascript:1', 7]) {
    const response = await test(address);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'VALIDATION',
      issues: [{ path: 'address', message: 'Please enter a web address such as https://….' }],
    });
  }
  const address = named(server.origin);
  expect((await test(address, {})).status).toBe(401);
  expect((await test(address, { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await test(address, { authorization: 'Bearer x' })).status).toBe(401);
  expect(server.requests).toEqual([]);
  const statuses = [];
  for (let n = 0; n < 10; n++) statuses.push((await test(address)).status);
  expect(statuses).toEqual(Array(10).fill(200));
  expect((await test(address)).status).toBe(429);
  expect((await read(site, '/api/settings/network-check', cookie)).status).toBe(429);
  expect(server.requests).toHaveLength(10);
});

it('networkCheck is refused from another site and without a session', async () => {
  const { site, cookie } = await openSignedIn();
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expect((await read(site, '/api/settings/network-check', cookie, foreign)).status).toBe(403);
  for (const path of ['launch-check', 'network-check', 'email']) {
    expect((await read(site, `/api/settings/${path}`, '')).status).toBe(401);
  }
  expect((await sendTest(site, '')).status).toBe(401);
});

it.each(['reject recipient', 'reject email', 'defer'] as const)(
  'status and dashboard say that an email could not be sent for five minutes, until it is: %s',
  async (behaviour) => {
    let clock = Date.now();
    const smtp = await openTestSmtp();
    opened.push(smtp);
    smtp.setBehaviour(behaviour);
    const { site, cookie } = await openSignedIn({
      env: { SMTP_URL: smtp.url, CONTACT_TO: 'owner@my-domain.com' },
      now: () => clock,
    });
    const alertAt = async (path: string) => (await read(site, path, cookie)).body.alert;
    // The result of an attempt may be stored between the two.
    const alert = () =>
      vi.waitFor(async () => {
        const said = await alertAt('/api/settings/status');
        expect(await alertAt('/api/analytics/dashboard')).toBe(said);
        return said;
      }, 20_000);
    const send = () =>
      site.post('/api/contact', { name: 'Ada', email: 'ada@example.com', message: 'Hello' });
    expect((await send()).status).toBe(200);
    clock += 5 * 60_000 - 1;
    expect(await alert()).toBeNull();
    clock += 1;
    expect(await alert()).toMatch(/could not be sent for 5 minutes\./);
    smtp.setBehaviour('accept');
    await vi.waitFor(async () => {
      // An attempt that was under way before puts off the next one.
      clock += 60 * 60_000;
      await send();
      expect(await alert()).toBeNull();
    }, 20_000);
  },
);

it('email returns the host of the mail server and the recipients, without its password', async () => {
  const { site, cookie } = await openMail({}, 'smtp://me:secret@127.0.0.1:9');
  const { body } = await read(site, '/api/settings/email', cookie);
  expect(body).toEqual({
    mailServer: { host: '127.0.0.1', recipients: ['owner@my-domain.com'] },
  });
});

it('sendTestEmail sends an email to the owner', async () => {
  const { smtp, site, cookie } = await openMail();
  expect((await sendTest(site, cookie)).status).toBe(200);
  expect(testsIn(smtp)).toMatchObject([{ to: [{ address: 'owner@my-domain.com' }] }]);
});

it.each([
  ['reject email', /Looks like spam/],
  ['reject recipient', /No such mailbox/],
  ['defer', /Greylisted/],
] as const)(
  'sendTestEmail says why the mail server did not take it: %s',
  async (behaviour, reason) => {
    const { smtp, site, cookie } = await openMail();
    smtp.setBehaviour(behaviour);
    const response = await sendTest(site, cookie);
    expect(response.status).toBe(422);
    const body = (await response.json()) as { error: string; code: string };
    expect(body.code).toBe('TEST_EMAIL_FAILED');
    expect(body.error).toMatch(/^The test email was not sent: /);
    expect(body.error).toMatch(reason);
  },
);

it('sendTestEmail says that the mail server rejects the password, without naming it', async () => {
  const smtp = await openTestSmtp({ password: 'right' });
  opened.push(smtp);
  const SMTP_URL = smtp.url.replace('smtp://', 'smtp://me:mail-secret@');
  const { site, cookie } = await openSignedIn({
    env: { SMTP_URL, CONTACT_TO: 'owner@my-domain.com' },
  });
  const { error } = (await (await sendTest(site, cookie)).json()) as { error: string };
  expect(error).toMatch(
    /^The test email was not sent: The mail server rejects .* from your provider\.\nEAUTH: .*Wrong password/,
  );
  expect(error).not.toContain('mail-secret');
});

it('sendTestEmail without a mail server says what to set', async () => {
  const { site, cookie } = await openSignedIn();
  expect(await read(site, '/api/settings/email', cookie)).toMatchObject({
    body: { mailServer: null },
  });
  const response = await sendTest(site, cookie);
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: 'NO_MAIL_SERVER' });
});

it('sendTestEmail sends five emails in ten minutes at most', async () => {
  const { smtp, site, cookie } = await openMail();
  const statuses = [];
  for (let n = 0; n < 6; n++) statuses.push((await sendTest(site, cookie)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect(testsIn(smtp)).toHaveLength(5);
});
