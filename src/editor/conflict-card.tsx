import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { MainButton } from '../admin/main-button.tsx';
import { controlId, useEditor } from './context.ts';
import { Value } from './value.tsx';
import type { OpenConflict } from './working-copy.ts';

/** Asks which of two values stays, after two tabs or devices changed the same one. */
export function ConflictCard({ conflict }: { conflict: OpenConflict }) {
  const { draft, fields } = useEditor();
  const { path, mine, theirs } = conflict;
  const keep = (kept: 'mine' | 'theirs') => {
    draft.resolve(conflict, kept);
    requestAnimationFrame(() => document.getElementById(controlId(path))?.focus());
  };
  return (
    <Box role="group" aria-label="Changed in another tab" mb="4">
      <Text
        role="alert"
        ps="4"
        borderInlineStart="6px solid {colors.line.red}"
        fontWeight="600"
        mb="3"
      >
        Changed in another tab or on another device. Which one shall stay?
      </Text>
      <Version name="Yours" value={mine} path={path} />
      <Version name="The other one" value={theirs} path={path} />
      <Flex gap="3" wrap="wrap" mt="3">
        <MainButton type="button" minH="11" onClick={() => keep('mine')}>
          Keep mine
        </MainButton>
        <Button type="button" minH="11" onClick={() => keep('theirs')}>
          Take the other
        </Button>
      </Flex>
      <Text mt="2" textStyle="small" color="fg.muted">
        {fields.at(path)?.kind === 'list'
          ? 'The other list stays in Undo. What you change in yours is saved once you have chosen.'
          : 'The other text stays in Undo. Your other fields are saved.'}
      </Text>
    </Box>
  );
}

const Version = ({ name, value, path }: { name: string; value: unknown; path: string }) => (
  <Box
    mt="2"
    p="3"
    borderWidth="2px"
    borderColor="field"
    borderRadius="button"
    overflowWrap="anywhere"
  >
    <Text textStyle="small" color="fg.muted">
      {name}
    </Text>
    <Text whiteSpace="pre-line">
      <Value value={value} path={path} none="Nothing: it was removed" />
    </Text>
  </Box>
);
