/** The inbox screen. This module is loaded on demand. */
import { Button, chakra, Flex } from '@chakra-ui/react';
import { Link, useSearchParams } from 'react-router-dom';
import { OwnerAlert } from '../admin/alert.tsx';
import { EmptyState } from '../admin/empty-state.tsx';
import { timeOfDay } from '../admin/format.ts';
import { AdminHeader } from '../admin/header.tsx';
import { useDownload } from '../admin/owner-api.tsx';
import { RefreshButton } from '../admin/refresh-button.tsx';
import { ScreenContent } from '../admin/screen.tsx';
import { StatusLine } from '../admin/status-line.tsx';
import { Time } from '../admin/time.tsx';
import { useStatus } from '../admin/use-status.ts';
import { EmptySpam } from './empty-spam.tsx';
import { FolderLinks } from './folder-links.tsx';
import { type Folder, folders } from './message.ts';
import { MessageList } from './message-list.tsx';
import { Search } from './search.tsx';
import { useMessageActions } from './use-message-actions.ts';
import { useMessages } from './use-messages.ts';

/** The messages of the contact form, by folder, with search. */
export function InboxPage() {
  const [params, setParams] = useSearchParams();
  const folder = folders.find((one) => one === params.get('folder')) ?? 'inbox';
  const search = params.get('search') ?? '';
  const inbox = useMessages({ folder, search });
  const { unread, read, isMailed } = inbox;
  const siteStatus = useStatus();
  const onDownload = useDownload();
  const { openId, toggle, sort, status, announce, statusRef } = useMessageActions(inbox);

  const showMore = async () => {
    // After the last page the button is removed: keep the focus, and do not scroll past the new messages.
    if (await inbox.more()) statusRef.current?.focus({ preventScroll: true });
  };
  const refresh = async () => {
    announce('');
    const { isError } = await inbox.refresh();
    announce(
      isError ? 'Could not load the messages. Try again.' : `Updated at ${timeOfDay(Date.now())}.`,
    );
  };
  const emptySpam = async () => {
    const isDone = await inbox.emptySpam();
    announce(
      isDone ? 'Spam older than two minutes was deleted.' : 'Could not empty spam. Try again.',
    );
    statusRef.current?.focus();
  };
  const find = (text: string) =>
    setParams({ ...(folder !== 'inbox' && { folder }), ...(text && { search: text }) });

  const lists = { folder, openId, isMailed, onToggle: toggle, onSort: sort };
  const [emptyTitle, emptyHint] = search
    ? [`No messages match “${search}”`, 'Only this folder was searched.']
    : emptyStates[folder];
  const isEmpty = unread.length + read.length === 0;
  return (
    <>
      <AdminHeader
        title="Messages"
        subtitle="Messages from your contact form"
        status={{ ...siteStatus, unread: inbox.counts?.inbox.unread }}
      >
        <RefreshButton
          what="messages"
          isFetching={inbox.isFetching}
          onClick={() => void refresh()}
        />
      </AdminHeader>
      <ScreenContent pt="6" isLoading={inbox.counts === undefined && !inbox.hasFailed}>
        <Flex wrap="wrap" justify="space-between" columnGap="6" rowGap="3">
          <FolderLinks folder={folder} counts={inbox.counts} />
          <Search search={search} onSearch={find} />
        </Flex>
        {!isMailed && !siteStatus?.isDemo && (
          <OwnerAlert maxW="65ch">
            Messages are stored here but not emailed to you: no mail server is configured.{' '}
            <Link to="/analytics/settings/email">Connect one under Settings.</Link>
          </OwnerAlert>
        )}
        <StatusLine ref={statusRef}>
          <span>{status.text}</span>{' '}
          {status.undo && (
            <chakra.button
              type="button"
              fontWeight="700"
              textDecoration="underline"
              cursor="pointer"
              onClick={status.undo}
            >
              Undo
            </chakra.button>
          )}
        </StatusLine>
        {inbox.hasFailed && (
          <OwnerAlert role="alert" maxW="65ch">
            Could not load the messages. Retrying every 30 seconds.
          </OwnerAlert>
        )}
        {folder === 'spam' && inbox.counts !== undefined && inbox.counts.spam.all > 0 && (
          <EmptySpam count={inbox.counts.spam.all} onEmpty={emptySpam} />
        )}
        <MessageList title="Unread" messages={unread} {...lists} />
        <MessageList
          title={unread.length > 0 ? 'Read' : titles[folder]}
          messages={read}
          {...lists}
        />
        {isEmpty && !inbox.isLoading && !inbox.hasFailed && (
          <EmptyState title={emptyTitle} hint={emptyHint} />
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
            Download all messages:{' '}
            <a href="/api/messages.csv" download onClick={onDownload}>
              CSV
            </a>
            ,{' '}
            <a href="/api/messages.json" download onClick={onDownload}>
              JSON
            </a>
          </p>
          {inbox.receivedAt !== undefined && (
            <p>
              Last updated <Time at={inbox.receivedAt} />
            </p>
          )}
        </Foot>
      </ScreenContent>
    </>
  );
}

const titles: Record<Folder, string> = { inbox: 'Read', archive: 'Archived', spam: 'Spam' };

/** The empty state of each folder. */
const emptyStates: Record<Folder, [title: string, hint: string]> = {
  inbox: ['No messages', 'Messages from your contact form appear here.'],
  archive: ['Nothing archived', 'Archive messages that you have answered.'],
  spam: ['No spam', 'Messages that look like spam appear here. They are deleted after 30 days.'],
};

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
