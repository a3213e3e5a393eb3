/** Whether two databases give the owner the same answers: what the dashboard shows, for many windows. */
import { randomInt } from 'node:crypto';
import { activities, type TimeWindow } from '../../analytics/store.ts';
import type { storesOn } from '../../app/stores.ts';

type Answering = ReturnType<typeof storesOn>;

export interface AnswersCheck {
  /** Windows of time that were asked for. */
  windows: number;
  /** Those for which something else is said. */
  differing: TimeWindow[];
  /** Whether messages, letters, and what Stripe said are told of alike. */
  isRestSame: boolean;
  /** Figures that were counted again from their rows, on each side. */
  checked: number;
  /** How many of them do not add up: the same ones on both sides, unless `isRecountSame` is false. */
  wrong: number;
  isRecountSame: boolean;
}

const day = 24 * 60 * 60_000;

/** How many windows are chosen by chance, and how many rows of a list are compared in each. */
const byChance = 100;
const rows = 20;

/** Asks both for everything that the dashboard asks for. `now` is milliseconds since 1970, UTC. */
export async function compareAnswers(
  one: Answering,
  other: Answering,
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
      same(await lookedAtCloser(one, window), await lookedAtCloser(other, window));
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

/** The periods of the dashboard, each of their days, and some between any two milliseconds. */
function windowsUpTo(now: number, first: number): TimeWindow[] {
  const begin = Math.min(first, now - day);
  const periods = [7, 30, 90].map((days) => ({ from: now - days * day, to: now }));
  const days = Array.from({ length: 90 }, (_, i) => {
    const from = (Math.floor(now / day) - i) * day;
    return { from, to: from + day };
  });
  const some = Array.from({ length: byChance }, () => {
    const ends = [randomInt(begin, now + 1), randomInt(begin, now + 1)];
    return { from: Math.min(...ends), to: Math.max(...ends) };
  });
  return [...periods, ...days, ...some];
}

async function lookedAtCloser({ analytics }: Answering, window: TimeWindow): Promise<unknown> {
  const sources = await analytics.sources(window);
  const lists: unknown[] = [];
  for (const activity of activities) {
    lists.push(await analytics.marks(activity, window, { limit: rows }));
  }
  return [
    sources.map((source) => JSON.stringify(source)).sort(),
    Object.entries(await analytics.uncounted(window)).sort(),
    await analytics.otherCurrencies(window),
    await analytics.conversions(window, { limit: rows }),
    lists,
  ];
}

const restOf = async ({ analytics, contact, mail, payments }: Answering, now: number) => [
  await analytics.firstView(),
  await analytics.lastView(now),
  await contact.count(),
  await contact.unread(),
  await contact.list({ limit: rows }),
  await mail.state(),
  (await payments.newest()) ?? null,
];

async function recount({ analytics, payments }: Answering) {
  const checks = [await analytics.compareCounters(), await payments.compare()];
  return {
    checked: checks.reduce((sum, { checked }) => sum + checked, 0),
    differences: checks
      .flatMap(({ differences }) => differences.map((difference) => JSON.stringify(difference)))
      .sort(),
  };
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
