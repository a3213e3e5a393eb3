import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Outputs } from '../../server/contract/api.ts';
import { routes } from '../../server/contract/routes.ts';
import { timeOfDay } from '../admin/format.ts';
import { refreshEveryMs } from '../admin/refresh-button.tsx';
import {
  emptyReport,
  type Figures,
  type Filter,
  type Period,
  type Received,
  type Report,
  withDefaults,
} from '../admin/report.ts';
import { isSignedOut, useLeaveWhenSignedOut } from '../admin/session.ts';
import { trpc } from '../api/trpc.ts';

const dayMs = 24 * 60 * 60_000;

/** Number of conversions listed. */
const shownConversions = 10;

/**
 * Polls the figures of the last `days` days and a filter every 30 seconds while enabled. Keeps their last report when a
 * request fails; a 401 navigates to /admin.
 */
export function useDashboard(
  days: Period,
  { filter, isEnabled }: { filter: Filter; isEnabled: boolean },
) {
  const { client } = trpc.useUtils();
  const query = useQuery({
    // Not tRPC's hook: the input, and so its key, would change with each fetch.
    queryKey: [routes['analytics.dashboard'].path, days, filter],
    queryFn: async ({ signal }): Promise<Report> => {
      const startDate = new Date(Date.now() - days * dayMs).toISOString();
      try {
        const response = await client.analytics.dashboard.query(
          { startDate, ...filter },
          { signal },
        );
        return reportOf(response, { days, filter, startDate });
      } catch (cause) {
        const message = isSignedOut(cause) ? 'Unauthorized' : 'Failed to fetch analytics data';
        throw new Error(message, { cause });
      }
    },
    refetchInterval: refreshEveryMs,
    enabled: isEnabled,
  });

  useLeaveWhenSignedOut(query.error);
  const [announcement, setAnnouncement] = useState('');

  return {
    /** The report of this period and filter; undefined until it arrives. */
    report: query.data,
    isFetching: query.isFetching,
    /** When the next request follows the failed one, in ms since 1970; undefined when the last one succeeded. */
    nextTryAt: query.isError ? query.errorUpdatedAt + refreshEveryMs : undefined,
    /** The result of a manual refresh, for screen readers. */
    announcement,
    /** Fetches now, or joins the request in flight. */
    refresh: async () => {
      setAnnouncement('');
      const { data, error } = await query.refetch({ cancelRefetch: false });
      setAnnouncement(error?.message ?? (data ? `Updated at ${timeOfDay(data.receivedAt)}` : ''));
    },
  };
}

function reportOf(
  response: Received<Outputs['analytics']['dashboard']>,
  chosen: Pick<Report, 'days' | 'filter' | 'startDate'>,
): Report {
  const { summary, conversions, startDate, asOf, ...rest } = response ?? {};
  return {
    ...withDefaults<Omit<Report, keyof typeof chosen>>(
      {
        ...emptyReport,
        receivedAt: Date.now(),
        figures: withDefaults(noFigures, summary),
        timeWindow: startDate && asOf ? { startDate, asOf } : undefined,
        recent: (conversions ?? []).slice(0, shownConversions),
      },
      rest,
    ),
    ...chosen,
  };
}

const noFigures: Figures = {
  pageViews: 0,
  ctaClicks: 0,
  checkoutOpens: 0,
  callsBooked: 0,
  conversions: 0,
  totalRevenue: 0,
  refundedRevenue: 0,
  disputedRevenue: 0,
  conversionRate: 0,
  ctaConversionRate: 0,
};
