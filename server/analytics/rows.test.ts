import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outputs } from '../contract/api.ts';
import type { Sale } from '../sales/sale.ts';
import { engines, freshStores } from '../testing/engines.ts';
import { sampleSale } from '../testing/sale.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { activities, type ImportedEvent, type PagePosition, type TimeWindow } from './model.ts';
import { rowsInput, rowsOf } from './rows.ts';
import { createAnalyticsStore } from './store.ts';

const noon = Date.UTC(2026, 2, 10, 12);
const day = 24 * 60 * 60_000;

const kinds = [...activities, 'sale'] as const;
type Kind = (typeof kinds)[number];

const sale = (id: string, change: Partial<Sale> = {}): Sale =>
  sampleSale({ id, at: noon, amount: 4900, ...change });

describe.each(engines)('the rows of a number, on $name', (engine) => {
  const { stores, withDatabase } = freshStores(engine);

  /** All pages of a list, one request after another. */
  async function pagesOf(kind: Kind, window: TimeWindow, between = async () => {}) {
    const pages = [];
    let after: string | undefined;
    do {
      const input = rowsInput.parse({ kind, after });
      const page = await rowsOf(stores.analytics, input, window);
      pages.push(page);
      after = 'next' in page ? page.next : undefined;
      await between();
    } while (after !== undefined);
    return pages;
  }
  const rowsIn = async (kind: Kind, window: TimeWindow) =>
    (await pagesOf(kind, window)).flatMap(({ rows }): { timestamp: string }[] => rows);

  it('the pages of a list contain exactly the counted rows, in any window', async () => {
    // Few timestamps for many rows, so that pages begin and end among rows with the same timestamp.
    const timestamp = fc.integer({ min: -40, max: 40 }).map((n) => noon + n * 3_600_001);
    const event: fc.Arbitrary<ImportedEvent> = fc.record({
      activity: fc.constantFrom(...activities),
      at: timestamp,
      button: fc.constantFrom(null, 'hero' as const),
      source: fc.constantFrom(null, 'podcast', 'x'),
    });
    const events = fc
      .sample(event, { numRuns: 1500, seed: 1 })
      .map((one) => (one.activity === 'page_view' ? { ...one, button: null } : one));
    await stores.analytics.importEvents(events);
    const sales = fc.sample(fc.tuple(timestamp, fc.constantFrom(0, 900, 4900)), {
      numRuns: 350,
      seed: 2,
    });
    await Promise.all(
      sales.map(([at, refunded], n) => stores.sales.report(sale(`s${n}`, { at, refunded }))),
    );

    const timeOf = (at: number) => new Date(at).toISOString();
    await fc.assert(
      fc.asyncProperty(timestamp, timestamp, fc.constantFrom(...kinds), async (a, b, kind) => {
        const window = { from: Math.min(a, b), to: Math.max(a, b) };
        const isIn = ({ at }: { at: number }) => at >= window.from && at < window.to;
        const pages = await pagesOf(kind, window);
        for (const { rows } of pages.slice(0, -1)) expect(rows).toHaveLength(100);
        const counted = pages[0]?.counted ?? 0;
        if (kind === 'sale') {
          const rows = pages.flatMap((page) => (page.kind === 'sale' ? page.rows : []));
          const wanted = sales.flatMap(([at], n) => (isIn({ at }) ? `s${n}` : []));
          expect(rows.map(({ id }) => id).sort()).toEqual(wanted.sort());
          const conversions = rows.filter((row) => !row.isGivenBack).map(({ id }) => id);
          expect(conversions).toHaveLength(counted);
          const listed = await stores.analytics.conversions(window, { limit: 400 });
          expect(listed.map(({ id }) => id)).toEqual(conversions);
          const net = rows.reduce((sum, row) => sum + row.conversionValue - (row.refunded ?? 0), 0);
          expect(net).toBe((await stores.analytics.totals(window)).revenue);
        } else {
          const rows = pages.flatMap((page) => (page.kind === 'sale' ? [] : page.rows));
          expect(rows).toHaveLength(counted);
          const textOf = (row: object) => JSON.stringify(Object.entries(row).sort());
          const wanted = events
            .filter((one) => one.activity === kind && isIn(one))
            .map(({ at, button, source }) => ({
              timestamp: timeOf(at),
              button: button ?? undefined,
              source: source ?? undefined,
            }));
          expect(rows.map(textOf).sort()).toEqual(wanted.map(textOf).sort());
        }
        const times = pages.flatMap(({ rows }): { timestamp: string }[] => rows);
        const order = times.map(({ timestamp }) => timestamp);
        expect(order).toEqual([...order].sort().reverse());
      }),
      { numRuns: process.env.TEST_LONG ? 60 : 15 },
    );
  });

  it('the pages of a list stay the same while rows are added', async () => {
    const view = (at: number): ImportedEvent => ({
      activity: 'page_view',
      button: null,
      source: null,
      at,
    });
    await stores.analytics.importEvents(Array.from({ length: 350 }, () => view(noon)));
    const window = { from: noon - day, to: noon + 1 };
    const before = await rowsIn('page_view', window);
    let late = 0;
    const pages = await pagesOf('page_view', window, async () => {
      late += 1;
      await stores.analytics.importEvents([view(noon + late)]);
    });
    expect(pages.map(({ rows }) => rows.length)).toEqual([100, 100, 100, 50]);
    expect(pages.flatMap(({ rows }): object[] => rows)).toEqual(before);
  });

  it('a list of one source or button has exactly its rows, in pages of any length', async () => {
    const [clicks, views] = [
      { activity: 'cta_click', buttons: ['hero', 'footer'] },
      { activity: 'page_view', buttons: [null] },
    ] as const;
    // Some hours have many events, others one or none.
    const events = fc.sample(
      fc.record({
        activity: fc.constantFrom(clicks.activity, views.activity),
        at: fc.integer({ min: 0, max: 40 }).map((n) => noon - 60 * 60_000 * (n < 8 ? n : n * 3)),
        source: fc.constantFrom(null, 'podcast', 'newsletter'),
        button: fc.constantFrom(...clicks.buttons),
      }),
      { numRuns: 600, seed: 4 },
    );
    await stores.analytics.importEvents(
      events.map(({ button, ...event }, n) => ({
        ...event,
        at: event.at + (n % 3),
        button: event.activity === 'cta_click' ? button : null,
      })),
    );
    const [from, to] = [noon - 20 * 60 * 60_000, noon + 500];
    for (const filter of [
      { source: 'podcast' },
      { source: null },
      { button: 'hero' },
      { source: 'newsletter', button: 'footer' },
      { source: 'unknown' },
    ]) {
      for (const limit of [1, 7, 100]) {
        const found: number[] = [];
        for (let after: PagePosition | undefined; ; ) {
          const page = await stores.analytics.events(
            'cta_click',
            { from, to },
            { limit, after, filter },
          );
          found.push(...page.map(({ at }) => at));
          if (page.length < limit) break;
          after = page.at(-1);
        }
        const wanted = events.flatMap(({ activity, at, source, button }, n) =>
          activity === 'cta_click' &&
          at + (n % 3) >= from &&
          at + (n % 3) < to &&
          (filter.source === undefined || filter.source === source) &&
          (filter.button === undefined || filter.button === button)
            ? at + (n % 3)
            : [],
        );
        expect(found).toEqual(wanted.sort((a, b) => b - a));
      }
    }
  });

  it('a page of a source with an event an hour takes one statement for all its hours', async () => {
    await stores.analytics.importEvents(
      Array.from({ length: 150 }, (_, n) => ({
        activity: 'page_view',
        button: null,
        source: 'podcast',
        at: noon - n * 60 * 60_000,
      })),
    );
    let statements = 0;
    await withDatabase(async (database) => {
      const { events } = createAnalyticsStore({
        ...database,
        read: (transaction) =>
          database.read(function* () {
            const running = transaction();
            let step = running.next();
            for (; !step.done; statements += 1) step = running.next(yield step.value);
            return step.value;
          }),
      });
      const window = { from: 0, to: noon + 1 };
      const filter = { source: 'podcast' };
      expect(await events('page_view', window, { limit: 101, filter })).toHaveLength(101);
    });
    // The source, its hours, their events; on PostgreSQL also the version.
    expect(statements).toBeLessThan(5);
  });

  it('a page of one source continues behind hours whose events were pruned', async () => {
    const { analytics } = stores;
    const days = 24 * 60 * 60_000;
    const view = (at: number): ImportedEvent => ({
      activity: 'page_view',
      button: null,
      source: 'podcast',
      at,
    });
    const pruned = Array.from({ length: 150 }, (_, n) => view(noon - 300 * days + n));
    await analytics.importEvents([view(noon), ...pruned]);
    await analytics.prune(Math.floor((noon - 250 * days) / days));
    await analytics.importEvents([view(noon - 400 * days)]);
    const window = { from: 0, to: noon + 1 };
    const page = await analytics.events('page_view', window, {
      limit: 101,
      filter: { source: 'podcast' },
    });
    expect(page.map(({ at }) => at)).toEqual([noon, noon - 400 * days]);
  });

  it('all rows can be read oldest first, in any window', async () => {
    const timestamp = fc.integer({ min: 0, max: 30 }).map((n) => noon + n);
    const event: fc.Arbitrary<ImportedEvent> = fc.record({
      activity: fc.constantFrom(...activities),
      at: timestamp,
      button: fc.constant(null),
      source: fc.constantFrom(null, 'podcast'),
    });
    const events = fc.sample(event, { numRuns: 2500, seed: 3 });
    await stores.analytics.importEvents(events);
    const window = { from: noon + 4, to: noon + 27 };
    for (const part of [undefined, window, { from: noon, to: noon }]) {
      const read: ImportedEvent[] = [];
      for await (const one of stores.analytics.allEvents(part)) read.push(one);
      const wanted = events.filter(({ at }) => !part || (at >= part.from && at < part.to));
      const textOf = ({ activity, at, source }: ImportedEvent) => `${activity} ${at} ${source}`;
      expect(read.map(textOf).sort()).toEqual(wanted.map(textOf).sort());
      const times = read.map(({ at }) => at);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
  });

  it('rows keep the sources of an imported file', async () => {
    const events = Array.from({ length: 250 }, (_, n) => ({
      activity: 'page_view' as const,
      button: null,
      source: `s${n}`,
      at: noon,
    }));
    await stores.analytics.importEvents(events);
    expect(await stores.analytics.sources({ from: noon, to: noon + 1 })).toHaveLength(250);
  });
});

describe('GET /api/analytics/rows', () => {
  type Answer = Outputs['analytics']['rows'];
  let site: TestSite;
  let cookie: string;
  const key = '0123456789abcdef';
  beforeEach(async () => {
    site = await openTestSite({ env: { CONVERSION_KEY: key }, now: () => noon });
    cookie = await signIn(site);
  });
  afterEach(() => site.close());
  const ask = (query: Record<string, string>, headers: Record<string, string> = { cookie }) =>
    site.fetch(`/api/analytics/rows?${new URLSearchParams(query)}`, { headers });
  const report = (sale: object) =>
    site.post(
      '/api/conversions',
      { currency: 'USD', amount: 4900, timestamp: new Date(noon - 5).toISOString(), ...sale },
      { authorization: `Bearer ${key}` },
    );

  it('the rows endpoint returns 401 without a session', async () => {
    const answer = await ask({ kind: 'sale' }, {});
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error: 'Unauthorized', code: 'UNAUTHORIZED' });
  });

  it('a fully refunded sale is listed as refunded and not counted', async () => {
    await report({ id: 'a', email: 'ada@example.com', source: 'podcast' });
    await report({ id: 'b', refunded: 4900 });
    const answer = (await (await ask({ kind: 'sale' })).json()) as Answer;
    expect(answer).toEqual({
      kind: 'sale',
      counted: 1,
      startDate: new Date(noon - 30 * day).toISOString(),
      asOf: new Date(noon).toISOString(),
      rows: [
        expect.objectContaining({ id: 'b', refunded: 4900, isGivenBack: true }),
        {
          id: 'a',
          timestamp: new Date(noon - 5).toISOString(),
          conversionValue: 4900,
          currency: 'USD',
          email: 'ada@example.com',
          source: 'podcast',
        },
      ],
    });
  });

  it('a list ends at the time of the dashboard response', async () => {
    await report({ id: 'a' });
    const asOf = new Date(noon - 5).toISOString();
    const list = async (until: string) => {
      const answer = (await (await ask({ kind: 'sale', asOf: until })).json()) as Answer;
      return [answer.asOf, answer.rows.length, answer.counted];
    };
    expect(await list(asOf)).toEqual([asOf, 0, 0]);
    const later = new Date(noon - 4).toISOString();
    expect(await list(later)).toEqual([later, 1, 1]);
  });

  const cursor = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
  it.each([
    ['after', { kind: 'sale', after: '' }],
    ['after', { kind: 'sale', after: 'nonsense' }],
    ['after', { kind: 'sale', after: cursor({ kind: 'page_view', at: noon, key: '1' }) }],
    ['after', { kind: 'sale', after: cursor({ kind: 'sale', at: noon, key: 'a\0' }) }],
    ['after', { kind: 'sale', after: cursor({ kind: 'sale', at: 1.5, key: 'a' }) }],
    ['after', { kind: 'page_view', after: cursor({ kind: 'page_view', at: noon, key: '1e9' }) }],
    ['after', { kind: 'page_view', after: cursor({ kind: 'page_view', at: noon, key: 'a' }) }],
    ['kind', { kind: 'visit' }],
    ['kind', {}],
    ['startDate', { kind: 'sale', startDate: 'yesterday' }],
    ['asOf', { kind: 'sale', asOf: '2026-03-10' }],
  ])('the rows endpoint returns 400 for an invalid %s: %j', async (path, query) => {
    const answer = await ask(query as Record<string, string>);
    expect(answer.status).toBe(400);
    const { error, issues } = (await answer.json()) as { error: string; issues: unknown[] };
    expect(error).toBe('Some fields need another look.');
    expect(issues).toEqual([{ path, message: expect.stringMatching(/^(Please|The|This) .*\.$/) }]);
  });
});
