/** The Settings screen. This module is loaded on demand. */
import { Box, Container, chakra, Flex, Grid, Heading } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { OwnerAlert } from '../admin/alert.tsx';
import { AdminBar, AdminHeader } from '../admin/header.tsx';
import { type Status, useStatus } from '../admin/use-status.ts';
import { useMedia } from '../ui/use-media.ts';
import { MarkIcon } from './marks.tsx';
import { entryId, NounList } from './noun-list.tsx';
import { type Noun, nouns } from './nouns.ts';
import { type State, summaryOf } from './states.ts';
import { useFacts } from './use-facts.ts';

/** What the owner can check and change in the browser: a list of parts, and beside it the chosen one. */
export function SettingsPage() {
  const { noun: path } = useParams();
  const status = useStatus();
  const { facts, isLoading } = useFacts();
  const isWide = useMedia(wide);
  const states = new Map(nouns.map((noun) => [noun, noun.stateOf(facts)]));
  const stateOf = (noun: Noun) => (isLoading ? undefined : (states.get(noun) ?? unknown));
  const named = nouns.find((noun) => noun.path === path);
  const first = useFirst(isWide && !named && !isLoading ? states : undefined);
  const content = named ?? first;
  const current = isWide ? content : named;
  useFocusOnChange(current);
  // The content has one place at every width: a turned tablet must not lose what was typed.
  return (
    <>
      {named && !isWide ? (
        <PartHeader status={status} />
      ) : (
        <AdminHeader
          title="Settings"
          subtitle={isLoading ? '\u00A0' : summaryOf([...states.values()])}
          status={status}
        />
      )}
      <Container
        fluid
        pt={{ base: named ? '0' : '4', lg: '6' }}
        pb="16"
        aria-busy={isLoading}
        css={commands}
      >
        <Grid templateColumns={{ lg: '302px minmax(0, 1fr)' }} columnGap="72px">
          {(isWide || !named) && <NounList stateOf={stateOf} current={current} />}
          {content && (
            <NounContent
              key={content.path}
              noun={content}
              state={stateOf(content)}
              isHidden={content !== current}
            />
          )}
        </Grid>
      </Container>
    </>
  );
}

/** The header of a part on a small screen, with the way back to the list. */
function PartHeader({ status }: { status: Status | undefined }) {
  return (
    <header>
      <AdminBar status={status} />
      <Container fluid pt="1">
        <Heading as="h1" textStyle="small" fontWeight="600">
          <BackLink asChild>
            <Link to="/analytics/settings">
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M15 5l-7 7 7 7" />
              </svg>
              <span>Settings</span>
            </Link>
          </BackLink>
        </Heading>
        {status?.alert && (
          <OwnerAlert role="alert" mb="4" whiteSpace="pre-line">
            {status.alert}
          </OwnerAlert>
        )}
      </Container>
    </header>
  );
}

const unknown: State = { mark: 'neutral', words: 'Could not be checked' };

/**
 * What is shown beside the list without a choice: the first part that is broken, or the first one. It stays when states
 * change, and when there is no room for it any more.
 */
function useFirst(states: ReadonlyMap<Noun, State | undefined> | undefined): Noun | undefined {
  const [first, setFirst] = useState<Noun>();
  if (first || !states) return first;
  const found = nouns.find((noun) => states.get(noun)?.mark === 'broken') ?? nouns[0];
  setFirst(found);
  return found;
}

/** Whether there is room for the list beside a part: the breakpoint `lg` of the theme. */
const wide = '(min-width: 62em)';

/** Moves the focus to the heading of the part that the owner went to, or back to its entry in the list. */
function useFocusOnChange(current: Noun | undefined): void {
  const { noun: path } = useParams();
  const last = useRef({ path, current });
  useEffect(() => {
    const before = last.current;
    last.current = { path, current };
    if (before.path === path) return;
    if (current) {
      const heading = document.getElementById(headingId);
      if (heading && heading.getBoundingClientRect().top < 0) scrollTo(0, 0);
      heading?.focus();
    } else if (before.current) {
      document.getElementById(entryId(before.current))?.focus();
    }
  }, [path, current]);
}

const BackLink = chakra('a', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: '2',
    minH: '11',
    '& svg': {
      boxSize: '18px',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: '2.5',
    },
    '& span': {
      textDecoration: 'underline',
      textDecorationThickness: '2px',
      textUnderlineOffset: '6px',
    },
  },
});

const headingId = 'settings-heading';

function NounContent({
  noun: { name, Panel },
  state,
  isHidden,
}: {
  noun: Noun;
  state: State | undefined;
  isHidden: boolean;
}) {
  return (
    <Box
      as="section"
      aria-labelledby={headingId}
      display={isHidden ? 'none' : undefined}
      maxW="906px"
      minW="0"
    >
      <Flex align="center" columnGap="3" minH="11">
        <MarkIcon mark={state?.mark ?? 'neutral'} />
        <Heading
          as="h2"
          id={headingId}
          tabIndex={-1}
          outline="none"
          textStyle="h3"
          fontSize="1.75rem"
        >
          {name}
        </Heading>
      </Flex>
      <Panel />
    </Box>
  );
}

/** What is typed into a terminal or a file. */
const commands = {
  '& code': {
    px: '1',
    bg: 'bg.tint',
    borderRadius: 'button',
    fontFamily: 'monospace',
    fontSize: '0.9em',
  },
};
