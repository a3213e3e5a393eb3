/** Connects the draft to the server, and to the life of the screen. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Outputs } from '../../server/contract/api.ts';
import { isSignedOut } from '../admin/session.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { createDraft, type Draft, type DraftServer } from './draft.ts';
import type { Fields } from './fields.ts';

const noConnection = 'No connection. Your words are kept in this browser.';

const isHidden = () => document.visibilityState === 'hidden';

/** What the server says of single patches that it does not accept. */
function refusalsIn(error: unknown): { index: number; message: string }[] {
  const { issues } = (errorResponseOf(error)?.json ?? {}) as {
    issues?: { path: string; message: string }[];
  };
  return (issues ?? []).flatMap(({ path, message }) => {
    const [, index] = /^patches\.(\d+)/.exec(path) ?? [];
    return index === undefined ? [] : [{ index: Number(index), message }];
  });
}

/** What to say about a save that failed, and when to try again. */
function problemOf(error: unknown): ReturnType<DraftServer['problemOf']> {
  const response = errorResponseOf(error);
  if (!response) return { sentence: noConnection, retryMs: 5000 };
  if (isSignedOut(error)) {
    return {
      sentence: 'You are signed out. Your words are kept in this browser.',
      isSignedOut: true,
    };
  }
  if (response.status >= 500 || response.status === 429) {
    return { sentence: 'The server could not save it.', retryMs: 10_000 };
  }
  return { sentence: response.sentence ?? 'The server rejected this change.' };
}

/** By the query client, of which a tab has one: a screen that opens again goes on with what is being saved. */
const drafts = new WeakMap<QueryClient, Draft>();

/** It asks for no sign-in: the owner may be typing, and the next keys would go into the password. */
export function useDraft(loaded: Outputs['site']['draft'], fields: Fields) {
  const { client } = trpc.useUtils();
  const tab = useQueryClient();
  const [kept] = useState(() => drafts.get(tab));
  const [draft] = useState(
    () =>
      kept ??
      createDraft(loaded, {
        shape: fields.shape,
        server: {
          load: () => client.site.draft.query(),
          save: (patches, isLast) =>
            client.site.save.mutate({ patches }, { context: { keepalive: isLast && isHidden() } }),
          refusalsIn,
          problemOf,
        },
      }),
  );
  const state = useSyncExternalStore(draft.subscribe, draft.state);
  useEffect(() => {
    drafts.set(tab, draft);
    void draft.start();
    // Another tab or device may have changed the draft.
    const onReturn = () => {
      if (isHidden()) void draft.flush(true);
      else void draft.reload().catch(() => {});
    };
    if (kept) onReturn();
    const onOnline = () => void draft.flush();
    document.addEventListener('visibilitychange', onReturn);
    addEventListener('online', onOnline);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      removeEventListener('online', onOnline);
      draft.stop();
    };
  }, [tab, draft, kept]);
  // What could not be sent is kept, but only in this browser.
  const isFailing = state.save.kind === 'failed';
  useEffect(() => {
    if (!isFailing) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isFailing]);
  return { draft, state };
}
