import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { routes } from '../../server/contract/routes.ts';
import { trpc } from '../api/trpc.ts';
import type { Report } from '../dashboard/use-dashboard.ts';
import { type Insights, insightsOf } from './insights-data.ts';

/** A closer look at what a report sums up. */
export interface InsightsQuery extends Insights {
  /** The report it belongs to: its figures are of the same window. */
  of: Report;
  /** On whose clocks its days begin, such as `Europe/Berlin`. */
  timeZone: string;
}

/**
 * A closer look at each report as it arrives, and so as often as there are reports: every thirty
 * seconds and by hand. It fails silently: the last one stays, unless it is of another period.
 */
export function useInsights(report: Report): InsightsQuery | undefined {
  const { client } = trpc.useUtils();
  const { startDate, span } = report;
  const { data, isError } = useQuery({
    queryKey: [routes['analytics.breakdown'].path, startDate],
    queryFn: async ({ signal }): Promise<InsightsQuery> => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const window = { startDate, ...span };
      const answer = await client.analytics.breakdown.query({ ...window, timeZone }, { signal });
      return { of: report, timeZone, ...insightsOf(answer) };
    },
    gcTime: 0,
  });
  const [last, setLast] = useState<InsightsQuery>();
  if (data && data !== last) setLast(data);
  return isError && last?.of.days !== report.days ? undefined : last;
}
