/** How sign-ins are reported to the owner: the log, `npm run admin -- sessions`, and an email. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOwner, now, type TestOwner } from '../testing/cli-io.ts';
import { cookieOf, openTestSite, password, type TestSite } from '../testing/site.ts';
import { openTestSmtp, type TestSmtp } from '../testing/smtp.ts';

let owner: TestOwner;
let smtp: TestSmtp;
let site: TestSite;
let clock: number;
let lines: string[];
beforeEach(async () => {
  clock = now;
  lines = [];
  owner = await createOwner();
  smtp = await openTestSmtp();
  site = await openTestSite({
    env: { ...owner.settings, SMTP_URL: smtp.url, CONTACT_TO: 'me@my-domain.com' },
    now: () => clock,
    log: pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) }),
  });
});
afterEach(async () => {
  await site.close();
  await smtp.close();
  await owner.remove();
});

const from = { 'x-forwarded-for': '192.0.2.7' };
const logIn = (tried: string, cookie = '') =>
  site.post('/api/admin/login', { password: tried }, { ...from, cookie });
const openLink = (token: string) => site.post('/api/admin/sign-in-link', { token }, from);
const newToken = async () =>
  (await owner.admin(['sign-in-link'])).out.trim().replace(/.*#sign-in=/, '');
const logged = () =>
  lines.map((line) => JSON.parse(line)).filter(({ msg }) => /^sign-in/.test(msg));

it('sign-ins and refused attempts are log lines that hold no secret', async () => {
  const token = await newToken();
  await logIn('a wrong secret');
  clock += 1;
  await logIn(password, cookieOf(await logIn(password)));
  await openLink('a wrong token');
  await openLink(token);
  const who = { address: '192.0.2.7', browser: 'Chrome on Linux' };
  const accepted = { level: 30, msg: 'sign-in accepted', ...who };
  const refused = { level: 40, msg: 'sign-in refused', ...who, known: false, reason: 'wrong' };
  expect(logged()).toEqual([
    { ...refused, method: 'password' },
    { ...accepted, method: 'password', known: false },
    { ...accepted, method: 'password', known: true },
    { ...refused, method: 'link' },
    { ...accepted, method: 'link', known: false },
  ]);
  for (const secret of [password, 'wrong secret', token, 'wrong token']) {
    expect(lines.join('')).not.toContain(secret);
  }
});

it('sessions lists sign-ins and refused attempts, the newest first', async () => {
  for (let n = 0; n < 12; n++) await logIn('wrong');
  clock += 60_000;
  await openLink(await newToken());
  await vi.waitFor(async () => {
    const { out } = await owner.admin(['sessions']);
    const lines = out.split('\n').map((line) => line.replace(/^.*[AP]M \S+ {2}/, ''));
    expect(lines.slice(lines.indexOf('') + 1)).toEqual([
      'Sign-ins and refused attempts, the newest first:',
      'signed in with a link: Chrome on Linux at 192.0.2.7',
      'too many attempts, 2 times: Chrome on Linux at 192.0.2.7',
      'wrong password, 10 times: Chrome on Linux at 192.0.2.7',
      '',
    ]);
  }, 20_000);
});

it('a sign-in from a new browser is emailed to the owner, one from a known browser is not', async () => {
  clock += 1000;
  const known = cookieOf(await logIn(password));
  await logIn(password, known);
  clock += 60_000;
  await openLink(await newToken());
  await vi.waitFor(() => expect(smtp.emails).toHaveLength(2), 20_000);
  const [first, second] = smtp.emails;
  expect(first?.subject).toBe('New sign-in to your site');
  for (const detail of [
    `Time: ${new Date(now + 1000).toUTCString()}`,
    'Browser: Chrome on Linux',
    'Network address: 192.0.2.7',
    'Signed in with: the password',
    'npm run admin -- password',
  ]) {
    expect(first?.text).toContain(detail);
    expect(first?.html).toContain(detail.split(': ').at(-1));
  }
  expect(second?.text).toContain('Signed in with: a sign-in link');
});
