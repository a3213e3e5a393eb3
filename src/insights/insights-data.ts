import type { Outputs } from '../../server/contract/api.ts';
import { type Figures, figuresOf } from '../dashboard/dashboard-data.ts';

type Wire = Outputs['analytics']['breakdown'];

export type Day = Wire['days'][number];
export type Source = Wire['sources'][number];
export type ExcludedCounts = Wire['uncounted'];

/** The insights response as received: any field can be missing. */
export interface InsightsResponse {
  days?: Partial<Day>[] | null;
  sources?: Partial<Source>[] | null;
  previous?: Partial<Figures> | null;
  uncounted?: ExcludedCounts | null;
}

/** The insights; missing figures are 0. */
export interface Insights {
  days: Day[];
  sources: Source[];
  /** The previous period; null when it was not counted completely, absent when not sent. */
  previous?: Figures | null;
  uncounted: ExcludedCounts;
}

/** The insights of a response; days without a date are dropped. */
export function insightsOf(response: InsightsResponse | null | undefined): Insights {
  const { days, sources, previous, uncounted } = response ?? {};
  return {
    days: (days ?? []).flatMap(({ date, ...figures }) =>
      date ? [{ date, isWhole: figures.isWhole ?? false, ...countsOf(figures) }] : [],
    ),
    sources: (sources ?? []).map((source) => ({
      ...(source.source && { source: source.source }),
      ...(source.merged && { merged: source.merged }),
      callsBooked: source.callsBooked ?? 0,
      ...countsOf(source),
    })),
    ...(previous !== undefined && { previous: previous && figuresOf({ summary: previous }) }),
    uncounted: uncounted ?? {},
  };
}

const countsOf = ({ pageViews, ctaClicks, conversions, revenue }: Partial<Day>) => ({
  pageViews: pageViews ?? 0,
  ctaClicks: ctaClicks ?? 0,
  conversions: conversions ?? 0,
  revenue: revenue ?? 0,
});
