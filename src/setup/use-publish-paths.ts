/** Saves what is typed and makes the fields of one step live, and nothing else of the draft. */
import { isWithin } from '../../server/contract/document-changes.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import type { Draft } from '../editor/draft.ts';
import { isUnsaved } from '../editor/pending-photos.ts';
import { pendingPhotos } from '../editor/use-pending-photos.ts';

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
    if (pendingPhotos.state().some(isUnsaved)) {
      return 'The photo is not saved yet. Wait for it, use its crop, or cancel it.';
    }
    await draft.flush();
    const before = draft.state().save;
    if (before.kind === 'failed' && before.isSignedOut && (await askSignIn())) await draft.flush();
    const { save, changes, mistakes, conflicts } = draft.state();
    const isOwn = ({ path }: { path: string }) => isWithin(path, paths);
    if (save.kind === 'failed') return save.sentence;
    if (conflicts.some(isOwn)) return changedElsewhere;
    if (mistakes.some(isOwn)) return 'Not saved yet: look at what is marked above.';
    if (!changes.some(isOwn)) return undefined;
    try {
      await signedIn(() =>
        client.site.publish.mutate({ revision: draft.state().revision, paths: [...paths] }),
      );
      await draft.reload({ isOwn: true });
      // It is of the live site, and says which texts are samples.
      await settings.launchCheck.invalidate();
      return undefined;
    } catch (error) {
      const response = errorResponseOf(error);
      if (response?.code !== 'DRAFT_CHANGED') {
        const { issues } = (response?.json ?? {}) as { issues?: { message: string }[] };
        const sentences = issues?.map(({ message }) => message).join(' ');
        return (
          sentences || response?.sentence || 'No connection. What you typed is kept: try again.'
        );
      }
      await draft.reload().catch(() => {});
      return changedElsewhere;
    }
  };
}
