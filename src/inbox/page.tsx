/** The owner's messages. Fetched when they are opened. */
import { chakra } from '@chakra-ui/react';
import { Link, useSearchParams } from 'react-router-dom';
import { timeOfDay } from '../admin/format.ts';
import { RefreshButton } from '../admin/refresh-button.tsx';
import { Button } from '../ui/button.tsx';
import { EmptySpam } from './empty-spam.tsx';
import { FolderLinks } from './folder-links.tsx';
import { type Folder, folders } from './message.ts';
import { MessageList } from './message-list.tsx';
import { Search } from './search.tsx';
import { useMessages } from './use-messages.ts';
import { useSorting } from './use-sorting.ts';

/** What visitors wrote, folder by folder. */
export function InboxPage() {
  const [params, setParams] = useSearchParams();
  const folder = folders.find((one) => one === params.get('folder')) ?? 'inbox';
  const search = params.get('search') ?? '';
  const inbox = useMessages({ folder, search });
  const { fresh, read, isMailed } = inbox;
  const { openId, toggle, sort, said, say, status } = useSorting(inbox);

  const showMore = async () => {
    // The button that was pressed is gone after the last page. The focus must not go with it, nor the
    // reader be carried past the new ones.
    if (await inbox.more()) status.current?.focus({ preventScroll: true });
  };
  const refresh = async () => {
    say('');
    const { isError } = await inbox.refresh();
    say(isError ? 'The messages could not be fetched.' : `Updated at ${timeOfDay(Date.now())}.`);
  };
  const emptySpam = async () => {
    const isDone = await inbox.emptySpam();
    say(
      isDone
        ? 'Spam older than two minutes was deleted.'
        : 'Could not empty spam. Please try again.',
    );
    status.current?.focus();
  };
  const find = (text: string) =>
    setParams({ ...(folder !== 'inbox' && { folder }), ...(text && { search: text }) });

  const lists = { folder, openId, isMailed, onToggle: toggle, onSort: sort };
  const isEmpty = fresh.length + read.length === 0;
  return (
    <>
      <Header>
        <div>
          <chakra.h1 textStyle="h2" fontSize="clamp(1.75rem, 1.4rem + 1.6vw, 2.5rem)">
            Messages
          </chakra.h1>
          <chakra.p color="fg.muted" mt="1">
            What visitors wrote with your contact form
          </chakra.p>
        </div>
        <chakra.div display="flex" flexWrap="wrap" gap="3">
          <RefreshButton
            what="messages"
            isFetching={inbox.isFetching}
            onClick={() => void refresh()}
          />
          <Button asChild>
            <Link to="/analytics">Dashboard</Link>
          </Button>
        </chakra.div>
      </Header>
      <chakra.div px="gutter" pt="6" pb="16">
        <chakra.div
          display="flex"
          flexWrap="wrap"
          justifyContent="space-between"
          columnGap="6"
          rowGap="3"
        >
          <FolderLinks folder={folder} counts={inbox.counts} />
          <Search search={search} onSearch={find} />
        </chakra.div>
        {!isMailed && (
          <Note>
            Messages are kept here and not mailed to you, since no mail server is set. The owner’s
            guide says how, under SMTP_URL.
          </Note>
        )}
        <chakra.p
          ref={status}
          role="status"
          tabIndex={-1}
          outline="none"
          mt="3"
          minH="6"
          textStyle="small"
        >
          {said.text}{' '}
          {said.undo && (
            <chakra.button
              type="button"
              fontWeight="700"
              textDecoration="underline"
              cursor="pointer"
              onClick={said.undo}
            >
              Undo
            </chakra.button>
          )}
        </chakra.p>
        {inbox.hasFailed && (
          <Note role="alert">
            The messages could not be fetched. They are tried again every 30 seconds.
          </Note>
        )}
        {folder === 'spam' && inbox.counts !== undefined && inbox.counts.spam.all > 0 && (
          <EmptySpam count={inbox.counts.spam.all} onEmpty={emptySpam} />
        )}
        <MessageList title="Unread" messages={fresh} {...lists} />
        <MessageList
          title={fresh.length > 0 ? 'Read' : titles[folder]}
          messages={read}
          {...lists}
        />
        {isEmpty && !inbox.isLoading && !inbox.hasFailed && (
          <Empty folder={folder} search={search} />
        )}
        <Foot>
          {inbox.hasMore && (
            <Button
              type="button"
              aria-busy={inbox.isFetching}
              onClick={() => void (inbox.isFetching || showMore())}
            >
              Show more
            </Button>
          )}
          <p>
            All messages as a file:{' '}
            <a href="/api/messages.csv" download>
              CSV
            </a>
            ,{' '}
            <a href="/api/messages.json" download>
              JSON
            </a>
          </p>
          {inbox.receivedAt !== undefined && (
            <p>
              Last updated{' '}
              <time dateTime={new Date(inbox.receivedAt).toISOString()}>
                {timeOfDay(inbox.receivedAt)}
              </time>
            </p>
          )}
        </Foot>
      </chakra.div>
    </>
  );
}

const titles: Record<Folder, string> = { inbox: 'Read', archive: 'Archived', spam: 'Spam' };

function Empty({ folder, search }: { folder: Folder; search: string }) {
  const [title, hint] = search
    ? [`Nothing here holds “${search}”`, 'Other folders are searched by themselves.']
    : emptiness[folder];
  return (
    <chakra.div py="6">
      <chakra.p textStyle="h4">{title}</chakra.p>
      <chakra.p color="fg.muted" mt="1">
        {hint}
      </chakra.p>
    </chakra.div>
  );
}

const emptiness: Record<Folder, [title: string, hint: string]> = {
  inbox: ['No messages', 'What somebody writes with your contact form is here at once.'],
  archive: ['Nothing archived', 'Archive a message once you have answered it.'],
  spam: ['No spam', 'Messages that look like spam come here. They are deleted after 30 days.'],
};

const Header = chakra('header', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: '6',
    rowGap: '4',
    px: 'gutter',
    py: '5',
    borderBottom: '4px solid {colors.fg}',
  },
});

const Note = chakra('p', {
  base: {
    mt: '5',
    ps: '4',
    maxW: '65ch',
    borderInlineStart: '6px solid {colors.line.red}',
    fontWeight: '600',
  },
});

const Foot = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '6',
    rowGap: '3',
    mt: '10',
    textStyle: 'small',
    color: 'fg.muted',
    fontVariantNumeric: 'tabular-nums',
    '& a': { color: 'fg', fontWeight: '600', textDecoration: 'underline' },
    '& button': { color: 'fg' },
  },
});
