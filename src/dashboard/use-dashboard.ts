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
  type SaidByStripe,
  spanOf,
} from './dashboard-data.ts';
import type { TimeWindow } from './use-rows.ts';

/** The periods to choose from, in days. */
export const periods = [7, 30, 90] as const;
export type Period = (typeof periods)[number];

/** What one answer said, and of which period. */
export interface Report {
  days: Period;
  /** From when it counts, as an ISO time. */
  startDate: string;
  /** When it arrived, by this machine's clock, in milliseconds since 1970. */
  receivedAt: number;
  figures: Figures;
  /** Of which moment the figures are. */
  span: TimeWindow | undefined;
  recent: Partial<Conversion>[];
  /** What was sold in other currencies than dollars. */
  others: CurrencySum[];
  /** Messages in the inbox that nobody has read. */
  unread: number;
  /** What the last nightly check found wrong. */
  trouble: string | null;
  /** What Stripe says of the same sales; null when it is not connected. */
  stripe: SaidByStripe | null;
}

const refreshEvery = 30_000;
const day = 24 * 60 * 60_000;

/**
 * The figures of the last `days` days, asked for again every thirty seconds. The last report stays
 * until another one arrives, whatever fails in between; being signed out leads to /admin.
 */
export function useDashboard(days: Period) {
  const { client } = trpc.useUtils();
  const query = useQuery({
    queryKey: [routes['analytics.dashboard'].path, days],
    queryFn: async ({ signal }): Promise<Report> => {
      // Computed here and not in the key, which would be another one at each render.
      const startDate = new Date(Date.now() - days * day).toISOString();
      try {
        const answer = await client.analytics.dashboard.query({ startDate }, { signal });
        return {
          days,
          startDate,
          receivedAt: Date.now(),
          figures: figuresOf(answer),
          span: spanOf(answer),
          recent: recentOf(answer),
          others: answer?.otherCurrencies ?? [],
          unread: answer?.unread ?? 0,
          trouble: answer?.trouble ?? null,
          stripe: answer?.stripe ?? null,
        };
      } catch (cause) {
        const isSignedOut = errorResponseOf(cause)?.status === 401;
        throw new Error(isSignedOut ? 'Unauthorized' : 'Failed to fetch analytics data', { cause });
      }
    },
    refetchInterval: refreshEvery,
    // A period chosen again is fetched again, and nothing is left behind after a logout.
    gcTime: 0,
  });

  const [report, setReport] = useState<Report>();
  if (query.data && query.data !== report) setReport(query.data);

  useLeaveWhenSignedOut(query.error);
  const [announcement, setAnnouncement] = useState('');

  return {
    report,
    /** Another period was chosen, and its report is on its way. */
    isChanging: query.isFetching && report?.days !== days,
    isFetching: query.isFetching,
    /** The last try failed: the report is older than it should be. */
    isStale: query.isError,
    /** What came of a refresh by hand, to be read out. */
    announcement,
    /** Fetches now, or joins the fetch under way. */
    refresh: async () => {
      setAnnouncement('');
      const { data, error } = await query.refetch({ cancelRefetch: false });
      setAnnouncement(error?.message ?? (data ? `Updated at ${timeOfDay(data.receivedAt)}` : ''));
    },
  };
}

/** Leads to /admin when a call failed because nobody is signed in. */
export function useLeaveWhenSignedOut(error: unknown) {
  const navigate = useNavigate();
  const isSignedOut = errorResponseOf(error)?.status === 401;
  useEffect(() => {
    if (isSignedOut) void navigate('/admin', { replace: true });
  }, [isSignedOut, navigate]);
}
