/** The switches around the form and the preview. */
import { chakra, Flex } from '@chakra-ui/react';
import { DownIcon } from '../ui/icons.tsx';

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
  options: Record<Value, string>;
  onChange: (value: Value) => void;
}) {
  return (
    <Flex role="group" aria-label={label} borderWidth="2px" borderRadius="button" overflow="hidden">
      {(Object.entries(options) as [Value, string][]).map(([option, name]) => (
        <chakra.button
          key={option}
          type="button"
          aria-pressed={option === value}
          minH="10"
          px="3"
          fontWeight="600"
          fontSize="0.9375rem"
          cursor="pointer"
          css={{ '&[aria-pressed=true]': { bg: 'fg', color: 'bg' } }}
          onClick={() => onChange(option)}
        >
          {name}
        </chakra.button>
      ))}
    </Flex>
  );
}

const panes: Record<Pane, string> = { sections: 'Sections', edit: 'Edit', preview: 'Preview' };

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
    {(Object.entries(panes) as [Pane, string][]).map(([name, label]) => (
      <chakra.button
        key={name}
        type="button"
        aria-current={name === pane || undefined}
        flex="1"
        minH="13"
        py="3"
        fontWeight="600"
        fontSize="0.9375rem"
        cursor="pointer"
        css={{
          '&[aria-current]': { bg: 'fg', color: 'bg' },
          '& + &': { borderInlineStart: '2px solid {colors.fg}' },
        }}
        onClick={() => onChange(name)}
      >
        {label}
      </chakra.button>
    ))}
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
