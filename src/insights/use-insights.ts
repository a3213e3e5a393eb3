import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { routes } from '../../server/contract/routes.ts';
import { trpc } from '../api/trpc.ts';
import type { Report } from '../dashboard/use-dashboard.ts';
import { type Insights, insightsOf } from './insights-data.ts';

/** The insights that belong to a report. */
export interface InsightsQuery extends Insights {
  /** The report it belongs to: its figures are of the same window. */
  of: Report;
  /** The time zone of its days, such as `Europe/Berlin`. */
  timeZone: string;
}

/**
 * Loads the insights of each new report, so every 30 seconds and on manual refresh. Fails silently:
 * keeps the last insights unless they belong to another period.
 */
export function useInsights(report: Report): InsightsQuery | undefined {
  const { client } = trpc.useUtils();
  const { startDate, timeWindow } = report;
  const { data, isError } = useQuery({
    queryKey: [routes['analytics.breakdown'].path, startDate],
    queryFn: async ({ signal }): Promise<InsightsQuery> => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const window = { startDate, ...timeWindow };
      const response = await client.analytics.breakdown.query({ ...window, timeZone }, { signal });
      return { of: report, timeZone, ...insightsOf(response) };
    },
    gcTime: 0,
  });
  const [last, setLast] = useState<InsightsQuery>();
  if (data && data !== last) setLast(data);
  return isError && last?.of.days !== report.days ? undefined : last;
}
