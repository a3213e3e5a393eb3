/** Hours and calls: fields of the editor, each of whose changes is live at once. */
import { Box, Button, Flex, Grid, Text } from '@chakra-ui/react';
import { type RefObject, useMemo, useRef, useState } from 'react';
import type { Outputs } from '../../server/contract/api.ts';
import { isWithin, overlaps } from '../../server/contract/document-changes.ts';
import { timeInWords } from '../../server/contract/times.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { MainButton } from '../admin/main-button.tsx';
import { Note } from '../admin/panel.tsx';
import { trpc } from '../api/trpc.ts';
import { ConflictCard } from '../editor/conflict-card.tsx';
import { type Editor, EditorContext, useEditor } from '../editor/context.ts';
import { type Field, indexFields } from '../editor/fields.ts';
import { Attention } from '../editor/marks.tsx';
import { useDraft } from '../editor/use-draft.ts';
import { useKeptFocus } from '../editor/use-kept-focus.ts';
import { usePublishPaths } from '../editor/use-publish-paths.ts';
import { useSignIn } from '../editor/use-sign-in.tsx';
import { Value } from '../editor/value.tsx';
import { CallPart, callLabels } from './hours-call.tsx';
import { HolidaysPart } from './hours-holidays.tsx';
import { type PartName, RemovalsContext } from './hours-part.tsx';
import { WeekPart } from './hours-week.tsx';
import { type LiveDraft, useLiveDraft } from './use-live-draft.ts';

export function HoursPanel() {
  const draft = trpc.site.draft.useQuery();
  const fields = trpc.site.fields.useQuery();
  if (draft.data && fields.data) return <Panel loaded={draft.data} rows={fields.data.fields} />;
  if (draft.error ?? fields.error) {
    return <OwnerAlert role="alert">Could not load the hours. Reload the page.</OwnerAlert>;
  }
  return <Box h="36rem" mt="6" bg="bg.tint" />;
}

/** The fields that are shown here, or are live with one of them. */
const ownPaths = [
  ...['calls.timeZone', 'calls.hours', 'calls.closed', 'calls.special'],
  ...Object.keys(callLabels),
  ...['calls.strategyCall.step', 'calls.inboxReview.step'],
];

function Panel({ loaded, rows }: { loaded: Outputs['site']['draft']; rows: Field[] }) {
  const fields = useMemo(() => indexFields(rows.map(inWords)), [rows]);
  const { draft, state } = useDraft(loaded, fields);
  const { dialog, askSignIn, signedIn } = useSignIn(() => void draft.flush());
  const publishPaths = usePublishPaths({ draft, askSignIn, signedIn });
  const { site } = trpc.useUtils();
  const { live, state: liveState } = useLiveDraft({
    draft,
    shape: fields.shape,
    async publish(paths) {
      const problem = await publishPaths(paths);
      const isWrong = draft
        .state()
        .mistakes.some((one) => paths.some((path) => overlaps(path, one.path)));
      if (problem !== undefined && isWrong) return 'Look at what is marked below.';
      // The list of Settings says how many hours there are.
      if (problem === undefined) await site.draft.invalidate();
      return problem;
    },
  });
  const [removal, setRemoval] = useState<{ part: PartName; words: string; count: number }>();
  const removed = removal?.count === liveState.count ? removal : undefined;
  const isLocked = loaded.isReadOnly;
  const editor: Editor = {
    // What differs from the live site, or was changed in another tab, is shown above the parts.
    ...{ draft: live.draft, state: { ...state, changes: [], conflicts: [] } },
    ...{ fields, isLocked, signedIn },
    ...{ selected: undefined, select() {}, open() {}, announce() {} },
  };
  const isOwn = ({ path }: { path: string }) => isWithin(path, ownPaths);
  const conflicts = state.conflicts.filter(isOwn);
  const status = useRef<HTMLDivElement>(null);
  useKeptFocus(status);
  const unpublished = state.changes.filter(
    (change) =>
      isOwn(change) &&
      !liveState.pending.some((path) => overlaps(path, change.path)) &&
      !conflicts.some(({ path }) => overlaps(path, change.path)),
  );
  return (
    <EditorContext value={editor}>
      <RemovalsContext
        value={{
          removed,
          remove(next, act) {
            act();
            setRemoval({ ...next, count: live.state().count });
          },
          undo: live.undo,
        }}
      >
        <Status
          ref={status}
          live={live}
          status={liveState.status}
          isAsked={conflicts.length > 0}
          canUndo={liveState.canUndo && !removed}
        />
        {isLocked && (
          <Note>
            Change them in <code>site.config.ts</code>, which <code>SITE_CONTENT</code> pins.
          </Note>
        )}
        {conflicts.map((conflict) => (
          <Box key={conflict.path} mt="3">
            <Text mb="1">{fields.labelBeneath(conflict.path)}</Text>
            <ConflictCard conflict={conflict} />
          </Box>
        ))}
        {!isLocked &&
          unpublished.map((change) => (
            <Unpublished key={change.path} change={change} live={live} />
          ))}
        <Box mt={{ base: '2', md: '4' }}>
          <WeekPart />
        </Box>
        <Grid
          templateColumns={{ base: 'minmax(0, 1fr)', xl: '1fr 1fr' }}
          columnGap="12"
          rowGap="8"
          mt="8"
        >
          <HolidaysPart />
          <CallPart />
        </Grid>
      </RemovalsContext>
      {dialog}
    </EditorContext>
  );
}

