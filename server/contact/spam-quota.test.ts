/** Disk space quotas of messages, tested on a whole site. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRateLimiters } from '../app/rate-limiters.ts';
import type { Outputs } from '../contract/api.ts';
import { openStores } from '../stores/stores.ts';
import { sampleMessage } from '../testing/message.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { sentenceOf } from '../trpc/errors.ts';
import { consumeBytes } from './submission.ts';

type Counts = Outputs['contact']['messages']['counts'];

const hour = 60 * 60_000;

let site: TestSite;
let clock: number;
let cookie: string;
/** Percentage of the disk in use. */
let used: number;
beforeEach(async () => {
  clock = Date.UTC(2026, 10, 21, 2, 30);
  used = 50;
  const readBlocks = async () => ({
    blocks: 1000,
    bfree: 1000 - 10 * used,
    bavail: 1000 - 10 * used,
  });
  site = await openTestSite({ now: () => clock, overrides: { readBlocks } });
  cookie = await signIn(site);
});
afterEach(() => site.close());

const long = 'I teach pottery. '.repeat(5800);
const send = (address: string, message = long) =>
  site.post(
    '/api/contact',
    { name: 'Ada', email: 'ada@example.com', message },
    { 'x-forwarded-for': address },
  );
const counts = async (): Promise<Counts> => {
  const response = await site.fetch('/api/messages', { headers: { cookie } });
  return (await response.json()).counts;
};

it('twenty IPv6 blocks of one network store no more than 2 MB a day', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 40; n++) statuses.push((await send(`2001:db8:1:${n % 20}::1`)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect((await send('2001:db8:2::1')).status).toBe(200);
  expect((await counts()).inbox.all).toBe(21);
});

it('one IPv4 address stores no more than 2 MB a day, and gets 429 with Retry-After beyond it', async () => {
  const responses: Response[] = [];
  for (let n = 0; n < 30; n++) {
    responses.push(await send('192.0.2.1'));
    clock += 31 * 60_000;
  }
  const refused = responses.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(10);
  expect(refused[0]?.status).toBe(429);
  expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(hour / 1000);
  expect((await send('192.0.2.2')).status).toBe(200);
  clock += 24 * hour;
  expect((await send('192.0.2.1')).status).toBe(200);
});

it('message rejected for its size does not count against the quota of a shorter one', async () => {
  clock += 11 * 60_000;
  for (let n = 0; n < 19; n++)
    expect((await send('192.0.2.1', 'x'.repeat(100_000))).status).toBe(200);
  clock += 11 * 60_000;
  expect((await send('192.0.2.1', 'x'.repeat(100_000))).status).toBe(429);
  expect((await send('192.0.2.1', 'Can you help me?')).status).toBe(200);
});

it('other rate-limited calls do not evict the byte count of a network', async () => {
  const passwordHash = async () => undefined;
  const limits = createRateLimiters({
    uses: undefined,
    secret: 's',
    passwordHash,
    now: () => clock,
  });
  await consumeBytes(limits.messageLimiter, '192.0.2.1', 1_900_000);
  for (let n = 0; n < 25_000; n++)
    await limits.limiter.consume(`call ${n}`, { max: 1, windowMs: hour });
  await expect(consumeBytes(limits.messageLimiter, '192.0.2.1', 200_000)).rejects.toThrow(
    sentenceOf('TEXT_LIMIT_REACHED'),
  );
});

const spam = { name: 'Eve', email: 'eve@example.com', message: 'Buy this', hq7x: 'x' };
const sendSpam = () => site.post('/api/contact', spam);
const ownerAlerts = async () => {
  const response = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
  return (await response.json()).alert;
};

it('full spam folder rejects more spam, keeps its messages and does not affect genuine ones', async () => {
  const stores = await openStores({ DATA_DIR: site.dataDir });
  const message = 'x'.repeat(100_000);
  await Promise.all(
    Array.from({ length: 640 }, (_, n) =>
      stores.contact.add(
        sampleMessage({ id: `s${n}`, receivedAt: clock - n, name: '', email: '', message }),
        { folder: 'spam', suspicions: ['trap'] },
      ),
    ),
  );
  await stores.close();

  const refused = await sendSpam();
  expect(refused.status).toBe(429);
  expect(await ownerAlerts()).toMatch(/^The spam folder is \d+% full\. Empty it under Messages/);
  expect(await refused.json()).toMatchObject({ error: sentenceOf('FORM_UNAVAILABLE') });
  expect(Number(refused.headers.get('Retry-After'))).toBe(3600);
  const form = await site.fetch('/api/contact', {
    method: 'POST',
    body: new URLSearchParams(spam),
  });
  expect(form.status).toBe(429);
  const page = await form.text();
  for (const typed of [spam.name, spam.email, spam.message, sentenceOf('FORM_UNAVAILABLE')])
    expect(page).toContain(typed);
  expect((await send('192.0.2.1', 'Can you help me?')).status).toBe(200);
  expect(await counts()).toMatchObject({ inbox: { all: 1 }, spam: { all: 640 } });

  const until = new Date(clock - 1).toISOString();
  const empty = (headers: Record<string, string>) =>
    site.post('/api/messages/empty-spam', { until }, headers);
  expect((await empty({})).status).toBe(401);
  expect((await empty({ cookie, origin: 'https://evil.example' })).status).toBe(403);
  expect((await site.post('/api/messages/empty-spam', { until: 'now' }, { cookie })).status).toBe(
    400,
  );
  expect((await empty({ cookie })).status).toBe(200);
  // The owner has not seen later spam, so it stays.
  expect(await counts()).toMatchObject({ inbox: { all: 1 }, spam: { all: 1 } });
  clock += 60_000;
  expect((await sendSpam()).status).toBe(200);
});

it('nearly full disk rejects spam first and is reported on the dashboard', async () => {
  used = 80;
  expect(await ownerAlerts()).toBeNull();
  used = 81;
  expect(await ownerAlerts()).toBe(
    'The disk of DATA_DIR is 81% full. Delete old backups and exports, or empty the spam folder under Messages.',
  );
  expect((await sendSpam()).status).toBe(200);
  used = 91;
  expect(await ownerAlerts()).toContain('Messages that look like spam are refused until then.');
  expect((await sendSpam()).status).toBe(429);
  expect((await send('192.0.2.1', 'Can you help me?')).status).toBe(200);
  used = 89;
  expect((await sendSpam()).status).toBe(200);
});
