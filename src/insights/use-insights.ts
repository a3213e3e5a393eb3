import type { Outputs } from '../../server/contract/api.ts';
import type { Filter, Period, Report } from '../admin/report.ts';
import { useLast } from '../admin/use-last.ts';
import { trpc } from '../api/trpc.ts';

type Breakdown = Outputs['analytics']['breakdown'];

export type Day = Breakdown['days'][number];
export type Source = Breakdown['sources'][number];
export type ButtonFigures = Breakdown['buttons'][number];
export type ExcludedCounts = Breakdown['excluded'];

/** The insights into a report. */
export interface Insights {
  /** Length of the period, in days. */
  period: Period | undefined;
  filter: Filter | undefined;
  /** The time zone of the days: the owner's, such as `Europe/Berlin`. */
  timeZone: string;
  days: Day[];
  sources: Source[];
  buttons: ButtonFigures[];
  /** The previous period; null when it was not counted completely, undefined when not sent. */
  previous: Breakdown['previous'] | undefined;
  /** The days of the previous period; empty without one. */
  previousDays: Day[];
  /** True when a page view was ever counted. */
  hasVisits: boolean;
  excluded: ExcludedCounts;
}

/**
 * Loads the insights of each new report, so every 30 seconds and on manual refresh. Fails silently: keeps the
 * last insights of the same period and filter.
 */
export function useInsights(report: Report | undefined): Insights | undefined {
  const { data } = trpc.analytics.breakdown.useQuery(
    { startDate: report?.startDate, ...report?.timeWindow, ...report?.filter },
    {
      enabled: report !== undefined,
      // A server of another version may leave parts out.
      select: (response: Partial<Breakdown> | null): Insights => ({
        period: report?.days,
        filter: report?.filter,
        timeZone: response?.timeZone ?? 'UTC',
        days: response?.days ?? [],
        sources: response?.sources ?? [],
        buttons: response?.buttons ?? [],
        previous: response?.previous,
        previousDays: response?.previousDays ?? [],
        hasVisits: response?.countedSince !== null,
        excluded: response?.excluded ?? {},
      }),
    },
  );
  const last = useLast(data);
  const isOfReport =
    last?.period === report?.days &&
    last?.filter?.source === report?.filter.source &&
    last?.filter?.button === report?.filter.button;
  return isOfReport ? last : undefined;
}
