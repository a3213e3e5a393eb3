import { refreshEveryMs } from '../admin/refresh-button.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { trpc } from '../api/trpc.ts';
import type { Facts } from './states.ts';

/** A connection that fails, and what a panel has changed, shows in the list without a reload. */
const polled = { refetchInterval: refreshEveryMs };

/** What the states of Settings follow from; `isLoading` until each part has arrived or failed. */
export function useFacts(): { facts: Facts; isLoading: boolean } {
  const draft = trpc.site.draft.useQuery(undefined, polled);
  const checks = trpc.settings.launchCheck.useQuery(undefined, polled);
  // Panels ask for it: it sends requests to other servers.
  const network = trpc.settings.networkCheck.useQuery(undefined, { enabled: false });
  const connections = trpc.connections.list.useQuery(undefined, polled);
  const sessions = trpc.auth.sessions.useQuery(undefined, polled);
  const keys = trpc.keys.list.useQuery(undefined, polled);
  const backups = trpc.settings.backups.useQuery(undefined, polled);
  const log = trpc.auth.log.useQuery(undefined, polled);
  const all = [draft, checks, connections, sessions, keys, backups, log];
  useLeaveWhenSignedOut(...all.map(({ error }) => error));
  const local = current(checks);
  return {
    isLoading: all.some((query) => query.isLoading),
    facts: {
      draft: current(draft),
      checks: local && [...local.checks, ...(network.data?.checks ?? [])],
      connections: current(connections)?.connections,
      sessions: current(sessions),
      keys: current(keys)?.keys,
      backups: current(backups),
      log: current(log)?.entries,
      now: Date.now(),
    },
  };
}

/** What has arrived; undefined once it could not be fetched again: what is older may not be true any more. */
const current = <Data>({ data, isError }: { data: Data; isError: boolean }): Data | undefined =>
  isError ? undefined : data;
