/** The switches around the form and the preview. */
import { Box, chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { DownIcon } from '../ui/icons.tsx';
import { eyeIcon, listIcon, penIcon } from './icons.tsx';

export type Pane = 'sections' | 'edit' | 'preview';

/** One of two values, as joined buttons. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: Record<Value, readonly [label: string, icon: ReactNode]>;
  onChange: (value: Value) => void;
}) {
  return (
    <Flex role="group" aria-label={label} borderWidth="2px" borderRadius="button" overflow="hidden">
      {(Object.entries(options) as [Value, readonly [string, ReactNode]][]).map(
        ([option, [name, icon]]) => (
          <chakra.button
            key={option}
            type="button"
            aria-pressed={option === value}
            display="flex"
            alignItems="center"
            gap="2"
            minH="10"
            px={{ base: '2.5', sm: '3' }}
            whiteSpace="nowrap"
            fontWeight="600"
            fontSize="0.9375rem"
            cursor="pointer"
            css={{ '&[aria-pressed=true]': { bg: 'fg', color: 'bg' } }}
            onClick={() => onChange(option)}
          >
            <Box hideBelow="sm">{icon}</Box>
            <span>{name}</span>
          </chakra.button>
        ),
      )}
    </Flex>
  );
}

const panes: Record<Pane, readonly [label: string, icon: ReactNode]> = {
  sections: ['Sections', listIcon],
  edit: ['Edit', penIcon],
  preview: ['Preview', eyeIcon],
};

/** On narrow screens, which of the three parts is shown. */
export const PaneTabs = ({ pane, onChange }: { pane: Pane; onChange: (pane: Pane) => void }) => (
  <Flex
    as="nav"
    aria-label="Parts of the editor"
    hideFrom="lg"
    position="sticky"
    bottom="0"
    zIndex="1"
    bg="bg"
    borderTop="2px solid"
    borderColor="fg"
  >
    {(Object.entries(panes) as [Pane, readonly [string, ReactNode]][]).map(
      ([name, [label, icon]]) => (
        <chakra.button
          key={name}
          type="button"
          aria-current={name === pane || undefined}
          flex="1"
          minH="13"
          py="2"
          display="grid"
          justifyItems="center"
          gap="1"
          fontWeight="600"
          fontSize="0.9375rem"
          cursor="pointer"
          css={{
            '&[aria-current]': { bg: 'fg', color: 'bg' },
            '& + &': { borderInlineStart: '2px solid {colors.fg}' },
          }}
          onClick={() => onChange(name)}
        >
          {icon}
          <span>{label}</span>
        </chakra.button>
      ),
    )}
  </Flex>
);

/** To the sections before and after. */
export const Steps = ({
  before,
  after,
  onBefore,
  onAfter,
}: {
  before: string | undefined;
  after: string | undefined;
  onBefore: () => void;
  onAfter: () => void;
}) => (
  <Flex
    justify="space-between"
    px="6"
    hideBelow="lg"
    position="sticky"
    bottom="0"
    bg="bg"
    borderTop="1px solid"
    borderColor="hairline"
  >
    <Step label={before} onClick={onBefore} isBack />
    <Step label={after} onClick={onAfter} />
  </Flex>
);

const Step = ({
  label,
  onClick,
  isBack = false,
}: {
  label: string | undefined;
  onClick: () => void;
  isBack?: boolean;
}) =>
  label === undefined ? (
    <span />
  ) : (
    <chakra.button
      type="button"
      display="flex"
      flexDirection={isBack ? 'row' : 'row-reverse'}
      alignItems="center"
      gap="2"
      minH="12"
      fontWeight="600"
      fontSize="0.9375rem"
      cursor="pointer"
      onClick={onClick}
    >
      <chakra.span transform={`rotate(${isBack ? 90 : -90}deg)`} aria-hidden>
        <DownIcon />
      </chakra.span>
      <span>{label}</span>
    </chakra.button>
  );
