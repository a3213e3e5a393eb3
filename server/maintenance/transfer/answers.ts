/** Compares the dashboard data of two databases, for many time windows. */
import { randomInt } from 'node:crypto';
import { activities, type TimeWindow } from '../../analytics/store.ts';
import type { storesOn } from '../../app/stores.ts';

type DashboardStores = ReturnType<typeof storesOn>;

export interface AnswersCheck {
  /** Number of time windows compared. */
  windows: number;
  /** The windows whose data differ. */
  differing: TimeWindow[];
  /** Whether messages, emails and payment events are the same. */
  isRestSame: boolean;
  /** Number of figures compared with their rows, on each side. */
  checked: number;
  /** How many of them do not match; the same ones on both sides, unless `isRecountSame` is false. */
  wrong: number;
  isRecountSame: boolean;
}

const day = 24 * 60 * 60_000;

/** Number of random windows. */
const randomWindows = 100;

/** How many rows of each list are compared in a window. */
const rows = 20;

/** Compares all data of the dashboard on both sides. `now` is milliseconds since 1970, UTC. */
export async function compareAnswers(
  one: DashboardStores,
  other: DashboardStores,
  now: number,
): Promise<AnswersCheck> {
  const windows = windowsUpTo(now, (await one.analytics.firstView()) ?? now - 400 * day);
  const [totals, otherTotals] = await Promise.all(
    [one, other].map(({ analytics }) => analytics.totalsOfEach(windows)),
  );
  const differing: TimeWindow[] = [];
  for (const [i, window] of windows.entries()) {
    const isSame =
      same(totals?.[i], otherTotals?.[i]) &&
      same(await detailsOf(one, window), await detailsOf(other, window));
    if (!isSame) differing.push(window);
  }
  const recounted = await recount(one);
  return {
    windows: windows.length,
    differing,
    isRestSame: same(await restOf(one, now), await restOf(other, now)),
    checked: recounted.checked,
    wrong: recounted.differences.length,
    isRecountSame: same(recounted, await recount(other)),
  };
}

/** The periods of the dashboard, each of the last 90 days, and random windows. */
function windowsUpTo(now: number, firstView: number): TimeWindow[] {
  const start = Math.min(firstView, now - day);
  const periods = [7, 30, 90].map((days) => ({ from: now - days * day, to: now }));
  const days = Array.from({ length: 90 }, (_, i) => {
    const from = (Math.floor(now / day) - i) * day;
    return { from, to: from + day };
  });
  const random = Array.from({ length: randomWindows }, () => {
    const ends = [randomInt(start, now + 1), randomInt(start, now + 1)];
    return { from: Math.min(...ends), to: Math.max(...ends) };
  });
  return [...periods, ...days, ...random];
}

async function detailsOf({ analytics }: DashboardStores, window: TimeWindow): Promise<unknown> {
  const sources = await analytics.sources(window);
  const lists: unknown[] = [];
  for (const activity of activities) {
    lists.push(await analytics.events(activity, window, { limit: rows }));
  }
  return [
    sources.map((source) => JSON.stringify(source)).sort(),
    Object.entries(await analytics.excludedCounts(window)).sort(),
    await analytics.otherCurrencies(window),
    await analytics.conversions(window, { limit: rows }),
    lists,
  ];
}

const restOf = async ({ analytics, contact, mail, payments }: DashboardStores, now: number) => [
  await analytics.firstView(),
  await analytics.lastView(now),
  await contact.count(),
  await contact.unread(),
  await contact.list({ limit: rows }),
  await mail.state(),
  (await payments.newest()) ?? null,
];

async function recount({ analytics, payments }: DashboardStores) {
  const checks = [await analytics.compareCounters(), await payments.compare()];
  return {
    checked: checks.reduce((sum, { checked }) => sum + checked, 0),
    differences: checks
      .flatMap(({ differences }) => differences.map((difference) => JSON.stringify(difference)))
      .sort(),
  };
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
