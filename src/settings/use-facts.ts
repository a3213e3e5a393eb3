import { refreshEveryMs } from '../admin/refresh-button.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { trpc } from '../api/trpc.ts';
import type { Facts } from './states.ts';

/** A connection that fails, and what a panel has changed, shows in the list without a reload. */
const polled = { refetchInterval: refreshEveryMs };

/** What the states of Settings follow from; `isLoading` until each part has arrived or failed. */
export function useFacts(): { facts: Facts; isLoading: boolean } {
  const draft = trpc.site.draft.useQuery();
  const checks = trpc.settings.launchCheck.useQuery(undefined, polled);
  // Panels ask for it: it sends requests to other servers.
  const network = trpc.settings.networkCheck.useQuery(undefined, { enabled: false });
  const connections = trpc.connections.list.useQuery(undefined, polled);
  const sessions = trpc.auth.sessions.useQuery(undefined, polled);
  const keys = trpc.keys.list.useQuery(undefined, polled);
  const backups = trpc.settings.backups.useQuery(undefined, polled);
  const log = trpc.auth.log.useQuery(undefined, polled);
  const all = [draft, checks, connections, sessions, keys, backups, log];
  useLeaveWhenSignedOut(all.find(({ error }) => error)?.error);
  return {
    isLoading: all.some((query) => query.isLoading),
    facts: {
      draft: draft.data,
      checks: checks.data && [...checks.data.checks, ...(network.data?.checks ?? [])],
      connections: connections.data?.connections,
      sessions: sessions.data,
      keys: keys.data?.keys,
      backups: backups.data,
      log: log.data?.entries,
      now: Date.now(),
    },
  };
}
