import { trpc } from '../api/trpc.ts';
import { refreshEveryMs } from './refresh-button.tsx';

/** Polls the number of unread messages, on a screen whose own requests do not carry it. */
export const useUnread = (): number | undefined =>
  trpc.contact.unread.useQuery(undefined, { refetchInterval: refreshEveryMs }).data?.unread;
