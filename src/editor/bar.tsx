/** The bar above the form and the preview: what is saved, how the page is shown, and Publish. */
import { Button, Flex, Heading, Link, Strong, Text } from '@chakra-ui/react';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { pluralize } from '../../server/contract/numbers.ts';
import { MainButton } from '../admin/main-button.tsx';
import { OutIcon } from '../ui/icons.tsx';
import { useEditor } from './context.ts';
import type { SaveState } from './draft.ts';
import { IconButton } from './icon-button.tsx';
import { clockIcon, redoIcon, undoIcon } from './icons.tsx';
import { DoneIcon, WarningIcon } from './marks.tsx';
import { isUnsaved } from './pending-photos.ts';
import { nameOf, type Section } from './sections.ts';
import { pendingPhotos, usePendingPhotos } from './use-pending-photos.ts';
import type { PublishedNow } from './use-publishing.ts';

export function Bar({
  sections,
  published,
  onUndoPublish,
  onStep,
  onRetry,
  onPublish,
  onHistory,
  liveRef,
  headingRef,
  children,
}: {
  sections: readonly Section[];
  published: PublishedNow | undefined;
  onUndoPublish: () => Promise<void>;
  /** Takes back the last change, or makes it again. */
  onStep: (to: 'undo' | 'redo') => void;
  /** Saves what could not be saved, after a sign-in where that is needed. */
  onRetry: () => Promise<void>;
  onPublish: () => void;
  onHistory: () => void;
  /** What says that the site is live, before *Undo*. */
  liveRef: Ref<HTMLElement>;
  headingRef: Ref<HTMLHeadingElement>;
  /** The controls of the preview. */
  children: ReactNode;
}) {
  const { state, isLocked } = useEditor();
  const { changes } = state;
  const photos = usePendingPhotos();
  const isReady =
    changes.length > 0 &&
    state.mistakes.length === 0 &&
    state.conflicts.length === 0 &&
    state.unseen.length === 0 &&
    !photos.some(isUnsaved) &&
    state.save.kind === 'saved';
  return (
    <Flex
      wrap={{ base: 'wrap', lg: 'nowrap' }}
      align="center"
      columnGap="3"
      rowGap="2"
      px="6"
      py="2"
      minH="60px"
      borderBottom="1px solid"
      borderColor="hairline"
      // Phones scroll the page below it.
      position="sticky"
      top="0"
      zIndex="1"
      bg="bg"
    >
      <Flex
        flex="1 1 6rem"
        direction={{ base: 'column', sm: 'row' }}
        align={{ sm: 'center' }}
        wrap={{ sm: 'wrap' }}
        columnGap="3"
        minW="0"
      >
        <Heading
          ref={headingRef}
          as="h1"
          tabIndex={-1}
          outline="none"
          textStyle="h4"
          fontSize={{ base: '1.75rem', lg: '1.375rem' }}
        >
          Site
        </Heading>
        <Flex
          align="center"
          wrap="wrap"
          columnGap="2"
          textStyle="small"
          minW="0"
          role="group"
          aria-label="State of the draft"
        >
          <StateInWords {...{ sections, published, onUndoPublish, onRetry, liveRef }} />
        </Flex>
      </Flex>
      {!isLocked && (
        <>
          <Flex gap="2" align="center" hideBelow="lg">
            {children}
          </Flex>
          <Flex gap="2" align="center">
            <IconButton
              label="Undo"
              borderWidth="2px"
              disabled={!state.canUndo}
              onClick={() => onStep('undo')}
            >
              {undoIcon}
            </IconButton>
            <IconButton
              label="Redo"
              borderWidth="2px"
              hideBelow="sm"
              disabled={!state.canRedo}
              onClick={() => onStep('redo')}
            >
              {redoIcon}
            </IconButton>
            {published && changes.length === 0 && (
              <Button asChild minH="11" px="4" fontSize="1rem" hideBelow="sm">
                <a href="/" target="_blank" rel="noreferrer">
                  View your site <OutIcon />
                </a>
              </Button>
            )}
            <Button
              type="button"
              aria-label="History"
              minH="11"
              px={{ base: '2.5', lg: '4' }}
              fontSize="1rem"
              onClick={onHistory}
            >
              {clockIcon}
              <Text as="span" hideBelow="lg">
                History
              </Text>
            </Button>
            <MainButton
              type="button"
              minH="11"
              px="4"
              fontSize="1rem"
              disabled={!isReady}
              onClick={onPublish}
            >
              <span>{changes.length > 0 ? `Publish ${changes.length}` : 'Publish'}</span>
              {changes.length > 0 && (
                <Text as="span" hideBelow="lg" ms="-1">
                  {changes.length === 1 ? 'change' : 'changes'}
                </Text>
              )}
            </MainButton>
          </Flex>
        </>
      )}
    </Flex>
  );
}

function StateInWords({
  sections,
  published,
  onUndoPublish,
  onRetry,
  liveRef,
}: Pick<
  Parameters<typeof Bar>[0],
  'sections' | 'published' | 'onUndoPublish' | 'onRetry' | 'liveRef'
>) {
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
