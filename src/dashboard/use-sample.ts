import { useQuery } from '@tanstack/react-query';
import type { Period } from '../admin/report.ts';

/** Computes the sample data of a period while `isOn`. */
export const useSample = (period: Period, isOn: boolean) =>
  useQuery({
    queryKey: ['sample', period],
    queryFn: async () => (await import('./sample.ts')).sampleOf(period, Date.now()),
    enabled: isOn,
  });
