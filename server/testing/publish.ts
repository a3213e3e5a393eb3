/** For tests: what a publish of valid texts by a command takes beside its revision. */
import type { OwnerAct } from '../database/owner-log.ts';

export const validPublish = {
  mistakesIn: () => [],
  prepare: async () => {},
  isConfirmed: false,
  actOn: (detail: string): OwnerAct => ({ at: 0, act: 'site_published', browser: null, detail }),
};
