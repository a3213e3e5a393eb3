import type { Outputs } from '../../server/contract/api.ts';
import {
  type Filter,
  type Period,
  type Received,
  type Report,
  withDefaults,
} from '../admin/report.ts';
import { useLast } from '../admin/use-last.ts';
import { trpc } from '../api/trpc.ts';

type Breakdown = Outputs['analytics']['breakdown'];

export type Day = Breakdown['days'][number];
export type Source = Breakdown['sources'][number];
export type ButtonFigures = Breakdown['buttons'][number];
export type ExcludedCounts = Breakdown['excluded'];

type Listed = Pick<
  Breakdown,
  'timeZone' | 'days' | 'sources' | 'buttons' | 'previous' | 'previousDays' | 'excluded'
>;

/** The insights into a report. */
export interface Insights extends Listed {
  /** Length of the period, in days. */
  period: Period | undefined;
  filter: Filter | undefined;
  /** True when a page view was ever counted. */
  hasVisits: boolean;
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
      select: (response: Received<Breakdown>): Insights => ({
        ...withDefaults<Listed>(
          {
            timeZone: 'UTC',
            days: [],
            sources: [],
            buttons: [],
            previous: null,
            previousDays: [],
            excluded: {},
          },
          response,
        ),
        period: report?.days,
        filter: report?.filter,
        hasVisits: response?.countedSince !== null,
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
