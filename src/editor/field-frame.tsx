/** What stands around the control of each field: its name, how it differs from the live site, and what is wrong. */
import { Box, Button, Field, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { isWithin } from '../../server/contract/document-changes.ts';
import { stop } from '../theme/stop.ts';
import { ConflictCard } from './conflict-card.tsx';
import { controlId, useEditor } from './context.ts';
import { Attention, ChangedDot } from './marks.tsx';
import { Value } from './value.tsx';

export interface Proposal {
  /** The text of the button that takes it, such as `Use https://example.com`. */
  label: string;
  value: unknown;
}

export function FieldFrame({
  path,
  mistake: own,
  isQuiet = false,
  proposal,
  note,
  isGrouped = false,
  children,
}: {
  path: string;
  /** A sentence that the form itself has found, which stands in place of the server's. */
  mistake?: string | undefined;
  /** Whether the mistake changes with each key. */
  isQuiet?: boolean;
  proposal?: Proposal | undefined;
  /** What stands below the control beside the help, such as the number of characters. */
  note?: ReactNode;
  /** Whether there are several controls, which a `fieldset` groups. */
  isGrouped?: boolean;
  children: ReactNode;
}) {
  const { draft, state, fields, selected, isLocked } = useEditor();
  const field = fields.at(path);
  const change = state.changes.find((one) => one.path === path);
  const conflict = state.conflicts.find((one) => one.path === path);
  // The parts of a list or group have fields of their own; those of other values do not.
  const hasFields = field?.kind === 'list' || field?.kind === 'group';
  const mistake =
    own ??
    state.mistakes.find((one) => one.path === path || (!hasFields && isWithin(one.path, [path])))
      ?.message;
  const label = (
    <Flex align="center" gap="2" mb="1" fontWeight="600" lineHeight="1.4">
      {change && <ChangedDot />}
      <span>{field?.label}</span>
      {change && <VisuallyHidden>, changed</VisuallyHidden>}
    </Flex>
  );
  return (
    <Field.Root
      invalid={mistake !== undefined}
      readOnly={isLocked}
      id={controlId(path)}
      data-path={path}
      position="relative"
      py="2.5"
      css={selected === path ? selectedBar : undefined}
    >
      <Box
        as={isGrouped ? 'fieldset' : 'div'}
        aria-describedby={isGrouped ? `field::${controlId(path)}::helper-text` : undefined}
        minW="0"
        w="full"
      >
        {isGrouped ? <legend>{label}</legend> : <Field.Label mb="0">{label}</Field.Label>}
        {conflict && <ConflictCard conflict={conflict} />}
        {children}
        <Field.HelperText as="div" mt="1.5" color="fg.muted" textStyle="small">
          {mistake !== undefined && (
            <Attention isQuiet={isQuiet}>
              {mistake}
              {proposal && !isLocked && (
                <Button
                  type="button"
                  variant="plain"
                  minH="7"
                  display="flex"
                  color="inherit"
                  textAlign="start"
                  onClick={() => {
                    draft.edit(path, proposal.value, { isWhole: true });
                    document.getElementById(controlId(path))?.focus();
                  }}
                >
                  {proposal.label}
                </Button>
              )}
            </Attention>
          )}
          {note}
          {field?.help && <Text>{field.help}</Text>}
        </Field.HelperText>
        {change && !conflict && !isLocked && <Live path={path} live={change.from} />}
      </Box>
    </Field.Root>
  );
}

/** What visitors still see, and the way back to it. */
function Live({ path, live }: { path: string; live: unknown }) {
  const { draft, fields } = useEditor();
  return (
    <Flex align="baseline" justify="space-between" gap="4" textStyle="small" color="fg.muted">
      <Text minW="0" truncate>
        <span>Live: </span>
        <Value value={live} path={path} none="nothing" separator=" · " />
      </Text>
      <Button
        type="button"
        variant="plain"
        minH="7"
        color="fg"
        fontSize="0.9375rem"
        flexShrink="0"
        aria-label={`Revert ${fields.at(path)?.label ?? ''}`}
        onClick={() => {
          draft.edit(path, live, { isWhole: true });
          document.getElementById(controlId(path))?.focus();
        }}
      >
        Revert
      </Button>
    </Flex>
  );
}

/** A bar beside the field, with a stop that leads to its place in the preview. */
const selectedBar = {
  _before: {
    content: '""',
    position: 'absolute',
    insetBlock: '0',
    insetStart: '-24px',
    w: '6px',
    bg: 'line.blue',
  },
  _after: { ...stop({ size: 18 }), insetStart: '-24px', top: '52px', hideBelow: 'lg' },
};
