import type { Outputs } from '../../server/contract/api.ts';
import { type Figures, figuresOf } from '../dashboard/dashboard-data.ts';

type Wire = Outputs['analytics']['breakdown'];

export type Day = Wire['days'][number];
export type Source = Wire['sources'][number];
export type ExcludedCounts = Wire['uncounted'];

/** The answer as the wire may bring it: any part can be missing. */
export interface InsightsResponse {
  days?: Partial<Day>[] | null;
  sources?: Partial<Source>[] | null;
  previous?: Partial<Figures> | null;
  uncounted?: ExcludedCounts | null;
}

/** The parts of an answer, every figure 0 where it has none. */
export interface Insights {
  days: Day[];
  sources: Source[];
  /** Of the same length of time before; null when not all of that was counted, absent when unsaid. */
  previous?: Figures | null;
  uncounted: ExcludedCounts;
}

export function insightsOf(answer: InsightsResponse | null | undefined): Insights {
  const { days, sources, previous, uncounted } = answer ?? {};
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
