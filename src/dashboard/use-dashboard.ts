import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Outputs } from '../../server/contract/api.ts';
import { routes } from '../../server/contract/routes.ts';
import { timeOfDay } from '../admin/format.ts';
import { refreshEveryMs } from '../admin/refresh-button.tsx';
import type { Figures, Filter, Period, Report } from '../admin/report.ts';
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

/** A response as received: any field can be missing or null. */
type Received<T> = { [K in keyof T]?: T[K] | null } | null | undefined;

function reportOf(
  response: Received<Outputs['analytics']['dashboard']>,
  { days, filter, startDate }: Pick<Report, 'days' | 'filter' | 'startDate'>,
): Report {
  const { startDate: countedFrom, asOf } = response ?? {};
  return {
    days,
    filter,
    startDate,
    receivedAt: Date.now(),
    figures: figuresOf(response?.summary),
    currency: response?.currency ?? 'USD',
    timeWindow: countedFrom && asOf ? { startDate: countedFrom, asOf } : undefined,
    recent: (response?.conversions ?? []).slice(0, shownConversions),
    otherCurrencies: response?.otherCurrencies ?? [],
    otherSales: response?.otherSales ?? [],
    cash: response?.cash ?? [],
    doubts: response?.doubts ?? [],
    calls: response?.calls ?? { cancelled: 0, soon: 0, timeZone: 'UTC', next: [] },
    unread: response?.unread ?? 0,
    alert: response?.alert ?? null,
    isDemo: response?.isDemo ?? false,
    stripe: response?.stripe ?? null,
  };
}

/** All figures of a summary; missing ones are 0. */
function figuresOf(summary: Received<Figures>): Figures {
  return {
    pageViews: summary?.pageViews ?? 0,
    ctaClicks: summary?.ctaClicks ?? 0,
    checkoutOpens: summary?.checkoutOpens ?? 0,
    callsBooked: summary?.callsBooked ?? 0,
    conversions: summary?.conversions ?? 0,
    totalRevenue: summary?.totalRevenue ?? 0,
    refundedRevenue: summary?.refundedRevenue ?? 0,
    disputedRevenue: summary?.disputedRevenue ?? 0,
    conversionRate: summary?.conversionRate ?? 0,
    ctaConversionRate: summary?.ctaConversionRate ?? 0,
  };
}
