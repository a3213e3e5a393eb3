/** Imports in the browser: its two calls, on both engines. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outputs } from '../../contract/api.ts';
import { engines } from '../../testing/engines.ts';
import { payPalExport, stripeExport } from '../../testing/shop-exports.ts';
import { openTestSite, signIn, type TestSite } from '../../testing/site.ts';

import { planImport, storeImport } from './import-sales.ts';
import { readSales } from './read-sales.ts';

/** A file with this number of sales. */
function fileOf(length: number) {
  const rows = Array.from({ length }, (_, n) => `a${n},1,USD`).join('\n');
  return readSales(`id,amount,currency\n${rows}\n`, { now, timeZone: 'UTC' });
}

type Preview = Outputs['analytics']['previewImport'];

const now = Date.UTC(2026, 10, 21, 2, 30);
const key = '0123456789abcdef';

describe.each(engines)('on $name', (engine) => {
  let site: TestSite;
  let cookie: string;
  let database: Awaited<ReturnType<typeof engine.create>>;
  let close: () => Promise<void>;
  beforeEach(async () => {
    database = await engine.create();
    const env = { ...database.env, CONVERSION_KEY: key };
    site = await openTestSite({ env, now: () => now });
    cookie = await signIn(site);
    close = async () => {
      await site.close();
      await database.remove();
    };
  });
  afterEach(() => close());

  const previewOf = async (text: string, options?: object) => {
    const body = { text, options };
    const response = await site.post('/api/analytics/import/preview', body, { cookie });
    expect(response.status).toBe(200);
    return (await response.json()) as Preview;
  };
  const importing = async (text: string, options?: object, from?: number) => {
    const body = { text, options, from };
    const response = await site.post('/api/analytics/import', body, { cookie });
    return { status: response.status, body: await response.json() };
  };
  const sales = async () => {
    const query = '?startDate=2026-01-01T00:00:00Z';
    const response = await site.fetch(`/api/analytics/sales.csv${query}`, { headers: { cookie } });
    return (await response.text()).trimEnd().split('\n').slice(1);
  };

  it('preview says what an import would store, and stores nothing', async () => {
    const { preview } = await previewOf(payPalExport);
    expect(preview).toMatchObject({
      format: 'payPal',
      delimiter: ',',
      rows: [
        {
          line: 2,
          id: 'T1',
          timestamp: '2026-01-31T08:30:15.000Z',
          amount: 123_450,
          refunded: 0,
          disputed: 0,
          currency: 'EUR',
          email: 'ada@example.com',
        },
        { line: 3, id: 'T2', amount: 9700, refunded: 4700 },
      ],
      totals: [{ currency: 'EUR', sales: 2, amount: 133_150, refunded: 4700 }],
      dates: { first: '2026-01-31T08:30:15.000Z', last: '2026-02-01T09:00:00.000Z' },
      added: 2,
      changed: 0,
      known: 0,
      skipped: { count: 5 },
      errors: { count: 0, shown: [] },
    });
    expect(await sales()).toEqual([]);
  });

  it('a file that is imported twice counts once, and a later one adds its refunds', async () => {
    const { preview } = await previewOf(stripeExport);
    const first = await importing(stripeExport, preview?.options ?? undefined);
    expect(first).toEqual({
      status: 200,
      body: { added: 6, changed: 0, known: 0, rejected: [], next: null },
    });
    const stored = await sales();
    expect(stored).toContain('pi_2,125050,EUR,bo@example.com,,2026-02-01T10:00:00.000Z,25050,0,,');
    expect((await previewOf(stripeExport)).preview).toMatchObject({ added: 0, known: 6 });
    expect((await importing(stripeExport)).body).toMatchObject({ added: 0, known: 6 });
    expect(await sales()).toEqual(stored);

    const later = stripeExport.replace('97.00,0.00,usd,true', '97.00,40.00,usd,true');
    expect((await previewOf(later)).preview).toMatchObject({ added: 0, changed: 1, known: 5 });
    expect((await importing(later)).body).toMatchObject({ added: 0, changed: 1, known: 5 });
    expect((await sales())[0]).toBe(
      'pi_1,9700,USD,ada@example.com,newsletter,2026-01-31T09:30:15.000Z,4000,0,,',
    );
  });

  it('an import that is stopped says where to continue', async () => {
    const { sales, work, close } = await database.open();
    try {
      const { batchSize } = sales;
      const file = await fileOf(batchSize + 10);
      const plan = await planImport(file, sales);
      const part = { file, sales, now, isOver: () => true };
      const before = work().commits;
      const first = { added: batchSize, changed: 0, known: 0, rejected: [], next: batchSize };
      expect(await storeImport(plan, part)).toEqual(first);
      expect(work().commits).toBe(before + 1);
      const second = { added: 10, changed: 0, known: 0, rejected: [], next: null };
      expect(await storeImport(plan, { ...part, from: batchSize })).toEqual(second);
      expect((await planImport(file, sales)).known).toBe(batchSize + 10);
    } finally {
      await close();
    }
  });

  it('the plan of a large import is made in slices', async () => {
    const { sales, close } = await database.open();
    try {
      const file = await fileOf(5000);
      let isDone = false;
      const planning = planImport(file, sales).finally(() => {
        isDone = true;
      });
      let turns = 0;
      for (; !isDone; turns += 1) await yieldToEventLoop();
      expect((await planning).added).toBe(5000);
      expect(turns).toBeGreaterThanOrEqual(5);
    } finally {
      await close();
    }
  });

  it('an import that was interrupted continues where it stopped', async () => {
    const { body } = await importing(stripeExport, undefined, 2);
    expect(body).toEqual({ added: 4, changed: 0, known: 0, rejected: [], next: null });
    expect((await importing(stripeExport)).body).toMatchObject({ added: 2, known: 4 });
    expect(await sales()).toHaveLength(6);
  });

  it('an import with an error in one line stores nothing', async () => {
    const timestamp = '2026-01-31T09:30:00Z';
    const known = { id: 'pi_2', amount: 1, currency: 'JPY', timestamp };
    await site.post('/api/conversions', known, { authorization: `Bearer ${key}` });
    const text = stripeExport.replace('2026-02-02 10:00:00', 'yesterday');
    expect((await previewOf(text)).preview?.errors).toEqual({
      count: 2,
      shown: [
        'Line 4, column Created date (UTC): “yesterday” is not a date like 2026-01-31.',
        'Line 3, column currency: A sale with this id was reported in another currency. Please send its refunds in that one.',
      ],
    });
    expect(await importing(text)).toMatchObject({
      status: 400,
      body: { code: 'FILE_HAS_ERRORS' },
    });
    expect(await sales()).toHaveLength(1);
  });
});

