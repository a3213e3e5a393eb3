import { get } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOwner } from '../testing/cli-io.ts';
import { site as config } from '../testing/sample-config.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';

const now = Date.UTC(2026, 10, 21, 2, 30);
const { calls } = config;
const key = '0123456789abcdef';
const both = ['/api/analytics/sales.csv', '/api/analytics/activity.csv'];

let site: TestSite;
let cookie: string;
beforeEach(async () => {
  site = await openTestSite({ env: { CONVERSION_KEY: key }, now: () => now });
  cookie = await signIn(site);
});
afterEach(() => site.close());

const download = (path: string, init: RequestInit = {}) =>
  site.fetch(path, { ...init, headers: { cookie, ...init.headers } });

it.each(both)('%s returns 401 without a session', async (path) => {
  const response = await site.fetch(path);
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ error: 'Unauthorized', code: 'UNAUTHORIZED' });
});

it.each([...both, '/api/messages.csv', '/api/bookings.json'])(
  '%s returns 403 to a link of another site',
  async (path) => {
    const answer = await download(path, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(answer.status).toBe(403);
    for (const site of ['same-origin', 'none']) {
      expect((await download(path, { headers: { 'sec-fetch-site': site } })).status).toBe(200);
    }
  },
);

it.each(both)('%s is an uncached file named by its dates', async (path) => {
  const query = '?startDate=2026-11-01T00:00:00Z&asOf=2026-11-21T01:00:00%2B00:00';
  for (const method of ['GET', 'HEAD']) {
    const response = await download(path + query, { method });
    expect(response.status).toBe(200);
    const name = path.split('/').at(-1)?.replace('.csv', '');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}-2026-11-01-to-2026-11-21.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect((await response.text()).length > 0).toBe(method === 'GET');
  }
});

