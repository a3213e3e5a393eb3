import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Inputs } from '../../server/contract/api.ts';
import { routes } from '../../server/contract/routes.ts';
import { refreshEveryMs } from '../admin/refresh-button.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { useLast } from '../admin/use-last.ts';
import { trpc } from '../api/trpc.ts';
import type { Folder, Message } from './message.ts';

type Change = Omit<Inputs['contact']['sort'], 'ids'>;

/**
 * Polls the messages of a folder that match a search every 30 seconds. An opened message keeps its
 * place in the unread list until the folder or the search changes.
 */
export function useMessages({ folder, search }: { folder: Folder; search: string }) {
  const { client } = trpc.useUtils();
  const query = useInfiniteQuery({
    queryKey: [routes['contact.messages'].path, folder, search],
    queryFn: async ({ pageParam, signal }) => {
      const response = await client.contact.messages.query(
        { folder, search: search || undefined, after: pageParam },
        { signal },
      );
      return { ...response, receivedAt: Date.now() };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: refreshEveryMs,
  });
  const [error, setError] = useState<unknown>();
  useLeaveWhenSignedOut(query.error);
  useLeaveWhenSignedOut(error);
  /** Messages opened in this list, with the state they had. */
  const [held, setHeld] = useState<Message[]>([]);
  const list = `${folder} ${search}`;
  // Not by a key on the screen, which would take the focus from the search field.
  const [heldIn, setHeldIn] = useState(list);
  if (heldIn !== list) {
    setHeldIn(list);
    setHeld([]);
  }

  const pages = query.data?.pages ?? [];
  const first = pages[0];
  const last = pages.at(-1);
  const counts = useLast(last?.counts);
  const nextPage = useRef<Promise<unknown>>(undefined);

  /** Sends a change and refetches; resolves to whether the change succeeded. */
  const change = async (send: () => Promise<unknown>): Promise<boolean> => {
    try {
      await send();
    } catch (cause) {
      setError(cause);
      return false;
    }
    // A refetch would cancel a page that is loading.
    await nextPage.current;
    await query.refetch();
    return true;
  };
  // Other messages can be opened while a request is in flight, so this reads the state when it runs.
  const release = (message: Message) =>
    setHeld((before) => before.filter(({ id }) => id !== message.id));

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
    /** Fetches the next page; resolves to true after the last page. */
    async more(): Promise<boolean> {
      const page = query.fetchNextPage();
      nextPage.current = page;
      const { isSuccess, hasNextPage } = await page;
      return isSuccess && !hasNextPage;
    },
    /** Moves a message or marks it as unread; resolves to whether it succeeded. */
    async sort(message: Message, to: Change): Promise<boolean> {
      const isDone = await change(() => client.contact.sort.mutate({ ids: [message.id], ...to }));
      // Not before the refetch: until then the message would move to the read list.
      if (isDone) release(message);
      return isDone;
    },
    /** Deletes the spam that was stored before the first page was read; resolves to whether it succeeded. */
    emptySpam: async () =>
      first !== undefined &&
      change(async () => {
        await client.contact.emptySpam.mutate({ until: first.asOf });
        setHeld([]);
      }),
    /** Marks an opened message as read and keeps its place; resolves to whether it succeeded. */
    async open(message: Message): Promise<boolean> {
      if (message.isRead) return true;
      setHeld((before) => [...before, { ...message, isRead: true }]);
      const isDone = await change(() =>
        client.contact.sort.mutate({ ids: [message.id], isRead: true }),
      );
      if (!isDone) release(message);
      return isDone;
    },
  };
}

/** Splits messages into unread (or unread when opened) and read; newest first, without duplicates. */
function inOrder(found: Message[], held: Message[]) {
  const heldIds = new Set(held.map(({ id }) => id));
  const byId = new Map(found.map((message) => [message.id, message]));
  for (const message of held)
    byId.set(message.id, { ...message, ...byId.get(message.id), isRead: true });
  const all = [...byId.values()].sort(
    (a, b) => Date.parse(b.receivedAt) - Date.parse(a.receivedAt) || (a.id < b.id ? 1 : -1),
  );
  const belongsToUnread = ({ id, isRead }: Message) => !isRead || heldIds.has(id);
  return {
    unread: all.filter(belongsToUnread),
    read: all.filter((message) => !belongsToUnread(message)),
  };
}