const inWords = (row: Field): Field => {
  const label = callLabels[row.path];
  return label === undefined ? row : { ...row, label, help: '' };
};

/** What became of the last change, beside the heading where there is room. */
function Status({
  ref,
  live,
  status,
  isAsked,
  canUndo,
}: {
  ref: RefObject<HTMLDivElement | null>;
  live: LiveDraft;
  status: ReturnType<LiveDraft['state']>['status'];
  /** Whether the owner has to choose between two values first. */
  isAsked: boolean;
  canUndo: boolean;
}) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <Flex
      ref={ref}
      tabIndex={-1}
      outline="none"
      wrap="wrap"
      align="center"
      justify={{ md: 'end' }}
      columnGap="4"
      minH={{ base: '8', md: '11' }}
      mt={{ md: '-11' }}
      textStyle="small"
    >
      <Box role="status" color="fg.muted">
        {wordsOf(status, timeZone)}
      </Box>
      {status.kind === 'failed' && (
        <>
          <Attention>
            <span>Not saved. </span>
            <span>{isAsked ? 'Choose below which one shall stay.' : status.sentence}</span>
          </Attention>
          {!isAsked && (
            <Button type="button" variant="plain" minH="11" onClick={() => void live.run()}>
              Try again
            </Button>
          )}
        </>
      )}
      {canUndo && (
        <Button type="button" variant="plain" minH="11" onClick={live.undo}>
          Undo
        </Button>
      )}
    </Flex>
  );
}

const wordsOf = (
  status: ReturnType<LiveDraft['state']>['status'],
  timeZone: string,
): string | undefined => {
  if (status.kind === 'saving') return 'Saving …';
  if (status.kind !== 'saved') return undefined;
  return `Saved ${timeInWords(status.at, timeZone)}. Visitors see it now.`;
};

/** A change of the editor that is not live: what it would be, what visitors see, and the choice. */
function Unpublished({
  change: { path, from, to },
  live,
}: {
  change: { path: string; from?: unknown; to?: unknown };
  live: LiveDraft;
}) {
  const { fields, state } = useEditor();
  const mistakes = new Set(
    state.mistakes.filter((one) => overlaps(one.path, path)).map(({ message }) => message),
  );
  return (
    <Box
      role="group"
      aria-label="Changed, but not published"
      mt="3"
      ps="4"
      borderInlineStart="6px solid {colors.line.blue}"
    >
      <Text fontWeight="600">
        <span>{`${fields.labelBeneath(path)}, changed, but not published: `}</span>
        <Value value={to} path={path} none="nothing" separator=" · " />
      </Text>
      <Text>
        <span>Visitors see: </span>
        <Value value={from} path={path} none="nothing" separator=" · " />
      </Text>
      {[...mistakes].map((message) => (
        <Attention key={message}>{message}</Attention>
      ))}
      <Flex wrap="wrap" gap="3" mt="2">
        {mistakes.size === 0 && (
          <MainButton type="button" minH="11" onClick={() => live.publish(path)}>
            Publish it
          </MainButton>
        )}
        <Button
          type="button"
          minH="11"
          onClick={() => live.draft.edit(path, from, { isWhole: true })}
        >
          Take it back
        </Button>
      </Flex>
    </Box>
  );
}
