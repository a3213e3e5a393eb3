/** The screen Site: the owner edits the site, sees it, publishes it and takes it back. Loaded on demand. */
import { Box, chakra, Flex, Grid, VisuallyHidden } from '@chakra-ui/react';
import { Global } from '@emotion/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Outputs } from '../../server/contract/api.ts';
import { isWithin } from '../../server/contract/document-changes.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { AdminBar } from '../admin/header.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { useStatus } from '../admin/use-status.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { Bar, type PublishedNow } from './bar.tsx';
import { controlId, type Editor, EditorContext } from './context.ts';
import { indexFields } from './fields.ts';
import { SectionForm } from './form.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { desktopIcon, moonIcon, phoneIcon, sunIcon } from './icons.tsx';
import { FileNotice, LockedNotice } from './notices.tsx';
import { type Device, Preview, type Scheme } from './preview.tsx';
import { PublishPanel } from './publish-panel.tsx';
import { SectionList } from './section-list.tsx';
import { otherSections, type Page, pageOf, pageSections, type Section } from './sections.ts';
import { Choice, type Pane, PaneTabs, Steps } from './switches.tsx';
import { useDraft } from './use-draft.ts';
import { useSignIn } from './use-sign-in.tsx';

export function SitePage() {
  const draft = trpc.site.draft.useQuery();
  const fields = trpc.site.fields.useQuery();
  useLeaveWhenSignedOut(draft.error ?? fields.error);
  const error = draft.error ?? fields.error;
  const status = useStatus();
  return (
    <Flex direction="column" h={{ lg: '100dvh' }} minH="100dvh">
      {/* Its parts scroll on wide screens, and not the page. */}
      <Global styles={{ html: { scrollbarGutter: 'auto' } }} />
      <AdminBar status={status} isWide />
      {error && (
        <Box px="6">
          <OwnerAlert role="alert">
            {errorResponseOf(error)?.sentence ?? 'Could not load this. Reload the page.'}
          </OwnerAlert>
        </Box>
      )}
      {draft.data && fields.data ? (
        <SiteEditor loaded={draft.data} rows={fields.data.fields} />
      ) : (
        <Box flex="1" bg={error ? undefined : 'bg.tint'} aria-busy={!error} />
      )}
    </Flex>
  );
}

