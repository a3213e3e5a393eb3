import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activityCsv } from '../../analytics/bulk/activity-csv.ts';
import type { ImportedEvent } from '../../analytics/model.ts';
import { createOwner, now, type TestOwner } from '../../testing/cli-io.ts';
import { openTestSite, signIn } from '../../testing/site.ts';
import { createEventList } from './event-list.ts';

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
});
afterEach(() => owner.remove());

const importing = (text: string | Buffer) =>
  owner.admin(['activity', 'import', '-'], { stdin: Readable.from([Buffer.from(text)]) });
const stored = () =>
  owner.inside(async ({ analytics }) => {
    const events: ImportedEvent[] = [];
    for await (const event of analytics.allEvents()) events.push(event);
    return events;
  });

const header = 'activity,timestamp,button,source';

describe('import', () => {
  it('activity import stores each row without deduplication', async () => {
    const text = `${header}
cta_click,2026-01-31T10:30:00.123+01:00,hero,Instagram
page_view,2026-01-31T09:30:00.122Z,,
page_view,2026-01-31T09:30:00.122Z,,
`;
    expect(await importing(text)).toEqual({ code: 0, out: '3 rows imported\n', err: '' });
    const at = Date.UTC(2026, 0, 31, 9, 30, 0, 122);
    const view = { activity: 'page_view', button: null, source: null, at };
    expect(await stored()).toEqual([
      view,
      view,
      { activity: 'cta_click', button: 'hero', source: 'instagram', at: at + 1 },
    ]);
    expect((await owner.admin(['verify'])).code).toBe(0);
  });

  it('activity import refuses a database with activity and suggests another folder', async () => {
    const text = `${header}\npage_view,2026-01-31T09:30:00Z,,\n`;
    await importing(text);
    const { code, out, err } = await importing(text);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/count twice\. Please use another folder: DATA_DIR=\S+ npm run/);
    expect(await stored()).toHaveLength(1);
  });

  it('activity import accepts a database that holds sales', async () => {
    await owner.admin(['conversions', 'import', '-'], {
      stdin: Readable.from([Buffer.from('id,amount,currency\na,1,USD\n')]),
    });
    expect((await importing(`${header}\npage_view,2026-01-31T09:30:00Z,,\n`)).code).toBe(0);
  });

  it('activity import names the line and column of every error and imports nothing', async () => {
    const { code, out, err } = await importing(`${header}
page_view,2026-01-31T09:30:00Z,,
visit,2026-01-31T09:30:00Z,,

page_view,yesterday,banner,
page_view,2199-01-31T09:30:00Z,,
page_view
`);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trimEnd().split('\n')).toEqual([
      'Line 3, column activity: The activity must be page_view, cta_click, checkout_open or call_booked.',
      'Line 5, column timestamp: Please give a date with time and zone, such as 2026-01-31T00:00:00Z.',
      'Line 5, column button: There is no such button.',
      'Line 6, column timestamp: Please give the time it happened: not before 2000, and not in the future.',
      'Line 7: it has 1 cells, the header has 4.',
      'Nothing was imported.',
    ]);
    expect(await stored()).toEqual([]);
  });

  it.each([
    ['', /^The first line must name the column activity\./],
    ['activity\n', /^The first line must name the column timestamp\./],
    ['id,amount,currency\n', /^The first line must name the column activity\./],
    [`${header},who\n`, /^The first line has an unknown or duplicate column "who"/],
    [`${header}\n"page_view`, /^The file cannot be read as CSV: Quote Not Closed/],
    [Buffer.from(`${header}\nM\xfcller`, 'latin1'), /^The file is not UTF-8 text\./],
  ])('activity import refuses %j', async (text, sentence) => {
    const { code, err } = await importing(text);
    expect(code).toBe(1);
    expect(err).toMatch(sentence);
  });

  it('activity import reads a file in chunks of any size', async () => {
    const line = 'page_view,2026-01-31T09:30:00.000Z,,zürich\n';
    const bytes = Buffer.from(`${header}\n${line.repeat(50)}page_view,never,,\n`);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
      bytes.subarray(7 * i, 7 * i + 7),
    );
    const { err } = await owner.admin(['activity', 'import', '-'], {
      stdin: Readable.from(pieces),
    });
    expect(err).toMatch(/^Line 52, column timestamp: .*\nNothing was imported\.\n$/);
    expect(await stored()).toEqual([]);
  });
});

describe('export', () => {
  it('activity export of an empty database is a header', async () => {
    expect((await owner.admin(['activity', 'export'])).out).toBe(`${activityCsv.columns}\n`);
    const file = join(owner.folder, 'activity.csv');
    expect((await owner.admin(['activity', 'export', 'activity.csv'])).out).toBe(
      '0 rows exported to activity.csv\n',
    );
    expect(await readFile(file, 'utf8')).toBe(`${activityCsv.columns}\n`);
    expect((await owner.admin(['activity', 'export', 'activity.csv'])).err).toBe(
      'The file activity.csv exists already. Please choose another name.\n',
    );
  });
});

