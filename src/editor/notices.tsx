/** What stands above the form and the preview until the owner has dealt with it. */
import { Box, Button, Flex, type FlexProps, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { pluralize } from '../../server/contract/numbers.ts';
import { ChangeRow } from './change-row.tsx';
import { useEditor } from './context.ts';
import { nameOf, type Section } from './sections.ts';
import { SidePanel } from './side-panel.tsx';

/** Says that the texts cannot be changed here. */
export const LockedNotice = () => (
  <Notice>
    <span>
      Texts come from site.config.ts (SITE_CONTENT=file). They can be read here, not changed.
    </span>
  </Notice>
);

/** Names the words of closed tabs that are in the draft again, each with the way to it. */
export function RestoredNotice({ sections }: { sections: readonly Section[] }) {
  const { draft, state, fields, open } = useEditor();
  if (state.restored.length === 0) return null;
  return (
    <Notice role="status">
      <strong>These words were not saved when you left. They are in your draft again:</strong>
      {state.restored.map((path) => (
        <Button key={path} type="button" variant="plain" minH="8" onClick={() => open(path)}>
          {nameOf(path, { sections, fields })}
        </Button>
      ))}
      <Button type="button" variant="plain" minH="8" onClick={draft.seeRestored}>
        Hide this
      </Button>
    </Notice>
  );
}

/** Says what a developer changed in `site.config.ts` since the last publish. */
export function FileNotice({ sections }: { sections: readonly Section[] }) {
  const { draft, state } = useEditor();
  const [isComparing, setIsComparing] = useState(false);
  const { fileChanges } = state;
  if (fileChanges.length === 0) return null;
  const takeOver = () => {
    for (const { path, to } of fileChanges) draft.edit(path, to, { isWhole: true });
    setIsComparing(false);
  };
  return (
    <>
      <Notice>
        <strong>{`site.config.ts has ${pluralize(fileChanges.length, 'other text')} than your draft.`}</strong>
        <Button type="button" variant="plain" minH="8" onClick={() => setIsComparing(true)}>
          Compare
        </Button>
        <Button type="button" variant="plain" minH="8" onClick={takeOver}>
          Take them over
        </Button>
      </Notice>
      {isComparing && (
        <SidePanel title="site.config.ts" onClose={() => setIsComparing(false)}>
          <Text textStyle="small" color="fg.muted" mb="3">
            Your site keeps its texts until you publish others.
          </Text>
          {fileChanges.map((change) => (
            <ChangeRow
              key={change.path}
              change={change}
              sections={sections}
              action="Take over"
              onAction={() => draft.edit(change.path, change.to, { isWhole: true })}
            />
          ))}
          <Box mt="4">
            <Button type="button" minH="11" onClick={takeOver}>
              Take them over
            </Button>
          </Box>
        </SidePanel>
      )}
    </>
  );
}

const Notice = (props: FlexProps) => (
  <Flex
    align="center"
    wrap="wrap"
    columnGap="4"
    mx="6"
    my="2"
    ps="3"
    textStyle="small"
    borderInlineStart="6px solid {colors.line.blue}"
    {...props}
  />
);
