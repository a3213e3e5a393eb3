/** What was published and discarded, newest first, and the way back to it. */
import { Box, Button, chakra, Flex, Strong, Text } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Outputs } from '../../server/contract/api.ts';
import { isWithin } from '../../server/contract/document-changes.ts';
import { routes } from '../../server/contract/routes.ts';
import { trpc } from '../api/trpc.ts';
import { stop } from '../theme/stop.ts';
import { useEditor } from './context.ts';
import { Attention } from './marks.tsx';
import type { Section } from './sections.ts';
import { SidePanel } from './side-panel.tsx';

type Version = Outputs['site']['versions']['versions'][number];

export function HistoryPanel({
  sections,
  shown,
  onLook,
  onRestore,
  onClose,
}: {
  sections: readonly Section[];
  /** The version in the preview. */
  shown: number | undefined;
  onLook: (version: number | undefined) => void;
  /** Resolves with a sentence when it fails. */
  onRestore: (version: number) => Promise<string | undefined>;
  onClose: () => void;
}) {
  const { state, isLocked } = useEditor();
  const [error, setError] = useState<string>();
  const { client } = trpc.useUtils();
  const list = useInfiniteQuery({
    queryKey: [routes['site.versions'].path],
    queryFn: ({ pageParam, signal }) =>
      client.site.versions.query({ before: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const versions = list.data?.pages.flatMap((page) => page.versions) ?? [];
  return (
    <SidePanel title="History" onClose={onClose}>
      <Text textStyle="small" color="fg.muted" mb="3">
        Everything you published is kept, with its photos.
      </Text>
      {list.isError && <Attention>Could not load this. Reload the page.</Attention>}
      {error !== undefined && <Attention>{error}</Attention>}
      {list.data && versions.length === 0 && <Text>Nothing was published here yet.</Text>}
      <Stops>
        {versions.map((version) => {
          const isLive = version.version === state.version?.version;
          const isShown = version.version === shown;
          return (
            <li
              key={version.version}
              data-kind={isLive ? 'live' : version.state}
              data-shown={isShown || undefined}
            >
              <Strong>{whenOf(version.at)}</Strong> <State isLive={isLive} state={version.state} />
              <Text textStyle="small" color="fg.muted">
                {summaryOf(version, sections)}
              </Text>
              {!isLive && (
                <Flex gap="4" mt="1">
                  <Button
                    type="button"
                    variant="plain"
                    minH="8"
                    fontSize="0.9375rem"
                    onClick={() => onLook(isShown ? undefined : version.version)}
                  >
                    {isShown ? 'Close' : 'Look at it'}
                  </Button>
                  {!isLocked && (
                    <Button
                      type="button"
                      variant="plain"
                      minH="8"
                      fontSize="0.9375rem"
                      onClick={() => void onRestore(version.version).then(setError)}
                    >
                      Bring it back
                    </Button>
                  )}
                </Flex>
              )}
            </li>
          );
        })}
      </Stops>
      {list.hasNextPage && (
        <Button
          type="button"
          minH="11"
          mt="3"
          aria-busy={list.isFetching}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </SidePanel>
  );
}

const State = ({ isLive, state }: { isLive: boolean; state: Version['state'] }) => (
  <Box as="span" color={isLive ? 'line.green' : 'fg.muted'} fontWeight={isLive ? '700' : '400'}>
    {isLive
      ? 'Live'
      : { published: '', discarded: 'Discarded draft', file: 'From site.config.ts' }[state]}
  </Box>
);

/** `Hero (2), FAQ (1) · “New prices”` */
function summaryOf({ paths, note }: Version, sections: readonly Section[]): string {
  const counts = sections.flatMap(({ title, paths: own }) => {
    const count = paths.filter((path) => isWithin(path, own)).length;
    return count > 0 ? [`${title} (${count})`] : [];
  });
  const changed = counts.join(', ') || 'First version';
  return note === undefined ? changed : `${changed} · “${note}”`;
}

/** `Today, 9:42 AM`, or `Nov 19, 4:10 PM`, with the year when it is another one. */
function whenOf(at: string): string {
  const [date, today] = [new Date(at), new Date()];
  const time = date.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
  if (date.toDateString() === today.toDateString()) return `Today, ${time}`;
  const year = date.getFullYear() === today.getFullYear() ? undefined : 'numeric';
  const day = date.toLocaleDateString('en-US', { month: 'short', day: 'numeric', year });
  return `${day}, ${time}`;
}

const Stops = chakra('ul', {
  base: {
    listStyleType: 'none',
    '& li': { position: 'relative', ps: '8', pb: '4', overflowWrap: 'anywhere' },
    '& li[data-shown]': { bg: 'bg.tint' },
    '& li:not(:last-child)::before': {
      content: '""',
      position: 'absolute',
      insetStart: '9px',
      top: '14px',
      bottom: '-6px',
      w: '4px',
      bg: 'fg',
    },
    '& li::after': { ...stop({ size: 18 }), insetStart: '2px', top: '4px' },
    '& [data-kind=live]::after': { borderColor: 'line.green' },
    '& [data-kind=discarded]::after': { borderColor: 'field' },
    '& [data-shown]::after': { borderColor: 'line.blue' },
  },
});
