import { useQuery } from '@tanstack/react-query';
import type { Filter, Period } from '../admin/report.ts';

/** Computes the sample data of a period and a filter while `isEnabled`. */
export const useSample = (
  period: Period,
  { filter, isEnabled }: { filter: Filter; isEnabled: boolean },
) =>
  useQuery({
    queryKey: ['sample', period, filter],
    queryFn: async () => (await import('./sample.ts')).sampleOf(period, Date.now(), filter),
    enabled: isEnabled,
  });
