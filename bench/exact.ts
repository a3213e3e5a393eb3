/** Checks at volume that totals, sources and series agree with a count of the rows. */

import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TimeWindow, Totals } from '../server/analytics/model.ts';
import { createAnalyticsStore } from '../server/analytics/store.ts';
import { seeded } from '../server/contract/sample/seeded.ts';
import { columns } from '../server/database/columns.ts';
import { get } from '../server/database/database.ts';
import { sql } from '../server/database/sql.ts';
import { openSqlite, type Sqlite } from '../server/database/sqlite/sqlite.ts';
import { databaseFile } from '../server/stores/data-folder.ts';
import { flatSources, rawFigures } from '../server/testing/raw-figures.ts';
import { demoFolder } from './demo-data.ts';
import type { Row } from './measure.ts';
import { getJson, signIn } from './owner.ts';
import { type BenchServer, startShingle } from './processes.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
/** More than a year, so that it includes both daylight saving changes of a zone. */
const days = 400;
const windowCount = 100;

type Store = ReturnType<typeof createAnalyticsStore>;
type Raw = Awaited<ReturnType<typeof rawFigures>>;

/** Compares random windows and the series of several time zones with a count of the rows. */
export async function exactRows(events: number): Promise<Row[]> {
  const folder = await demoFolder(events, days);
  const server = await startShingle({ data: folder });
  const database = openSqlite(databaseFile(folder));
  try {
    const store = createAnalyticsStore(database);
    const allSeries = await seriesOf(server);
    const raw = await rawFigures(store);
    const rows = await windowRows(store, { raw, database });
    for (const { zone, series } of allSeries) rows.push(seriesRow(zone, series, raw));
    return rows.map((row) => ({ ...row, what: `${row.what}, ${events.toLocaleString('en-US')}` }));
  } finally {
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

const row = (what: string, differences: number, baseline: string): Row => ({
  target: '',
  what,
  ours: `${differences} differences`,
  baseline,
  ratio: '–',
  goal: '0',
});

async function windowRows(
  store: Store,
  { raw, database }: { raw: Raw; database: Sqlite },
): Promise<Row[]> {
  const wrong = { totals: 0, sources: 0 };
  for (const window of randomWindows(database)) {
    if (!isDeepStrictEqual(await store.totals(window), raw.totals(window))) wrong.totals += 1;
    const sources = flatSources(await store.sources(window));
    if (!isDeepStrictEqual(sources, raw.sources(window))) wrong.sources += 1;
  }
  const windows = `${windowCount} random windows`;
  return [
    row(`totals of ${windows}`, wrong.totals, 'each counted from the rows'),
    row(`sources of ${windows}`, wrong.sources, 'each counted from the rows'),
  ];
}

/**
 * Windows from a few milliseconds to all days. Half of the bounds are the millisecond of a page
 * view, which counts at the start of a window but not at its end.
 */
function randomWindows(database: Sqlite): TimeWindow[] {
  const random = seeded('windows');
  const now = Date.now();
  const randomBound = (at: number) => {
    if (random() < 0.5) return Math.floor(at);
    const view = database.readNow(() =>
      get(sql`SELECT ${columns('event', 'at')} FROM event WHERE kind = 1 AND at >= ? LIMIT 1`, [
        Math.floor(at),
      ]),
    );
    return view?.at ?? now;
  };
  return Array.from({ length: windowCount }, () => {
    const from = randomBound(now - random() * days * day);
    const to = randomBound(from + Math.min((days * day) ** random(), now - from));
    return { from, to };
  });
}

interface Series {
  startDate: string;
  asOf: string;
  days: ({ date: string; revenue: number } & Pick<
    Totals,
    'pageViews' | 'ctaClicks' | 'conversions'
  >)[];
}

/** The series by day in each time zone, as the server returns them to the signed-in owner. */
async function seriesOf(server: BenchServer): Promise<{ zone: string; series: Series }[]> {
  const cookie = await signIn(server);
  const startDate = new Date(Date.now() - days * day + hour / 3 + 7).toISOString();
  return Promise.all(
    Object.keys(zones).map(async (zone) => {
      const query = `startDate=${startDate}&timeZone=${encodeURIComponent(zone)}`;
      const series = await getJson<Series>(server, `/api/analytics/breakdown?${query}`, cookie);
      return { zone, series };
    }),
  );
}

/** Compares a series with the rows between midnights, which are computed from legal rules. */
function seriesRow(zone: string, series: Series, raw: Raw): Row {
  const window = { from: Date.parse(series.startDate), to: Date.parse(series.asOf) };
  const figuresOf = (
    totals: Pick<Totals, 'pageViews' | 'ctaClicks' | 'conversions' | 'revenue'>,
  ) => {
    const { pageViews, ctaClicks, conversions, revenue } = totals;
    return [pageViews, ctaClicks, conversions, revenue];
  };
  const shown = new Map(
    series.days.map((entry) => [
      entry.date,
      figuresOf({ ...entry, revenue: Math.round(entry.revenue * 100) }),
    ]),
  );

  let differences = 0;
  const sum = [...shown.values()].reduce(
    (total, figures) => total.map((n, i) => n + (figures[i] ?? 0)),
    [0, 0, 0, 0],
  );
  if (!isDeepStrictEqual(sum, figuresOf(raw.totals(window)))) differences += 1;
  const expected = datesIn(window, zone);
  for (const { date, ...part } of expected) {
    const figures = figuresOf(raw.totals(part));
    if (!isDeepStrictEqual(shown.get(date), figures)) differences += 1;
  }
  if (shown.size !== expected.length) differences += 1;

  const changeDays = [23, 25].map((hours) => {
    const n = expected.filter(({ from, to }) => to - from === hours * hour).length;
    return `${n} of ${hours} h`;
  });
  return row(
    `series in ${zone}, ${expected.length} days (${changeDays.join(', ')}) and their sum`,
    differences,
    'rows between legal midnights',
  );
}

/** The dates of a zone in a window; the first and the last are clipped to it. */
function datesIn(window: TimeWindow, zone: string): ({ date: string } & TimeWindow)[] {
  const dates: ({ date: string } & TimeWindow)[] = [];
  for (let at = window.from - day; at < window.to + 2 * day; at += day) {
    const [date, next] = [isoDate(at), isoDate(at + day)];
    const from = Math.max(midnight(date, zone), window.from);
    const to = Math.min(midnight(next, zone), window.to);
    if (from < to) dates.push({ date, from, to });
  }
  return dates;
}

const isoDate = (at: number) => new Date(at).toISOString().slice(0, 10);

const midnight = (date: string, zone: string) =>
  Date.parse(`${date}T00:00:00Z`) - (zones[zone]?.(date) ?? Number.NaN) * hour;

/** UTC offset in hours at the start of a date, by legal rules and not the system's zone data. */
const zones: Record<string, (date: string) => number> = {
  UTC: () => 0,
  // Clocks change after midnight, so on the day of a change midnight still has the old offset.
  'America/New_York': (date) =>
    date > sunday(date, 'March', 8) && date <= sunday(date, 'November', 1) ? -4 : -5,
  'Europe/Berlin': (date) =>
    date > sunday(date, 'March', 25) && date <= sunday(date, 'October', 25) ? 2 : 1,
  'Asia/Kathmandu': () => 5.75,
};

/** The first Sunday of a month, in the year of `date`, not before its n-th day. */
function sunday(date: string, month: string, n: number): string {
  const first = Date.parse(`${n} ${month} ${date.slice(0, 4)} UTC`);
  return isoDate(first + ((7 - new Date(first).getUTCDay()) % 7) * day);
}
