import { Box, Button, chakra, Text } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { routes } from '../../server/contract/routes.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { Note } from '../admin/panel.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { trpc } from '../api/trpc.ts';
import { actInWords } from './act-words.ts';
import { whenInWords } from './when.ts';

/** What was done with the owner’s rights, the newest first. */
export function LogPanel() {
  const { client } = trpc.useUtils();
  const query = useInfiniteQuery({
    queryKey: [routes['auth.log'].path, 'pages'],
    queryFn: ({ pageParam, signal }) => client.auth.log.query({ before: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  useLeaveWhenSignedOut(query.error);
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const now = Date.now();
  return (
    <>
      <Note mt="1">
        What was done here, and who tried to sign in. Acts stay for a year, sign-ins for 90 days.
      </Note>
      <Entries aria-busy={query.isLoading}>
        {entries.map((entry, index) => {
          const { what, by, isRefused } = actInWords(entry);
          return (
            // Two entries can be equal, and none moves: new ones come with a reload.
            // biome-ignore lint/suspicious/noArrayIndexKey: the entries have no other identity
            <li key={index} data-refused={isRefused ? '' : undefined}>
              <time dateTime={entry.at}>{whenInWords(entry.at, now)}</time>
              <Box minW="0" overflowWrap="anywhere">
                <Text data-what="">{what}</Text>
                <Text textStyle="small" data-by="">
                  {by}
                </Text>
              </Box>
            </li>
          );
        })}
      </Entries>
      {query.data && entries.length === 0 && <Note>There is no entry yet.</Note>}
      {query.isError && (
        <OwnerAlert role="alert">Could not load the log. Reload the page.</OwnerAlert>
      )}
      {query.hasNextPage && (
        <Button
          type="button"
          mt="4"
          aria-busy={query.isFetchingNextPage}
          onClick={() => void (query.isFetching || query.fetchNextPage())}
        >
          Show more
        </Button>
      )}
    </>
  );
}

const Entries = chakra('ul', {
  base: {
    mt: '3',
    '& li': {
      display: 'grid',
      gridTemplateColumns: { base: '1fr', sm: '13rem 1fr' },
      columnGap: '4',
      py: '3',
      borderBottom: '1px solid {colors.hairline}',
    },
    '& time': { textStyle: 'small', color: 'fg.muted', lineHeight: '1.6' },
    '& [data-by]': { color: 'fg.muted' },
    '& [data-refused] :is([data-what], [data-by])': { color: 'line.red' },
    '& [data-refused] [data-what]': { fontWeight: '600' },
  },
});
