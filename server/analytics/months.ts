/** The figures of the last two years by month of the owner's time zone. */

import { minuteMs } from '../time/units.ts';
import { dateAt, timeOf } from '../time/zone.ts';
import type { Filter, TimeWindow } from './model.ts';
import { wholeUnits } from './report.ts';
import type { AnalyticsStore } from './store.ts';

/** Two years contain all of the last one up to the same day. */
const shownMonths = 24;

export interface LocalMonth extends TimeWindow {
  /** Local month: `2026-11`. */
  month: string;
}

/** The last 24 months of a zone, oldest first. The last one ends at `to`. */
export function localMonths(to: number, timeZone: string): LocalMonth[] {
  const [year = 0, month = 0] = dateAt(to, timeZone).split('-').map(Number);
  const starts = Array.from({ length: shownMonths + 1 }, (_, i) => {
    const first = new Date(Date.UTC(year, month - shownMonths + i)).toISOString().slice(0, 10);
    return { month: first.slice(0, 7), from: timeOf(first, 0, timeZone) };
  });
  return starts
    .slice(0, shownMonths)
    .map(({ month, from }, i) => ({ month, from, to: Math.min(starts[i + 1]?.from ?? to, to) }));
}

/**
 * The figures of each month and of this year, up to the current minute, and of the same part of the last year;
 * null where counting had not begun. Months begin at full hours in most zones, so that deleted events do not change
 * their counts; in others a month of deleted events begins at the full hour before.
 */
export async function monthsOf(
  analytics: AnalyticsStore,
  { now, timeZone, filter }: { now: number; timeZone: string; filter?: Filter },
) {
  const to = Math.floor(now / minuteMs) * minuteMs;
  const months = localMonths(to, timeZone);
  const year = Number(dateAt(to, timeZone).slice(0, 4));
  const inYear = (n: number) => months.filter(({ month }) => month.startsWith(`${n}-`));
  const [thisYear, lastYear] = [inYear(year), inYear(year - 1)];
  const before = partOf(lastYear, thisYear, to);
  const { currency, totals, firstView, firstCount } = await analytics.history(
    [...months, ...before],
    filter,
  );
  const totalsBy = new Map([...months, ...before].map((part, i) => [part, totals[i]]));
  /** The sums of these parts, when counting had begun before this time. */
  const figuresOf = (parts: readonly LocalMonth[], begunBefore: number) => {
    const sumOf = (key: 'pageViews' | 'ctaClicks' | 'conversions' | 'revenue', first?: number) =>
      first === undefined || first >= begunBefore
        ? null
        : parts.reduce((sum, part) => sum + (totalsBy.get(part)?.[key] ?? 0), 0);
    const revenue = sumOf('revenue', firstCount);
    return {
      pageViews: sumOf('pageViews', firstView),
      ctaClicks: sumOf('ctaClicks', firstView),
      conversions: sumOf('conversions', firstCount),
      revenue: revenue === null ? null : wholeUnits(revenue, currency),
    };
  };
  return {
    timeZone,
    months: months.map((month) => ({ month: month.month, ...figuresOf([month], month.to) })),
    yearToDate: figuresOf(thisYear, to),
    yearBefore: figuresOf(before, (lastYear[0]?.from ?? 0) + 1),
    comparedUntil: dateAt((before.at(-1)?.to ?? to) - 1, timeZone),
    countedSince: firstView === undefined ? null : new Date(firstView).toISOString(),
    asOf: new Date(to).toISOString(),
  };
}

/** As many months of the last year as of this one, the last of them as far as this month is over at `to`. */
function partOf(lastYear: LocalMonth[], thisYear: LocalMonth[], to: number): LocalMonth[] {
  const elapsed = to - (thisYear.at(-1)?.from ?? to);
  return lastYear.slice(0, thisYear.length).map((month, i) =>
    // A leap day is compared with the end of February.
    i < thisYear.length - 1 ? month : { ...month, to: Math.min(month.to, month.from + elapsed) },
  );
}
