import { useState } from 'react';
import type { Outputs } from '../../server/contract/api.ts';
import { valueAt } from '../../server/contract/document-changes.ts';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { messageOf } from './message-of.ts';

type Draft = Outputs['site']['draft'];

const maxRounds = 5;

/** A text of the live site, by its path in the document, which is published alone: the rest of the draft stays one. */
export function useLiveField(path: string) {
  const { client } = trpc.useUtils();
  const { data: draft, isError, refetch } = trpc.site.draft.useQuery();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  /** What was live before the last publish. */
  const [before, setBefore] = useState<string>();
  useLeaveWhenSignedOut(failure);

  const save = (from: unknown, to: unknown) =>
    client.site.save.mutate({ patches: [{ path, from, to }] });

  /** Each round but the first follows a change of the draft by another tab. Resolves with what was live before. */
  const publishAlone = async (to: string): Promise<string> => {
    for (let round = 0; round < maxRounds; round++) {
      const current = await client.site.draft.query();
      const from = valueAt(current.document, path);
      const { revision, conflicts } = await save(from, to);
      if (conflicts.length > 0) continue;
      try {
        await client.site.publish.mutate({ revision, paths: [path] });
        return String(liveValue(current, path) ?? '');
      } catch (error) {
        const response = errorResponseOf(error);
        // Without a response it may be live. What was refused must not wait in the draft for the next publish.
        if (response) await save(to, from);
        if (response?.code !== 'DRAFT_CHANGED') throw error;
      }
    }
    throw new Error('The draft has changed in each round.');
  };

  /** Resolves with whether it is live. */
  const publish = async (to: string): Promise<boolean> => {
    if (isBusy) return false;
    setIsBusy(true);
    setFailure(undefined);
    setBefore(undefined);
    try {
      setBefore(await publishAlone(to));
      await refetch();
      return true;
    } catch (error) {
      setFailure(error);
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return {
    /** What visitors have; undefined until it is loaded. */
    live: draft && String(liveValue(draft, path) ?? ''),
    isMissing: isError && draft === undefined,
    /** Whether `site.config.ts` pins it. */
    isReadOnly: draft?.isReadOnly ?? false,
    isBusy,
    error: failure === undefined ? '' : messageOf(failure, 'Could not publish it. Try again.'),
    before,
    publish,
  };
}

/** The value at a path of the live document, which differs from the draft by its changes. */
function liveValue({ document, changes }: Draft, path: string): unknown {
  const change = changes.find((one) => path === one.path || path.startsWith(`${one.path}.`));
  if (!change) return valueAt(document, path);
  return path === change.path
    ? change.from
    : valueAt(change.from, path.slice(change.path.length + 1));
}
