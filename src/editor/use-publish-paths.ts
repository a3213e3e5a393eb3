/** Saves what is typed and makes single fields live, and nothing else of the draft. */
import { overlaps } from '../../server/contract/document-changes.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import type { Draft } from './draft.ts';
import { isUnsaved } from './pending-photos.ts';
import { pendingPhotos } from './use-pending-photos.ts';

const changedElsewhere =
  'This was changed in another tab. Look at it, then press the button again.';

/** Returns a function that resolves with a sentence when it fails. */
export function usePublishPaths({
  draft,
  askSignIn,
  signedIn,
}: {
  draft: Draft;
  askSignIn: () => Promise<boolean>;
  signedIn: <Result>(call: () => Promise<Result>) => Promise<Result>;
}) {
  const { client, settings } = trpc.useUtils();
  return async (paths: readonly string[]): Promise<string | undefined> => {
    const isOwn = ({ path }: { path: string }) => paths.some((one) => overlaps(path, one));
    if (pendingPhotos.state().some((photo) => isOwn(photo) && isUnsaved(photo))) {
      return 'The photo is not saved yet. Wait for it, use its crop, or cancel it.';
    }
    for (let triesLeft = 3; ; triesLeft--) {
      await draft.flush();
      const before = draft.state().save;
      if (before.kind === 'failed' && before.isSignedOut && (await askSignIn())) {
        await draft.flush();
      }
      const { save, changes, mistakes, conflicts } = draft.state();
      if (save.kind === 'failed') return save.sentence;
      if (conflicts.some(isOwn)) return changedElsewhere;
      if (mistakes.some(isOwn)) return 'Not saved yet: look at what is marked above.';
      if (!changes.some(isOwn)) return undefined;
      try {
        await draft.inTurn(() =>
          signedIn(() =>
            client.site.publish.mutate({ revision: draft.state().revision, paths: [...paths] }),
          ),
        );
        await draft.reload({ isOwn: true });
        // It is of the live site, and says which texts are samples.
        await settings.launchCheck.invalidate();
        return undefined;
      } catch (error) {
        if (errorResponseOf(error)?.code !== 'DRAFT_CHANGED') return sentenceOf(error);
        await draft.reload().catch(() => {});
        const { conflicts, unseen } = draft.state();
        // What was changed elsewhere, in other fields, does not concern the owner here.
        if (triesLeft > 0 && ![...conflicts, ...unseen.map((path) => ({ path }))].some(isOwn)) {
          continue;
        }
        draft.see();
        return changedElsewhere;
      }
    }
  };
}

/** The sentences of what was refused, or that there was no response. */
function sentenceOf(error: unknown): string {
  const response = errorResponseOf(error);
  const { issues } = (response?.json ?? {}) as { issues?: { message: string }[] };
  const sentences = issues?.map(({ message }) => message).join(' ');
  return sentences || response?.sentence || 'No connection. What you typed is kept: try again.';
}
