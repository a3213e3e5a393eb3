/** What makes the draft live, or another one. Each act resolves with a sentence when it fails. */
import { useEffect, useState } from 'react';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import type { Draft, DraftState } from './draft.ts';

/** What was published last, from this screen. */
export interface PublishedNow {
  /** Milliseconds since 1970, UTC. */
  at: number;
  changes: number;
  /** The version that is live since, and the one before; undefined when it is not known. */
  version: number | undefined;
  previous: number | undefined;
}

const changedElsewhere =
  'The draft was changed in another tab. Look at the changes above, then publish again.';

/** A change of this tab that was saved before the publish arrived. */
const changedHere =
  'The last change is not published yet. Look at the changes above, then publish again.';

export function usePublishing({
  draft,
  state,
  signedIn,
}: {
  draft: Draft;
  state: DraftState;
  signedIn: <Result>(call: () => Promise<Result>) => Promise<Result>;
}) {
  const { client } = trpc.useUtils();
  const [published, setPublished] = useState<PublishedNow>();
  // From the next change on, what was published is history.
  const isChanged = state.changes.length > 0;
  useEffect(() => {
    if (isChanged) setPublished(undefined);
  }, [isChanged]);

  /** Changes the draft or the live site at the server, once everything typed is saved. */
  const run = async (act: () => Promise<unknown>): Promise<string | undefined> => {
    await draft.flush();
    try {
      await signedIn(act);
      await draft.reload({ isOwn: true });
      return undefined;
    } catch (error) {
      if (errorResponseOf(error)?.code !== 'DRAFT_CHANGED') return sentenceOf(error);
      await draft.reload();
      const { conflicts, unseen } = draft.state();
      return conflicts.length + unseen.length > 0 ? changedElsewhere : changedHere;
    }
  };
  /** The history's version of what the site showed before its first publish. */
  const fileVersion = async () => {
    const { versions } = await client.site.versions.query();
    return versions.find((one) => one.state === 'file')?.version;
  };

  return {
    published,
    async publish(note: string): Promise<string | undefined> {
      await draft.flush();
      const { save, conflicts, unseen, revision, changes, version } = draft.state();
      if (save.kind === 'failed') return 'The last changes are not saved yet.';
      if (conflicts.length + unseen.length > 0) {
        // The panel shows them: they are published when the owner presses once more.
        draft.see();
        return changedElsewhere;
      }
      let at = 0;
      const problem = await run(async () => {
        const input = { revision, ...(note && { note }) };
        at = Date.parse((await client.site.publish.mutate(input)).publishedAt);
      });
      if (problem !== undefined) return problem;
      const previous = version?.version ?? (await fileVersion().catch(() => undefined));
      setPublished({
        at,
        changes: changes.length,
        previous,
        version: draft.state().version?.version,
      });
      return undefined;
    },
    /** Makes the version before the last publish live again. */
    async undo(): Promise<string | undefined> {
      const version = published?.previous;
      await draft.reload({ isOwn: true }).catch(() => {});
      // Another device may have published since.
      const isLast = draft.state().version?.version === published?.version;
      if (version === undefined || !isLast) {
        setPublished(undefined);
        return 'Something else was published since. Choose the version to bring back under History.';
      }
      const problem = await run(() => client.site.restore.mutate({ version, publish: true }));
      if (problem === undefined) setPublished(undefined);
      return problem;
    },
    restore: (version: number) => run(() => client.site.restore.mutate({ version })),
    discard: () => run(() => client.site.discard.mutate()),
  };
}

/** The sentences of what was refused, or that there was no response. */
function sentenceOf(error: unknown): string {
  const response = errorResponseOf(error);
  const { issues } = (response?.json ?? {}) as { issues?: { message: string }[] };
  const sentences = issues?.map(({ message }) => message).join(' ');
  return sentences || response?.sentence || 'No connection. Please try again.';
}
