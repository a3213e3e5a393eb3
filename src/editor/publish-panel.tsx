/** Shows what will change on the live site, and publishes it. */
import { Box, Button, chakra, Flex, Input, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { pluralize } from '../../server/contract/numbers.ts';
import { Confirm } from '../admin/confirm.tsx';
import { MainButton } from '../admin/main-button.tsx';
import { Field } from '../ui/field.tsx';
import { ChangeRow, Row } from './change-row.tsx';
import { useEditor } from './context.ts';
import { Attention } from './marks.tsx';
import type { Section } from './sections.ts';
import { SidePanel } from './side-panel.tsx';

export function PublishPanel({
  sections,
  todo,
  onPublish,
  onDiscard,
  onClose,
}: {
  sections: readonly Section[];
  /** What visitors would still read of the samples, and where the first of it is. */
  todo: { count: number; path: string } | undefined;
  /** Resolves with a sentence when it fails. */
  onPublish: (note: string) => Promise<string | undefined>;
  onDiscard: () => Promise<string | undefined>;
  onClose: () => void;
}) {
  const { draft, state, open } = useEditor();
  const [note, setNote] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const count = state.changes.length;
  const run = async (act: () => Promise<string | undefined>) => {
    if (isBusy) return;
    setIsBusy(true);
    setError(await act());
    setIsBusy(false);
  };
  return (
    <SidePanel title={`Publish ${pluralize(count, 'change')}`} onClose={onClose}>
      <Text textStyle="small" color="fg.muted" mb="3">
        They are on your site within three seconds. You can undo it.
      </Text>
      {state.changes.map((change) => (
        <ChangeRow
          key={change.path}
          change={change}
          sections={sections}
          action="Revert"
          onAction={() => draft.edit(change.path, change.from, { isWhole: true })}
        />
      ))}
      {todo && (
        <Row>
          <Text>
            <strong>{`${pluralize(todo.count, 'part')} of your site still ${todo.count === 1 ? 'has a sample' : 'have samples'}.`}</strong>{' '}
            <span>Visitors would read invented people and places. </span>
            <Button
              type="button"
              variant="plain"
              minH="7"
              onClick={() => {
                onClose();
                open(todo.path);
              }}
            >
              Show them
            </Button>
          </Text>
        </Row>
      )}
      <Foot>
        <Box mb="4">
          <Field label="Note for the history (optional)">
            <Input value={note} maxLength={200} onChange={({ target }) => setNote(target.value)} />
          </Field>
        </Box>
        {error !== undefined && (
          <Box mb="3">
            <Attention>{error}</Attention>
          </Box>
        )}
        <Flex gap="3" wrap="wrap" mb="4">
          <MainButton
            type="button"
            minH="11"
            aria-busy={isBusy}
            disabled={count === 0}
            onClick={() => void run(() => onPublish(note))}
          >
            {isBusy ? 'Publishing …' : 'Publish'}
          </MainButton>
          <Button
            type="button"
            minH="11"
            // The browser then returns the focus to the button that opened the panel.
            onClick={({ currentTarget }) => {
              currentTarget.closest('dialog')?.close();
              // Before its event: the panel may be opened again at once.
              onClose();
            }}
          >
            Keep editing
          </Button>
        </Flex>
        <Confirm
          label="Discard all"
          question={`Discard ${pluralize(count, 'change')}? Your site stays as it is. The draft is kept in the history.`}
          confirm="Discard them"
          keep="Keep editing"
          onConfirm={() => run(onDiscard)}
        />
      </Foot>
    </SidePanel>
  );
}

/** Stays in view below a long list of changes. */
const Foot = chakra('div', {
  base: {
    position: 'sticky',
    bottom: '-6',
    mb: '-6',
    pt: '3',
    pb: '6',
    bg: 'bg',
    borderTop: '1px solid {colors.hairline}',
  },
});