it.each(both)('%s returns 400 for an invalid window and 405 for a wrong method', async (path) => {
  const bad = await download(`${path}?startDate=yesterday`);
  expect(bad.status).toBe(400);
  expect(await bad.json()).toEqual({
    error: 'Some fields need another look.',
    code: 'VALIDATION',
    issues: [{ path: 'startDate', message: expect.stringContaining('2026-01-31T00:00:00Z') }],
  });
  const wrong = await download(path, { method: 'POST' });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('sales file adds up to the revenue of the dashboard', async () => {
  for (const [id, amount, refunded, currency] of [
    ['a', 4900, 0, 'USD'],
    ['b', 9701, 4800, 'USD'],
    ['c', 1, 1, 'USD'],
    ['d', 700, 0, 'EUR'],
  ] as const) {
    const sale = { id, amount, refunded, currency, timestamp: '2026-11-20T10:00:00Z' };
    await site.post('/api/conversions', sale, { authorization: `Bearer ${key}` });
  }
  await site.post(
    '/api/conversions',
    { id: 'old', amount: 5, currency: 'USD', timestamp: '2026-01-01T00:00:00Z' },
    { authorization: `Bearer ${key}` },
  );
  const { summary } = (await (await download('/api/analytics/dashboard')).json()) as {
    summary: { totalRevenue: number; conversions: number };
  };
  const text = await (await download('/api/analytics/sales.csv')).text();
  const [header, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  expect(header?.slice(0, 3)).toEqual(['id', 'amount', 'currency']);
  expect(rows.map(([id]) => id)).toEqual(['a', 'b', 'c', 'd']);
  const left = rows.map(([, amount, currency, , , , refunded]) => ({
    cents: Number(amount) - Number(refunded),
    currency,
  }));
  const dollars = left.filter(({ currency }) => currency === 'USD');
  expect(dollars.reduce((sum, { cents }) => sum + cents, 0)).toBe(
    Math.round(summary.totalRevenue * 100),
  );
  expect(left.filter(({ cents }) => cents > 0)).toHaveLength(summary.conversions);
});

it('files equal the export of the CLI, which imports them', async () => {
  const owner = await createOwner();
  try {
    const env = { DATA_DIR: site.dataDir };
    await owner.admin(['demo', '--events', '4000', '--days', '20'], { env });
    const odd = 'id,amount,currency,email,source\n"=1+1",5,USD,-x@example.com,"\t+SUM(A1)"\n';
    await owner.admin(['conversions', 'import', '-'], {
      env,
      stdin: Readable.from([Buffer.from(odd)]),
    });
    const query = '?startDate=2020-01-01T00:00:00Z&asOf=2027-01-01T00:00:00Z';
    for (const [path, command] of [
      ['/api/analytics/sales.csv', 'conversions'],
      ['/api/analytics/activity.csv', 'activity'],
    ] as const) {
      const text = await (await download(path + query)).text();
      expect(text).toBe((await owner.admin([command, 'export'], { env })).out);
      const stdin = Readable.from([Buffer.from(text)]);
      expect((await owner.admin([command, 'import', '-'], { stdin })).err).toBe('');
      expect((await owner.admin([command, 'export'])).out).toBe(text);
    }
    const sales = await (await download(`/api/analytics/sales.csv${query}`)).text();
    expect(sales).toContain("\n'=1+1,5,USD,'-x@example.com,'+SUM(A1),");
  } finally {
    await owner.remove();
  }
});

it('download waits for a slow reader while the server serves others', async () => {
  const owner = await createOwner();
  try {
    const env = { DATA_DIR: site.dataDir };
    await owner.admin(['demo', '--events', '60000', '--days', '20'], { env });
    const url = `${site.origin}/api/analytics/activity.csv`;
    const received = await new Promise<number>((resolve, reject) => {
      const request = get(url, { headers: { cookie } }, async (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          response.pause();
        });
        response.on('error', () => {});
        await wait(300);
        const alive = await site.fetch('/healthz');
        expect(alive.status).toBe(200);
        request.destroy();
        resolve(bytes);
      });
      request.on('error', reject);
    });
    expect(received).toBeGreaterThan(0);
    expect(received).toBeLessThan(1_000_000);
    const whole = await (await download('/api/analytics/activity.csv')).text();
    expect(whole.trimEnd().split('\n').length).toBeGreaterThan(59_000);
  } finally {
    await owner.remove();
  }
});

describe('bookings', () => {
  const files = ['/api/bookings.csv', '/api/bookings.json'];

  it.each(files)('%s requires a session and is named by its date', async (path) => {
    expect((await site.fetch(path)).status).toBe(401);
    const response = await download(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="bookings-2026-11-21.${path.split('.').at(-1)}"`,
    );
  });

  it('booking files contain every field and no formulas', async () => {
    const { days } = await (await site.fetch('/api/booking/slots?call=strategy-call')).json();
    const [start] = days[0].slots;
    const visitor = { name: '=1+1', email: 'ada@example.com', timeZone: 'Asia/Tokyo' };
    const note = 'two\nlines';
    const booked = await site.post('/api/bookings', {
      call: 'strategy-call',
      start,
      note,
      ...visitor,
    });
    const { url } = await booked.json();
    const body = new URLSearchParams({ action: 'answers', 'answer-0': '@dentists' });
    await site.fetch(url, { method: 'POST', body });

    const [question = ''] = calls.strategyCall.questions;
    expect(await (await download('/api/bookings.json')).json()).toMatchObject([
      { ...visitor, call: 'strategy-call', start, note, answers: { [question]: '@dentists' } },
    ]);
    const [head, ...rest] = (await (await download('/api/bookings.csv')).text()).split('\n');
    expect(head).toBe(
      'id,call,start,end,state,name,email,time_zone,note,answers,owner_note,source,button,booked,changed',
    );
    const text = rest.join('\n');
    expect(text).toContain(`,strategy-call,${start},`);
    expect(text).toContain(',booked,\'=1+1,ada@example.com,Asia/Tokyo,"two\nlines",');
    expect(text).toContain(`"${question} @dentists"`);
  });
});

describe('messages', () => {
  const files = ['/api/messages.csv', '/api/messages.json'];
  const write = (message: object) =>
    site.post('/api/contact', { name: 'Ada', email: 'ada@example.com', message: 'Hi', ...message });

  it.each(files)('%s requires a session and is named by its date', async (path) => {
    expect((await site.fetch(path)).status).toBe(401);
    const response = await download(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="messages-2026-11-21.${path.split('.').at(-1)}"`,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    const wrong = await download(path, { method: 'POST' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('message files contain every folder and no formulas', async () => {
    expect(await (await download('/api/messages.json')).json()).toEqual([]);
    await write({ name: '=1+1', company: '@evil' });
    await write({ hq7x: 'x', message: 'two\nlines' });
    const list: { folder: string }[] = await (await download('/api/messages.json')).json();
    // Both may have come in one millisecond.
    expect(list.sort((a, b) => a.folder.localeCompare(b.folder))).toMatchObject([
      { name: '=1+1', company: '@evil', folder: 'inbox', isRead: false },
      { message: 'two\nlines', folder: 'spam', suspicions: ['trap'] },
    ]);
    const csv = await (await download('/api/messages.csv')).text();
    expect(csv).toContain(",'=1+1,ada@example.com,'@evil,Hi,");
    expect(csv).toContain('"two\nlines",trap,,\n');
  });
});