describe('calls', () => {
  let site: TestSite;
  beforeEach(async () => {
    site = await openTestSite();
  });
  afterEach(() => site.close());

  const paths = ['/api/analytics/import/preview', '/api/analytics/import'];

  it.each([...paths, '/api/trpc/analytics.importSales'])(
    '%s rejects a large file without a session before it has arrived',
    async (path) => {
      const response = await site.post(path, { text: 'x'.repeat(2_000_000) });
      expect(response.status).toBe(401);
    },
  );

  it.each(paths)('%s accepts a file of 10 MB of the owner beside other requests', async (path) => {
    const cookie = await signIn(site);
    const cells = `${'x'.repeat(9990)},1.00\n`;
    const text = `Order number,Total\n${cells.repeat(1048)}`;
    const upload = site.post(path, { text }, { cookie });
    const visits = Array.from({ length: 20 }, () =>
      site.post('/api/activity', { type: 'page_view' }),
    );
    expect((await upload).status).toBe(path.endsWith('preview') ? 200 : 400);
    for (const visit of await Promise.all(visits)) expect(visit.status).toBe(204);
  });

  it('a file that is no CSV is rejected with the reason', async () => {
    const cookie = await signIn(site);
    const text = 'id,amount,currency\n"a,1';
    const preview = await site.post(paths[0] ?? '', { text }, { cookie });
    expect(await preview.json()).toEqual({
      problem: expect.stringMatching(/^The file cannot be read as CSV/),
      preview: null,
    });
    const imported = await site.post(paths[1] ?? '', { text }, { cookie });
    expect(await imported.json()).toMatchObject({ code: 'FILE_HAS_ERRORS' });
  });
});
