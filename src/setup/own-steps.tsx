/** The steps after the password, each with the fields that it saves and publishes. They are fields of the editor. */
import { Button } from '@chakra-ui/react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Outputs } from '../../server/contract/api.ts';
import type { Group } from '../../server/contract/document-changes.ts';
import { type Editor, EditorContext } from '../editor/context.ts';
import { type Field, indexFields } from '../editor/fields.ts';
import { IconButton } from '../editor/icon-button.tsx';
import { useDraft } from '../editor/use-draft.ts';
import { pendingPhotos } from '../editor/use-pending-photos.ts';
import { usePublishPaths } from '../editor/use-publish-paths.ts';
import { useSignIn } from '../editor/use-sign-in.tsx';
import { Frame, NextButton, type Station } from './frame.tsx';
import { HoursStep, hoursLabels, hoursPaths, useHoursZone } from './hours-step.tsx';
import { LookStep } from './look-step.tsx';
import { Ready } from './ready.tsx';
import { YouStep, youLabels } from './you-step.tsx';

interface Step {
  id: string;
  station: Station;
  title: string;
  lead: string;
  /** What its button does. */
  next: string;
  paths: readonly string[];
  content: ReactNode;
}

const steps: readonly [Step, ...Step[]] = [
  {
    id: 'you',
    station: 'You',
    title: 'Who are you?',
    lead: 'Visitors see this. You can change every word later.',
    next: 'Next: hours',
    paths: Object.keys(youLabels),
    content: <YouStep />,
  },
  {
    id: 'hours',
    station: 'Hours',
    title: 'When do you take calls?',
    lead: 'Visitors pick a time within these hours, in their own time zone.',
    next: 'Next: look',
    paths: hoursPaths,
    content: <HoursStep />,
  },
  {
    id: 'look',
    station: 'Look',
    title: 'Your colours',
    lead: 'Choose a set, or give us your one colour. What is hard to read is corrected.',
    next: 'Finish',
    paths: ['colours'],
    content: <LookStep />,
  },
];

export function OwnSteps({
  loaded,
  rows,
}: {
  loaded: Outputs['site']['draft'];
  rows: Outputs['site']['fields']['fields'];
}) {
  const fields = useMemo(() => indexFields(rows.map(inWords)), [rows]);
  const { draft, state } = useDraft(loaded, fields);
  useEffect(() => pendingPhotos.open(draft), [draft]);
  const { dialog, askSignIn, signedIn } = useSignIn(() => {
    void draft.flush();
    pendingPhotos.onSignedIn();
  });
  const [search, setSearch] = useSearchParams();
  const publish = usePublishPaths({ draft, askSignIn, signedIn });
  const hoursZone = useHoursZone(draft);
  const [failed, setFailed] = useState<{ sentence: string; document: Group }>();
  const [isBusy, setIsBusy] = useState(false);

  const isLocked = loaded.isReadOnly;
  const id = search.get('step');
  const index = isLocked || id === 'ready' ? steps.length : indexOf(id);
  const step = steps[index];
  const go = (to: number) => {
    setFailed(undefined);
    setSearch({ step: steps[to]?.id ?? 'ready' });
  };
  const editor: Editor = {
    // What differs from the live site, and how to take it back, is not said here: each step goes live.
    ...{ draft, state: { ...state, changes: [] }, fields, isLocked, selected: undefined, signedIn },
    ...{ select() {}, open() {}, announce() {} },
  };
  // The next edit may mend it.
  const problem = failed?.document === state.document ? failed.sentence : undefined;
  const next = async () => {
    if (!step || isBusy) return;
    if (step.id === 'hours') hoursZone.accept();
    setIsBusy(true);
    const wrong = document.querySelector<HTMLElement>('[data-mistake]:invalid');
    const sentence = wrong?.dataset.mistake ?? (await publish(step.paths));
    setIsBusy(false);
    if (sentence === undefined) return go(index + 1);
    setFailed({ sentence, document: draft.state().document });
    const marked = '[data-mistake]:invalid, [aria-invalid=true], [data-invalid=true]';
    requestAnimationFrame(() => document.querySelector<HTMLElement>(marked)?.focus());
  };
  if (!step) return <Ready isLocked={isLocked} />;
  return (
    <EditorContext value={editor}>
      <Frame
        {...step}
        key={step.id}
        problem={problem ?? (state.save.kind === 'failed' ? state.save.sentence : undefined)}
        onNext={() => void next()}
        foot={
          <>
            {index > 0 && (
              <IconButton
                label="Back"
                borderWidth="2px"
                borderColor="fg"
                onClick={() => go(index - 1)}
              >
                {backIcon}
              </IconButton>
            )}
            <NextButton isBusy={isBusy}>{step.next}</NextButton>
            <Button type="button" variant="plain" onClick={() => go(index + 1)}>
              Skip
            </Button>
          </>
        }
      >
        {step.content}
      </Frame>
      {dialog}
    </EditorContext>
  );
}

const labels: Readonly<Record<string, string>> = { ...youLabels, ...hoursLabels };

const indexOf = (id: string | null) =>
  Math.max(
    0,
    steps.findIndex((step) => step.id === id),
  );

/** The fields have names that fit an owner who has seen nothing else yet. */
const inWords = (row: Field): Field => {
  const label = labels[row.path];
  return label === undefined ? row : { ...row, label, help: '' };
};

const backIcon = (
  <svg width="18" height="18" viewBox="0 0 24 24" fill="none" aria-hidden="true">
    <path d="M15 5l-7 7 7 7" stroke="currentColor" strokeWidth="2.5" />
  </svg>
);
