import { Box, chakra, Text } from '@chakra-ui/react';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { drawn } from '../theme/stop.ts';
import { MarkIcon, MarkName } from './marks.tsx';
import { groups, type Noun, nouns, settingsPath } from './nouns.ts';
import type { State } from './states.ts';

/** The parts of Settings with their states, as stations on a line. */
export function NounList({
  stateOf,
  current,
}: {
  /** Undefined until it is loaded. */
  stateOf: (noun: Noun) => State | undefined;
  /** The part that is shown beside the list. */
  current: Noun | undefined;
}) {
  return (
    <Box as="nav" aria-label="Settings">
      {groups.map((group) => (
        <Group
          key={group}
          name={group}
          entries={nouns
            .filter((noun) => noun.group === group)
            .map((noun) => ({ noun, state: stateOf(noun), isCurrent: noun === current }))}
        />
      ))}
    </Box>
  );
}

interface Entry {
  noun: Noun;
  state: State | undefined;
  isCurrent: boolean;
}

function Group({ name, entries }: { name: string; entries: Entry[] }) {
  const id = useId();
  return (
    <Box mb="5">
      <Text id={id} textStyle="small" color="fg.muted" fontWeight="500" mb="2">
        {name}
      </Text>
      <Stations aria-labelledby={id}>
        {entries.map(({ noun, state, isCurrent }) => (
          <li key={noun.path}>
            <Link
              to={settingsPath(noun.path)}
              id={entryId(noun)}
              aria-current={isCurrent ? 'page' : undefined}
            >
              <MarkIcon mark={state?.mark ?? 'neutral'} />
              <Box flex="1" minW="0" lineHeight="1.25">
                <Box as="span" data-name="">
                  {noun.name}
                </Box>
                <Text
                  textStyle="small"
                  lineHeight="1.25"
                  minH="1.25em"
                  color={state?.mark === 'broken' ? 'line.red' : 'fg.muted'}
                  fontWeight={state?.mark === 'broken' ? '500' : undefined}
                >
                  {state && (
                    <>
                      <MarkName mark={state.mark} />
                      <span>{state.words}</span>
                    </>
                  )}
                </Text>
              </Box>
              <Chevron viewBox="0 0 24 24" aria-hidden>
                <path d="M9 5l7 7-7 7" />
              </Chevron>
            </Link>
          </li>
        ))}
      </Stations>
    </Box>
  );
}

/** The id of the link to a part. */
export const entryId = ({ path }: Noun): string => `settings-${path}`;

const Stations = chakra('ul', {
  base: {
    '& li': { position: 'relative' },
    '& a': {
      display: 'flex',
      alignItems: 'center',
      columnGap: '3',
      minH: '50px',
      mx: '-4',
      px: '4',
      py: '1',
      _hover: { '& [data-name]': { textDecoration: 'underline', textUnderlineOffset: '4px' } },
    },
    '& [aria-current]': { bg: 'bg.tint', '& [data-name]': { fontWeight: '700' } },
    '& [data-mark]': { position: 'relative', zIndex: '1' },
    // From the mark to that of the next one.
    '& li:not(:last-child)::before': {
      ...drawn,
      top: 'calc(50% + 10px)',
      insetStart: '9px',
      h: 'calc(100% - 20px)',
      borderInlineStart: '4px solid {colors.fg}',
    },
  },
});

const Chevron = chakra('svg', {
  base: {
    display: { lg: 'none' },
    flexShrink: '0',
    boxSize: '20px',
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth: '2.2',
  },
});
