/** What stands around each step: the line with its stations, the title, and the buttons at the foot. */
import { Box, Button, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { Global } from '@emotion/react';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { Attention } from '../editor/marks.tsx';
import { useKeptFocus } from '../editor/use-kept-focus.ts';
import { isThisComputer } from './this-computer.ts';

const stations = ['Password', 'You', 'Hours', 'Look', 'Ready'] as const;

export type Station = (typeof stations)[number];

/** A screen of the set-up, whose title takes the focus. Enter in a field does what the first button does. */
export function Frame({
  station,
  mark,
  title,
  lead,
  problem,
  onNext,
  foot,
  children,
}: {
  /** Where it is on the line; undefined: before it. */
  station?: Station;
  /** What stands above the title in place of the line. */
  mark?: ReactNode;
  title: string;
  lead: ReactNode;
  /** Why the last press of the button failed, and what to do. */
  problem?: string | undefined;
  onNext?: () => void;
  foot: ReactNode;
  children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useKeptFocus(heading);
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each station
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo(0, 0);
  }, [title]);
  return (
    <Flex asChild direction="column" minH="100dvh">
      {/* post keeps what is typed out of the URL if the browser submits the form itself. */}
      <form
        method="post"
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          onNext?.();
        }}
      >
        {/* What has the focus must not be under the foot. */}
        <Global styles={{ html: { scrollPaddingBottom: '13rem' } }} />
        <Column flex="1" pt={{ base: '6', md: '8' }} pb="8">
          {station ? <Line station={station} /> : mark}
          <Heading
            ref={heading}
            tabIndex={-1}
            outline="none"
            as="h1"
            textStyle="h3"
            fontSize={station === 'Ready' ? '2.75rem' : { base: '1.75rem', md: '2rem' }}
            mt="7"
          >
            {title}
          </Heading>
          <Text color="fg.muted" mt="1.5">
            {lead}
          </Text>
          {children}
        </Column>
        <Box
          as="footer"
          position="sticky"
          bottom="0"
          zIndex="1"
          bg="bg"
          borderTop="2px solid"
          borderColor="hairline"
        >
          <Column py="3">
            {problem !== undefined && (
              <Box mb="2">
                <Attention>{problem}</Attention>
              </Box>
            )}
            <Flex align="center" gap={{ base: '4', md: '6' }} minH="12" wrap="wrap">
              {foot}
              {station !== 'Ready' && (
                <Text
                  ms="auto"
                  textStyle="small"
                  color="fg.muted"
                  flexBasis={{ base: 'full', md: 'auto' }}
                >
                  {whoSees()}
                </Text>
              )}
            </Flex>
          </Column>
        </Box>
      </form>
    </Flex>
  );
}

const whoSees = () =>
  isThisComputer()
    ? 'Only this computer can open this address.'
    : 'Visitors see the sample texts until you change them.';

const Column = chakra('div', {
  base: { w: 'full', maxW: 'calc(628px + 3rem)', mx: 'auto', px: '6' },
});

/** The button that does what the step is for. */
export const NextButton = ({ isBusy, children }: { isBusy: boolean; children: string }) => (
  <Button type="submit" aria-busy={isBusy} flex={{ base: '1', md: 'none' }}>
    {isBusy ? 'Saving …' : children}
  </Button>
);

function Line({ station }: { station: Station }) {
  const current = stations.indexOf(station);
  return (
    <nav aria-label="Steps">
      <Text hideFrom="md" textStyle="small" color="fg.muted" mb="2">
        {current < stations.length - 1
          ? `Step ${current + 1} of ${stations.length - 1}`
          : 'All steps done'}
      </Text>
      <Stations>
        {stations.map((name, i) => (
          <li
            key={name}
            data-state={i < current ? 'done' : i === current ? 'current' : 'to come'}
            aria-current={i === current ? 'step' : undefined}
          >
            {name}
          </li>
        ))}
      </Stations>
    </nav>
  );
}

const Stations = chakra('ol', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(5, 1fr)',
    '& li': {
      position: 'relative',
      pt: '8',
      textStyle: 'small',
      fontSize: { base: '0.8125rem', md: '0.9375rem' },
      color: 'fg.muted',
    },
    '& li[data-state=done], & li[data-state=current]': { color: 'fg' },
    '& li[data-state=done], & li[data-state=current], & li:first-child': { fontWeight: '600' },
    '& li:not(:last-child)::before': {
      content: '""',
      position: 'absolute',
      top: '10px',
      insetStart: '8px',
      insetEnd: '-8px',
      borderTop: '4px solid {colors.hairline}',
    },
    '& li[data-state=done]:not(:last-child)::before': { borderColor: 'line.blue' },
    '& li::after': {
      content: '""',
      position: 'absolute',
      top: '4px',
      insetStart: '0',
      boxSize: '16px',
      borderRadius: '50%',
      bg: 'bg',
      border: '3px solid {colors.field}',
    },
    '& li[data-state=done]::after': { bg: 'line.blue', borderColor: 'line.blue' },
    '& li[data-state=current]::after': {
      boxSize: '24px',
      top: '0',
      border: '5px solid {colors.fg}',
    },
  },
});
