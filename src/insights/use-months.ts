import type { Outputs } from '../../server/contract/api.ts';
import type { Filter } from '../admin/report.ts';
import { trpc } from '../api/trpc.ts';

export type Months = Outputs['analytics']['months'];

const refetchEveryMs = 5 * 60_000;

/** Loads the last 24 months of a filter while enabled, every few minutes. Fails silently: keeps the last ones. */
export const useMonths = ({
  filter,
  isEnabled,
}: {
  filter: Filter;
  isEnabled: boolean;
}): Months | undefined =>
  trpc.analytics.months.useQuery(filter, {
    enabled: isEnabled,
    refetchInterval: refetchEveryMs,
    // Another period does not change them.
    staleTime: refetchEveryMs,
    // A server of another version may not know them.
    select: (response: Months | null) => (response?.months ? response : undefined),
  }).data;
