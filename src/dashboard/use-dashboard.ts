import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { routes } from '../../server/contract/routes.ts';
import { timeOfDay } from '../admin/format.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import {
  type Conversion,
  type CurrencySum,
  type Figures,
  figuresOf,
  recentOf,
  type StripeReconciliation,
  timeWindowOf,
} from './dashboard-data.ts';
import type { TimeWindow } from './use-rows.ts';

/** The periods to choose from, in days. */
export const periods = [7, 30, 90] as const;
export type Period = (typeof periods)[number];

/** One dashboard response with its period. */
export interface Report {
  days: Period;
  /** Start of the period, as an ISO timestamp. */
  startDate: string;
  /** When the response arrived, by the browser's clock, in ms since 1970. */
  receivedAt: number;
  figures: Figures;
  /** The window the server counted. */
  timeWindow: TimeWindow | undefined;
  recent: Partial<Conversion>[];
  /** Sales in currencies other than US dollars. */
  others: CurrencySum[];
  /** Number of unread messages in the inbox. */
  unread: number;
  /** The owner alert of the last nightly check. */
  trouble: string | null;
  /** The reconciliation with Stripe; null when Stripe is not connected. */
  stripe: StripeReconciliation | null;
}

const refreshEvery = 30_000;
const day = 24 * 60 * 60_000;

/**
 * Polls the figures of the last `days` days every 30 seconds. Keeps the last report when a request
 * fails; a 401 navigates to /admin.
 */
export function useDashboard(days: Period) {
  const { client } = trpc.useUtils();
  const query = useQuery({
    queryKey: [routes['analytics.dashboard'].path, days],
    queryFn: async ({ signal }): Promise<Report> => {
      // Not part of the query key, which would change on each render.
      const startDate = new Date(Date.now() - days * day).toISOString();
      try {
        const response = await client.analytics.dashboard.query({ startDate }, { signal });
        return {
          days,
          startDate,
          receivedAt: Date.now(),
          figures: figuresOf(response),
          timeWindow: timeWindowOf(response),
          recent: recentOf(response),
          others: response?.otherCurrencies ?? [],
          unread: response?.unread ?? 0,
          trouble: response?.trouble ?? null,
          stripe: response?.stripe ?? null,
        };
      } catch (cause) {
        const isSignedOut = errorResponseOf(cause)?.status === 401;
        throw new Error(isSignedOut ? 'Unauthorized' : 'Failed to fetch analytics data', { cause });
      }
    },
    refetchInterval: refreshEvery,
    // Refetch a period when it is selected again, and leave no cached data after a logout.
    gcTime: 0,
  });

  const [report, setReport] = useState<Report>();
  if (query.data && query.data !== report) setReport(query.data);

  useRedirectWhenSignedOut(query.error);
  const [announcement, setAnnouncement] = useState('');

  return {
    report,
    /** True while a newly selected period loads. */
    isChanging: query.isFetching && report?.days !== days,
    isFetching: query.isFetching,
    /** True when the last request failed, so the report is out of date. */
    isStale: query.isError,
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

/** Navigates to /admin when `error` is a 401. */
export function useRedirectWhenSignedOut(error: unknown) {
  const navigate = useNavigate();
  const isSignedOut = errorResponseOf(error)?.status === 401;
  useEffect(() => {
    if (isSignedOut) void navigate('/admin', { replace: true });
  }, [isSignedOut, navigate]);
}