function SiteEditor({
  loaded,
  rows,
}: {
  loaded: Outputs['site']['draft'];
  rows: Outputs['site']['fields']['fields'];
}) {
  const fields = useMemo(() => indexFields(rows), [rows]);
  const { dialog, askSignIn, signedIn } = useSignIn();
  const { draft, state } = useDraft(loaded, { fields, signedIn });
  const { client } = trpc.useUtils();
  const checks = trpc.settings.launchCheck.useQuery().data?.checks ?? [];
  const todo = checks.flatMap(({ findings }) =>
    findings.flatMap(({ kind, path }) => (kind === 'todo' && path !== undefined ? [path] : [])),
  );
  const isLocked = loaded.isReadOnly;

  const [params, setParams] = useSearchParams();
  const [selected, setSelected] = useState<string>();
  const [pane, setPane] = useState<Pane>(params.has('field') ? 'edit' : 'sections');
  const sections = useMemo(() => [...pageSections, ...otherSections(fields)], [fields]);
  const section =
    sections.find(({ id }) => id === params.get('section')) ??
    sections.find(({ paths }) => isWithin(params.get('field') ?? '', paths)) ??
    sections.find(({ id }) => id === 'hero') ??
    pageSections[0];
  const [page, setPage] = useState<Page>('home');
  const [scheme, setScheme] = useState<Scheme>(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  );
  const [device, setDevice] = useState<Device>(() =>
    matchMedia('(min-width: 62em)').matches ? 'desktop' : 'phone',
  );
  const [panel, setPanel] = useState<'publish' | 'history'>();
  const [version, setVersion] = useState<number>();
  const [published, setPublished] = useState<PublishedNow & { previous: number | undefined }>();
  const [isUndoing, setIsUndoing] = useState(false);
  const [said, announce] = useState('');
  const [problem, setProblem] = useState('');
  const undoRef = useRef<HTMLButtonElement>(null);
  const formRef = useRef<HTMLHeadingElement>(null);

  const go = useCallback(
    (id: string) => setParams({ section: id }, { replace: true }),
    [setParams],
  );
  const select = useCallback((path: string) => {
    setSelected(path);
    setPage((current) => pageFor(path, current));
  }, []);
  const open = useCallback(
    (path: string) => {
      const found = sections.find(({ paths }) => isWithin(path, paths));
      if (!found) return;
      setPane('edit');
      go(found.id);
      select(path);
      // After its section and its entry are open.
      setTimeout(() => focusField(path));
    },
    [sections, go, select],
  );
  const openSection = ({ id, paths }: Section) => {
    go(id);
    select(paths[0] ?? id);
  };
  // The address names a field: of a step before going live, for example.
  const wanted = useRef(params.get('field'));
  useEffect(() => {
    if (wanted.current !== null) open(wanted.current);
    wanted.current = null;
  }, [open]);
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
  // From the next change on, what was published is history.
  useEffect(() => {
    if (state.changes.length > 0) setPublished(undefined);
  }, [state.changes.length]);

  const fail = (error: unknown) =>
    errorResponseOf(error)?.sentence ?? 'No connection. Please try again.';

  const publish = async (note: string) => {
    await draft.flush();
    const before = draft.state();
    if (before.save.kind === 'failed') return 'The last changes are not saved yet.';
    if (before.conflicts.length > 0) return changedElsewhere;
    try {
      const { publishedAt } = await signedIn(() =>
        client.site.publish.mutate({ revision: before.revision, ...(note && { note }) }),
      );
      const previous = before.version?.version ?? (await fileVersion());
      await draft.reload({ isOwn: true });
      setPanel(undefined);
      setPublished({ at: Date.parse(publishedAt), changes: before.changes.length, previous });
      setTimeout(() => undoRef.current?.focus());
      return undefined;
    } catch (error) {
      if (errorResponseOf(error)?.code === 'DRAFT_CHANGED') {
        await draft.reload();
        return changedElsewhere;
      }
      return sentencesOf(error) ?? fail(error);
    }
  };
  /** The history's version of what the site showed before its first publish. */
  const fileVersion = async () => {
    const { versions } = await client.site.versions.query();
    return versions.find((one) => one.state === 'file')?.version;
  };
  const undoPublish = async () => {
    if (published?.previous === undefined) return;
    setIsUndoing(true);
    setProblem('');
    try {
      const { previous } = published;
      await signedIn(() => client.site.restore.mutate({ version: previous, publish: true }));
      await draft.reload({ isOwn: true });
      setPublished(undefined);
      announce('The publish was undone. Your site is as before.');
    } catch (error) {
      setProblem(sentencesOf(error) ?? fail(error));
    }
    setIsUndoing(false);
  };
  const restore = async (to: number) => {
    try {
      await draft.flush();
      await signedIn(() => client.site.restore.mutate({ version: to }));
      await draft.reload({ isOwn: true });
      setVersion(undefined);
      setPanel(undefined);
      announce('The version is in your draft. Publish it to make it live.');
      return undefined;
    } catch (error) {
      return fail(error);
    }
  };
  const discard = async () => {
    try {
      await draft.flush();
      await signedIn(() => client.site.discard.mutate());
      await draft.reload({ isOwn: true });
      setPanel(undefined);
      return undefined;
    } catch (error) {
      return fail(error);
    }
  };

  const editor: Editor = {
    ...{ draft, state, fields, isLocked, selected, select, open, announce, signedIn },
  };
  const index = sections.indexOf(section ?? sections[0] ?? (pageSections[0] as never));
  const [before, after] = [sections[index - 1], sections[index + 1]];
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
        published={published}
        isUndoing={isUndoing}
        onUndoPublish={() => void undoPublish()}
        onStep={(to) => {
          const path = draft[to]();
          const found = sections.find(({ paths }) => path && isWithin(path, paths));
          if (path === undefined || !found) return;
          go(found.id);
          select(path);
          announce(`${to === 'undo' ? 'Taken back' : 'Made again'}: ${found.title}`);
        }}
        onPublish={() => setPanel('publish')}
        onHistory={() => setPanel('history')}
        undoRef={undoRef}
      >
        {switches}
      </Bar>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
      {problem && (
        <Box px="6">
          <OwnerAlert role="alert" mb="3">
            {problem}
          </OwnerAlert>
        </Box>
      )}
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
            onChoose={(chosen) => {
              openSection(chosen);
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
            page={page}
            onPage={setPage}
            scheme={scheme}
            device={device}
            version={version}
            onSignedOut={askSignIn}
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
            onBefore={() => before && openSection(before)}
            onAfter={() => after && openSection(after)}
          />
        </Column>
      </Grid>
      <PaneTabs pane={pane} onChange={setPane} />
      {panel === 'publish' && (
        <PublishPanel
          sections={sections}
          todo={firstTodo === undefined ? undefined : { count: todo.length, path: firstTodo }}
          onPublish={publish}
          onDiscard={discard}
          onClose={() => setPanel(undefined)}
        />
      )}
      {panel === 'history' && (
        <HistoryPanel
          sections={sections}
          shown={version}
          onLook={setVersion}
          onRestore={restore}
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

const changedElsewhere =
  'The draft was changed in another tab. Look at the changes above, then publish again.';

/** The page in the preview for a field: the present one, when it may show it as well. */
const pageFor = (path: string, current: Page): Page => {
  const page = pageOf(path);
  const isCall = path.startsWith('calls.') || path.startsWith('bookingPages.');
  return isCall && current.startsWith('book') ? current : page;
};

/** The sentences of a refused publish. */
function sentencesOf(error: unknown): string | undefined {
  const issues = (errorResponseOf(error)?.json as { issues?: { message: string }[] } | undefined)
    ?.issues;
  return issues?.map(({ message }) => message).join(' ');
}

/** Moves the focus to the control of a field, or of the nearest group around it. */
function focusField(path: string): void {
  const keys = path.split('.');
  for (let length = keys.length; length > 0; length--) {
    const control = document.getElementById(controlId(keys.slice(0, length).join('.')));
    if (!control) continue;
    control.focus();
    control.scrollIntoView({ block: 'center' });
    return;
  }
}

const Column = chakra('div', { base: { minH: '0', minW: '0', overflowY: { lg: 'auto' } } });
