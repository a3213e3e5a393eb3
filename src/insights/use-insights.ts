import type { Outputs } from '../../server/contract/api.ts';
import type { Report } from '../admin/report.ts';
import { useLast } from '../admin/use-last.ts';
import { trpc } from '../api/trpc.ts';

type Breakdown = Outputs['analytics']['breakdown'];

export type Day = Breakdown['days'][number];
export type Source = Breakdown['sources'][number];
export type ExcludedCounts = Breakdown['uncounted'];

/** The insights into a report. */
interface Insights {
  /** The report they belong to: its figures are of the same window. */
  report: Report;
  /** The time zone of the days: the owner's, such as `Europe/Berlin`. */
  timeZone: string;
  days: Day[];
  sources: Source[];
  /** The previous period; null when it was not counted completely, undefined when not sent. */
  previous: Breakdown['previous'] | undefined;
  uncounted: ExcludedCounts;
}

/**
 * Loads the insights of each new report, so every 30 seconds and on manual refresh. Fails silently:
 * keeps the last insights unless they belong to another period.
 */
export function useInsights(report: Report): Insights | undefined {
  const { startDate, timeWindow } = report;
  const { data, isError } = trpc.analytics.breakdown.useQuery(
    { startDate, ...timeWindow },
    {
      gcTime: 0,
      trpc: { abortOnUnmount: true },
      // A server of another version may leave parts out.
      select: (response: Partial<Breakdown> | null): Insights => ({
        report,
        timeZone: response?.timeZone ?? 'UTC',
        days: response?.days ?? [],
        sources: response?.sources ?? [],
        previous: response?.previous,
        uncounted: response?.uncounted ?? {},
      }),
    },
  );
  const last = useLast(data);
  return isError && last?.report.days !== report.days ? undefined : last;
}