it('activity export prints how many rows KEEP_ACTIVITY_DAYS has deleted', async () => {
  const text = `${header}
page_view,2026-01-31T09:30:00Z,,
page_view,2026-01-31T09:30:00Z,,
page_view,2026-11-20T09:30:00Z,,
`;
  await importing(text);
  await owner.inside(({ analytics }) =>
    analytics.prune(Math.floor(Date.UTC(2026, 1, 1) / 86_400_000)),
  );
  const { code, out, err } = await owner.admin(['activity', 'export']);
  expect({ code, rows: out.split('\n').length - 2 }).toEqual({ code: 0, rows: 1 });
  expect(err).toBe('2 older rows were deleted (KEEP_ACTIVITY_DAYS) and cannot be exported.\n');
  expect((await importing(text)).err).toMatch(/^This database already holds activity/);
});

it('both exports, imported into an empty folder, give the same dashboard', async () => {
  const [from, to] = [
    await openTestSite({ now: () => now }),
    await openTestSite({ now: () => now }),
  ];
  const run = async (args: string[], site: typeof from, stdin?: string) => {
    const outcome = await owner.admin(args, {
      env: { DATA_DIR: site.dataDir },
      ...(stdin && { stdin: Readable.from([Buffer.from(stdin)]) }),
    });
    expect(outcome).toMatchObject({ code: 0, err: '' });
    return outcome.out;
  };
  try {
    const events = process.env.TEST_LONG ? '20000' : '2000';
    await run(['demo', '--events', events, '--days', '200'], from);
    const odd = `id,amount,currency,email,source,timestamp,refunded,disputed,first_source,button
=1+1,12345,USD,"+ada@example.com",'@home,2026-11-20T22:15:00.001Z,45,300,ig,hero
yen,12000,JPY,,tiktok,2026-11-19T00:00:00Z,0,0,,
gone,900,USD,,tiktok,2026-11-18T23:59:59.999Z,900,0,,
z,100,USD,,zeta,2026-11-20T00:00:00Z,0,0,,
a,100,USD,,alpha,2026-11-19T00:00:00Z,0,0,,
`;
    await run(['conversions', 'import', '-'], from, odd);

    await run(['conversions', 'export', 'sales.csv'], from);
    await run(['activity', 'export', 'activity.csv'], from);
    await run(['activity', 'import', 'activity.csv'], to);
    await run(['conversions', 'import', 'sales.csv'], to);

    const cookies = [await signIn(from), await signIn(to)];
    const responses = (path: string) =>
      Promise.all(
        [from, to].map(async (site, i) => {
          const response = await site.fetch(path, { headers: { cookie: cookies[i] ?? '' } });
          expect(response.status).toBe(200);
          // The files have no messages, and do not say where their figures come from.
          const { unread: _, isDemo: __, ...figures } = await response.json();
          return figures;
        }),
      );
    for (const startDate of [
      '2026-11-14T02:30:00.000Z',
      '2026-10-22T02:30:00.000Z',
      '2026-08-23T13:17:11.123Z',
      '2020-01-01T00:00:00+05:45',
    ]) {
      const query = new URLSearchParams({ startDate });
      const [exported, imported] = await responses(`/api/analytics/dashboard?${query}`);
      expect(exported).toMatchObject({ summary: { pageViews: expect.any(Number) } });
      // Bookings have a file of their own.
      expect(imported).toEqual({ ...exported, calls: expect.anything() });
      for (const timeZone of ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe']) {
        query.set('timeZone', timeZone);
        const [exportedDays, importedDays] = await responses(`/api/analytics/breakdown?${query}`);
        expect(importedDays).toEqual(exportedDays);
      }
    }
    for (const site of [from, to]) await run(['verify'], site);
    for (const name of ['conversions', 'activity']) {
      expect(await run([name, 'export'], to)).toBe(await run([name, 'export'], from));
    }
  } finally {
    await from.close();
    await to.close();
  }
});

it('an event list returns the events that were added', () => {
  const list = createEventList();
  const events = Array.from(
    { length: 5000 },
    (_, i): ImportedEvent => ({
      activity: i % 3 === 0 ? 'cta_click' : 'page_view',
      button: i % 3 === 0 ? 'hero' : null,
      source: i % 2 === 0 ? null : `s${i % 700}`,
      at: now - i,
    }),
  );
  for (const event of events) list.add(event);
  expect(list.length).toBe(5000);
  expect([...list.slice(0, 3000), ...list.slice(3000, 9000)]).toEqual(events);
});
