/** One change between two documents, for the panels that list them. */
import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Change } from '../../server/contract/document-changes.ts';
import { useEditor } from './context.ts';
import { nameOf, type Section } from './sections.ts';
import { Value } from './value.tsx';
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
      {fields.at(path)?.kind === 'photo' ? (
        <NowAndThen
          now={<Value value={from} path={path} none="nothing" />}
          then={<Value value={to} path={path} none="nothing" />}
        />
      ) : (
        <Difference from={inWords(from, path, fields)} to={inWords(to, path, fields)} />
      )}
    </Row>
  );
}

const NowAndThen = ({ now, then }: { now: ReactNode; then: ReactNode }) => (
  <chakra.dl
    display="grid"
    gridTemplateColumns="3.5rem 1fr"
    textStyle="small"
    overflowWrap="anywhere"
    whiteSpace="pre-line"
  >
    <chakra.dt color="fg.muted">Now</chakra.dt>
    <dd>{now}</dd>
    <chakra.dt color="fg.muted">Then</chakra.dt>
    <dd>{then}</dd>
  </chakra.dl>
);

function Difference({ from, to }: { from: string; to: string }) {
  const { before, removed, added, after } = differenceOf(from, to);
  return (
    <NowAndThen
      now={
        <>
          <span>{before}</span>
          <chakra.del color="line.red">{removed}</chakra.del>
          <span>{after}</span>
          {from === '' && <span>nothing</span>}
        </>
      }
      then={
        <>
          <span>{before}</span>
          <chakra.ins bg="bg.tint" textDecorationColor="var(--c-colors-line-blue)">
            {added}
          </chakra.ins>
          <span>{after}</span>
          {to === '' && <span>nothing</span>}
        </>
      }
    />
  );
}

export const Row = chakra('div', {
  base: { py: '2.5', borderTop: '1px solid {colors.hairline}', minW: '0' },
});
