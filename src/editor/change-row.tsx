/** One change between two documents, for the panels that list them. */
import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import type { Change } from '../../server/contract/document-changes.ts';
import { useEditor } from './context.ts';
import { nameOf, type Section } from './sections.ts';
import { differenceOf, inWords } from './words.ts';

/** A change in words, with a button for it. */
export function ChangeRow({
  change,
  sections,
  action,
  onAction,
}: {
  change: Change;
  sections: readonly Section[];
  /** The button. */
  action: string;
  onAction: () => void;
}) {
  const { fields } = useEditor();
  const { path, from, to } = change;
  const name = nameOf(path, { sections, fields });
  return (
    <Row>
      <Flex justify="space-between" align="baseline" gap="3">
        <Text textStyle="small" color="fg.muted">
          {name}
        </Text>
        <Button
          type="button"
          variant="plain"
          minH="7"
          fontSize="0.9375rem"
          aria-label={`${action} ${name}`}
          onClick={onAction}
        >
          {action}
        </Button>
      </Flex>
      <Difference from={inWords(from, path, fields)} to={inWords(to, path, fields)} />
    </Row>
  );
}

function Difference({ from, to }: { from: string; to: string }) {
  const { before, removed, added, after } = differenceOf(from, to);
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns="3.5rem 1fr"
      textStyle="small"
      overflowWrap="anywhere"
      whiteSpace="pre-line"
    >
      <chakra.dt color="fg.muted">Now</chakra.dt>
      <dd>
        <span>{before}</span>
        <chakra.del color="line.red">{removed}</chakra.del>
        <span>{after}</span>
        {from === '' && <span>nothing</span>}
      </dd>
      <chakra.dt color="fg.muted">Then</chakra.dt>
      <dd>
        <span>{before}</span>
        <chakra.ins bg="bg.tint" textDecorationColor="var(--c-colors-line-blue)">
          {added}
        </chakra.ins>
        <span>{after}</span>
        {to === '' && <span>nothing</span>}
      </dd>
    </chakra.dl>
  );
}

export const Row = chakra('div', {
  base: { py: '2.5', borderTop: '1px solid {colors.hairline}', minW: '0' },
});
