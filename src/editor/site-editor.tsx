/** The editor with its parts: sections, preview and form, the bar above them, and the panels. */
import { Box, Button, chakra, Flex, Grid, VisuallyHidden } from '@chakra-ui/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Outputs } from '../../server/contract/api.ts';
import { overlaps } from '../../server/contract/document-changes.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { trpc } from '../api/trpc.ts';
import { Bar } from './bar.tsx';
import { type Editor, EditorContext } from './context.ts';
import { indexFields } from './fields.ts';
import { SectionForm } from './form.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { desktopIcon, moonIcon, phoneIcon, sunIcon } from './icons.tsx';
import { FileNotice, LockedNotice, RestoredNotice } from './notices.tsx';
import { type Device, Preview, type Scheme } from './preview.tsx';
import { PublishPanel } from './publish-panel.tsx';
import { SectionList } from './section-list.tsx';
import { Choice, type Pane, PaneTabs, Steps } from './switches.tsx';
import { useDraft } from './use-draft.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { pendingPhotos } from './use-pending-photos.ts';
import { usePlace } from './use-place.ts';
import { usePublishing } from './use-publishing.ts';
import { useSignIn } from './use-sign-in.tsx';

export function SiteEditor({
  loaded,
  rows,
}: {
  loaded: Outputs['site']['draft'];
  rows: Outputs['site']['fields']['fields'];
}) {
  const fields = useMemo(() => indexFields(rows), [rows]);
  const { draft, state } = useDraft(loaded, fields);
  useEffect(() => pendingPhotos.open(draft), [draft]);
  const { dialog, askSignIn, signedIn } = useSignIn(() => {
    void draft.flush();
    pendingPhotos.onSignedIn();
  });
  const checks = trpc.settings.launchCheck.useQuery();
  // The check is of the live site: what the draft changes is done.
  const todo = (checks.data?.checks ?? []).flatMap(({ findings }) =>
    findings.flatMap(({ kind, path }) =>
      kind === 'todo' &&
      path !== undefined &&
      !state.changes.some((one) => overlaps(one.path, path))
        ? [path]
        : [],
    ),
  );
  const isLocked = loaded.isReadOnly;

  const place = usePlace(fields);
  const { sections, section, selected, select, show, open, pane, setPane } = place;
  const publishing = usePublishing({ draft, state, signedIn });
  const [scheme, setScheme] = useState<Scheme>(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  );
  const [device, setDevice] = useState<Device>(() =>
    matchMedia('(min-width: 62em)').matches ? 'desktop' : 'phone',
  );
  const [panel, setPanel] = useState<'publish' | 'history'>();
  const [version, setVersion] = useState<number>();
  const [said, announce] = useState('');
  const [problem, setProblem] = useState('');
  const liveRef = useRef<HTMLElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const formRef = useRef<HTMLHeadingElement>(null);
  useKeptFocus(headingRef);

  // What owners press out of habit.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void draft.flush();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [draft]);
  const editor: Editor = {
    ...{ draft, state, fields, isLocked, selected, select, open, announce, signedIn },
  };
  const index = sections.findIndex(({ id }) => id === section?.id);
  const [before, after] = [sections[index - 1], sections[index + 1]];
  /** Closes the panel after an act that did not fail. */
  const closePanel = (failure?: string) => {
    if (failure !== undefined) return failure;
    // What had the focus is gone with the panel. In WebKit a timer may run before the next rendering.
    flushSync(() => setPanel(undefined));
    // Not to *Undo*: a second Enter would take the publish back.
    (liveRef.current ?? headingRef.current)?.focus();
    return undefined;
  };
  const shownIn = (one: Pane) => ({ base: pane === one ? 'block' : 'none', lg: 'block' });
  const firstTodo = todo[0];
  const switches = (
    <>
      <Choice
        label="Width of the page"
        value={device}
        options={{ desktop: ['Desktop', desktopIcon], phone: ['Phone', phoneIcon] }}
        onChange={setDevice}
      />
      <Choice
        label="Colours of the page"
        value={scheme}
        options={{ light: ['Light', sunIcon], dark: ['Dark', moonIcon] }}
        onChange={setScheme}
      />
    </>
  );
  if (!section) return null;
  return (
    <EditorContext value={editor}>
      <Bar
        sections={sections}
        published={publishing.published}
        onUndoPublish={async () => {
          const failure = await publishing.undo();
          setProblem(failure ?? '');
          if (failure !== undefined) return;
          announce('The publish was undone. Your site is as before.');
        }}
        onStep={(to) => {
          const path = draft[to]();
          const found = path === undefined ? undefined : show(path);
          announce(
            found
              ? `${to === 'undo' ? 'Undone' : 'Redone'}: ${found.title}`
              : 'This was changed in another tab since, so it stays as it is.',
          );
        }}
        onRetry={async () => {
          const { save } = draft.state();
          if (save.kind === 'failed' && save.isSignedOut && !(await askSignIn())) return;
          await draft.flush();
          // The button that was pressed is gone with the problem: back to where the owner typed.
          setTimeout(() => {
            if (selected !== undefined && document.activeElement === document.body) open(selected);
          });
        }}
        onPublish={() => setPanel('publish')}
        onHistory={() => setPanel('history')}
        liveRef={liveRef}
        headingRef={headingRef}
      >
        {switches}
      </Bar>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
      {problem && (
        <Box px="6">
          <OwnerAlert role="alert" mb="3">
            {problem}{' '}
            <Button type="button" variant="plain" minH="7" onClick={() => setProblem('')}>
              Hide this
            </Button>
          </OwnerAlert>
        </Box>
      )}
      <RestoredNotice sections={sections} />
      {isLocked ? <LockedNotice /> : <FileNotice sections={sections} />}
      <Grid
        flex="1"
        minH="0"
        templateColumns={{ lg: '268px minmax(0, 1fr) 400px' }}
        templateRows={{ lg: 'minmax(0, 1fr)' }}
      >
        <Column display={shownIn('sections')}>
          <SectionList
            current={section.id}
            todo={todo}
            onChoose={({ paths: [path] }) => {
              if (path !== undefined) show(path);
              setPane('edit');
              setTimeout(() => formRef.current?.focus());
            }}
          />
        </Column>
        <Column
          display={shownIn('preview')}
          bg="bg.tint"
          px={{ base: '0', lg: '5' }}
          py={{ base: '0', lg: '3' }}
          borderInline={{ lg: '1px solid' }}
          borderColor="hairline"
          h={{ base: 'calc(100dvh - 13rem)', lg: 'auto' }}
        >
          <Flex hideFrom="lg" gap="2" p="3">
            {switches}
          </Flex>
          <Preview
            page={place.page}
            onPage={place.setPage}
            scheme={scheme}
            device={device}
            version={version}
          />
        </Column>
        <Column display={shownIn('edit')} as="form" onSubmit={(event) => event.preventDefault()}>
          <Box px="6" py="4" pb={{ base: '6rem', lg: '4' }}>
            <Flex justify="space-between" align="baseline" gap="4">
              <chakra.h2
                ref={formRef}
                tabIndex={-1}
                outline="none"
                textStyle="h4"
                fontSize="1.375rem"
              >
                {section.title}
              </chakra.h2>
              <chakra.button
                type="button"
                hideFrom="lg"
                textDecoration="underline"
                textUnderlineOffset="6px"
                fontWeight="600"
                minH="11"
                onClick={() => setPane('preview')}
              >
                See it
              </chakra.button>
            </Flex>
            <SectionForm key={section.id} section={section} />
          </Box>
          <Steps
            before={before?.title}
            after={after?.title}
            onBefore={() => before?.paths[0] && show(before.paths[0])}
            onAfter={() => after?.paths[0] && show(after.paths[0])}
          />
        </Column>
      </Grid>
      <PaneTabs pane={pane} onChange={setPane} />
      {panel === 'publish' && (
        <PublishPanel
          sections={sections}
          todo={firstTodo === undefined ? undefined : { count: todo.length, path: firstTodo }}
          onPublish={async (note) => {
            const failure = await publishing.publish(note);
            void checks.refetch();
            return closePanel(failure);
          }}
          onDiscard={() => publishing.discard().then(closePanel)}
          onClose={() => setPanel(undefined)}
        />
      )}
      {panel === 'history' && (
        <HistoryPanel
          sections={sections}
          shown={version}
          onLook={setVersion}
          onRestore={async (to) => {
            const failure = await publishing.restore(to);
            if (failure !== undefined) return failure;
            announce('The version is in your draft. Publish it to make it live.');
            setVersion(undefined);
            return closePanel();
          }}
          onClose={() => {
            setPanel(undefined);
            setVersion(undefined);
          }}
        />
      )}
      {dialog}
    </EditorContext>
  );
}

const Column = chakra('div', { base: { minH: '0', minW: '0', overflowY: { lg: 'auto' } } });
