import type { Outputs } from '../../server/contract/api.ts';
import { trpc } from '../api/trpc.ts';
import { refreshEveryMs } from './refresh-button.tsx';

/** What the header of every screen shows. */
export type Status = Outputs['settings']['status'];

/** Polls it, on a screen whose own requests do not carry it. */
export const useStatus = (): Status | undefined =>
  trpc.settings.status.useQuery(undefined, { refetchInterval: refreshEveryMs }).data;
