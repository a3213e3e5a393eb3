/** The state of the draft in the bar: what is not saved, or keeps it from being published, and the way to it. */
import { Button, Flex, Link, Strong, Text } from '@chakra-ui/react';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { pluralize } from '../../server/contract/numbers.ts';
import { useEditor } from './context.ts';
import type { SaveState } from './draft.ts';
import { DoneIcon, WarningIcon } from './marks.tsx';
import { isUnsaved } from './pending-photos.ts';
import { nameOf, type Section } from './sections.ts';
import { pendingPhotos, usePendingPhotos } from './use-pending-photos.ts';
import type { PublishedNow } from './use-publishing.ts';

export function StateInWords({
  sections,
  published,
  onUndoPublish,
  onRetry,
  liveRef,
}: {
  sections: readonly Section[];
  published: PublishedNow | undefined;
  onUndoPublish: () => Promise<void>;
  /** Saves what could not be saved, after a sign-in where that is needed. */
  onRetry: () => Promise<void>;
  /** What says that the site is live, before *Undo*. */
  liveRef: Ref<HTMLElement>;
}) {
  const { draft, state, fields, open, signedIn } = useEditor();
  const photos = usePendingPhotos();
  const { save, changes, mistakes, conflicts, unseen, version } = state;
  const count = changes.length > 0 && <Strong>{pluralize(changes.length, 'change')}</Strong>;
  if (save.kind === 'failed') {
    return (
      <>
        <Problem>Not saved</Problem>
        <span>
          {save.sentence} <RetryTime at={save.nextTryAt} />
        </span>
        <Plain onClick={() => void onRetry()}>{save.isSignedOut ? 'Sign in' : 'Try now'}</Plain>
      </>
    );
  }
  // A file that cannot be read is no loss: its field says so, where it is open.
  const failed = photos.find((one) => one.phase === 'failed' && (one.wasLeft || isUnsaved(one)));
  if (failed) {
    return (
      <>
        <Problem>Photo not saved</Problem>
        <span>{nameOf(failed.path, { sections, fields })}</span>
        {/* Phones have no room; its field says it, too. */}
        <Text as="span" hideBelow="lg">
          {failed.problem}
        </Text>
        <Plain
          onClick={() => {
            open(failed.path);
            if (failed.picture) void pendingPhotos.takeCrop(failed.path, signedIn);
          }}
        >
          {failed.picture ? 'Try again' : 'Show it'}
        </Plain>
      </>
    );
  }
  const [conflict] = conflicts;
  if (conflict) {
    return (
      <>
        <Problem>{`${pluralize(conflicts.length, 'text')} changed in another tab`}</Problem>
        <Plain onClick={() => open(conflict.path)}>Show it</Plain>
      </>
    );
  }
  const [mistake] = mistakes;
  if (mistake) {
    return (
      <>
        <Problem>{pluralize(mistakes.length, 'mistake')}</Problem>
        <Plain onClick={() => open(mistake.path)}>Show it</Plain>
        <Text as="span" color="fg.muted">
          <span>{`${pluralize(changes.length, 'change')}, `}</span>
          <SaveInWords save={save} />
        </Text>
      </>
    );
  }
  const saved = (
    <>
      {count}
      <Text as="span" color="fg.muted">
        <SaveInWords save={save} />
      </Text>
    </>
  );
  if (photos.some(({ phase }) => phase === 'uploading')) return saved;
  const crop = photos.find(isUnsaved);
  if (crop) {
    return (
      <>
        {count}
        <span>{`${nameOf(crop.path, { sections, fields })}: the new crop is not used yet.`}</span>
        <Plain onClick={() => open(crop.path)}>Show it</Plain>
      </>
    );
  }
  const [other] = unseen;
  if (other !== undefined) {
    return (
      <>
        {count}
        <span>{`${unseen.length} from another tab. Look at it before you publish.`}</span>
        <Plain
          onClick={() => {
            draft.see();
            open(other);
          }}
        >
          Show it
        </Plain>
      </>
    );
  }
  if (published && changes.length === 0) {
    return (
      <>
        <DoneIcon />
        <Strong ref={liveRef} tabIndex={-1}>{`Live since ${timeOf(published.at)}`}</Strong>
        <UndoPublish onClick={onUndoPublish} />
        <Link href="/" hideFrom="sm" variant="underline" fontWeight="600">
          View it
        </Link>
        <Text as="span" color="fg.muted" hideBelow="sm">
          {`${pluralize(published.changes, 'change')} ${published.changes === 1 ? 'is' : 'are'} on your site.`}
        </Text>
      </>
    );
  }
  if (!count) {
    return (
      <Text as="span" color="fg.muted">
        {version
          ? `Nothing changed. Live since ${dayOf(Date.parse(version.publishedAt))}.`
          : 'Nothing changed yet.'}
      </Text>
    );
  }
  return saved;
}

function UndoPublish({ onClick }: { onClick: () => Promise<void> }) {
  const [isBusy, setIsBusy] = useState(false);
  const run = async () => {
    setIsBusy(true);
    await onClick();
    setIsBusy(false);
  };
  return (
    <Plain aria-busy={isBusy} onClick={() => void (isBusy || run())}>
      {isBusy ? 'Undoing …' : 'Undo'}
    </Plain>
  );
}

function SaveInWords({ save }: { save: SaveState }) {
  const uploading = usePendingPhotos().filter(({ phase }) => phase === 'uploading').length;
  if (uploading > 0) return <span>{`Uploading ${pluralize(uploading, 'photo')} …`}</span>;
  if (save.kind !== 'saved') return <span>saving …</span>;
  return <span>{save.at === undefined ? 'saved' : `saved ${timeOf(save.at)}`}</span>;
}

/** The seconds until the next try. */
function RetryTime({ at }: { at: number | undefined }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (at === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [at]);
  if (at === undefined) return null;
  const seconds = Math.max(1, Math.ceil((at - now) / 1000));
  return <span aria-hidden>{`Next try in ${pluralize(seconds, 'second')}.`}</span>;
}

// What goes well is not announced: it changes at each pause.
const Problem = ({ children }: { children: ReactNode }) => (
  <Flex as="strong" role="status" align="center" gap="2" color="line.red">
    <WarningIcon />
    <span>{children}</span>
  </Flex>
);

const Plain = (props: React.ComponentProps<typeof Button>) => (
  <Button type="button" variant="plain" minH="8" fontSize="0.9375rem" {...props} />
);

const timeOf = (at: number) =>
  new Date(at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });

const dayOf = (at: number) =>
  new Date(at).toLocaleDateString('en-US', { month: 'short', day: 'numeric' });
