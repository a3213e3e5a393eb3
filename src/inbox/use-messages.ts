import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Inputs } from '../../server/contract/api.ts';
import { routes } from '../../server/contract/routes.ts';
import { trpc } from '../api/trpc.ts';
import { useRedirectWhenSignedOut } from '../dashboard/use-dashboard.ts';
import type { Folder, Message } from './message.ts';

const refreshEvery = 30_000;

type Change = Omit<Inputs['contact']['sort'], 'ids'>;

/**
 * The messages of a folder that hold some words, asked for again every thirty seconds. What was opened
 * stays in its place, though it is read now, until another folder or other words are asked for.
 */
export function useMessages({ folder, search }: { folder: Folder; search: string }) {
  const { client } = trpc.useUtils();
  const query = useInfiniteQuery({
    queryKey: [routes['contact.messages'].path, folder, search],
    queryFn: async ({ pageParam, signal }) => {
      const answer = await client.contact.messages.query(
        { folder, search: search || undefined, after: pageParam },
        { signal },
      );
      return { ...answer, receivedAt: Date.now() };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: refreshEvery,
    gcTime: 0,
  });
  const [error, setError] = useState<unknown>();
  useRedirectWhenSignedOut(query.error ?? error);
  const [opened, setOpened] = useState<{ of: string; messages: Message[] }>(none);
  const list = `${folder} ${search}`;
  const held = opened.of === list ? opened.messages : [];

  const pages = query.data?.pages ?? [];
  const first = pages[0];
  const last = pages.at(-1);
  // Those of the folder before stand until the next one has been told.
  const [counts, setCounts] = useState(last?.counts);
  if (last && last.counts !== counts) setCounts(last.counts);

  const sort = async (message: Message, change: Change): Promise<boolean> => {
    try {
      await client.contact.sort.mutate({ ids: [message.id], ...change });
    } catch (cause) {
      setError(cause);
      return false;
    }
    setError(undefined);
    setOpened({ of: list, messages: held.filter(({ id }) => id !== message.id) });
    await query.refetch();
    return true;
  };

  return {
    ...inOrder(
      pages.flatMap(({ messages }): Message[] => messages),
      held,
    ),
    counts,
    isMailed: last?.isMailed ?? true,
    receivedAt: first?.receivedAt,
    hasMore: query.hasNextPage,
    isFetching: query.isFetching,
    isLoading: query.data === undefined && !query.isError,
    hasFailed: query.isError,
    refresh: () => query.refetch({ cancelRefetch: false }),
    /** Fetches the next page; says whether that was the last. */
    async more(): Promise<boolean> {
      const { isSuccess, hasNextPage } = await query.fetchNextPage();
      return isSuccess && !hasNextPage;
    },
    /** Puts a message elsewhere or marks it; says whether that was done. */
    sort,
    /** Deletes the spam that was stored before the first page was read; returns whether that succeeded. */
    async emptySpam(): Promise<boolean> {
      if (first === undefined) return false;
      try {
        await client.contact.emptySpam.mutate({ until: first.asOf });
        setError(undefined);
        setOpened(none);
        await query.refetch();
        return true;
      } catch (cause) {
        setError(cause);
        return false;
      }
    },
    /** It is being read: marked so, and left where it is. */
    async open(message: Message) {
      if (message.isRead) return;
      setOpened({ of: list, messages: [...held, { ...message, isRead: true }] });
      try {
        await client.contact.sort.mutate({ ids: [message.id], isRead: true });
        await query.refetch();
      } catch (cause) {
        setError(cause);
      }
    },
  };
}

const none = { of: '', messages: [] as Message[] };

/** What is unread, or was when it was opened, and what was read before: each the newest first, each once. */
function inOrder(found: Message[], held: Message[]) {
  const names = new Set(held.map(({ id }) => id));
  const byId = new Map(found.map((message) => [message.id, message]));
  for (const message of held)
    byId.set(message.id, { ...message, ...byId.get(message.id), isRead: true });
  const all = [...byId.values()].sort(
    (a, b) => Date.parse(b.receivedAt) - Date.parse(a.receivedAt) || (a.id < b.id ? 1 : -1),
  );
  const isNew = ({ id, isRead }: Message) => !isRead || names.has(id);
  return { fresh: all.filter(isNew), read: all.filter((message) => !isNew(message)) };
}
