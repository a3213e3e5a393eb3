import { chakra } from '@chakra-ui/react';
import { Button } from '../ui/button.tsx';
import {
  deliveryOf,
  type Folder,
  faultOf,
  type Message,
  replyAddress,
  suspicionOf,
} from './message.ts';

/** Puts a message into a folder, or marks it as unread. */
export type Sort = (message: Message, change: { folder: Folder } | { isRead: false }) => void;

/** All of a message, and what can be done with it. */
export function MessageText({
  message,
  isMailed,
  onSort,
}: {
  message: Message;
  isMailed: boolean;
  onSort: Sort;
}) {
  const { id, email, folder } = message;
  const suspicion = suspicionOf(message);
  const hasFault = faultOf(message) !== undefined;
  return (
    <chakra.div
      id={`message-${id}-text`}
      pb="6"
      borderBottom="1px solid"
      borderColor="hairline"
      overflowWrap="anywhere"
    >
      <Words>{message.message}</Words>
      <Facts>
        <dt>E-mail</dt>
        <dd>
          <chakra.a href={replyAddress(message)} textDecoration="underline">
            {email}
          </chakra.a>
        </dd>
        <dt>Letter to you</dt>
        <dd data-fault={hasFault || undefined}>{deliveryOf(message, isMailed)}</dd>
      </Facts>
      {suspicion && (
        <chakra.p textStyle="small" color="fg.muted" mt="1">
          {suspicion}
        </chakra.p>
      )}
      <chakra.div
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        columnGap="5"
        rowGap="3"
        mt="5"
      >
        <Button asChild bg="fg" color="bg" borderColor="fg">
          <a href={replyAddress(message)}>Reply</a>
        </Button>
        {folder === 'inbox' && (
          <Action onClick={() => onSort(message, { folder: 'archive' })}>Archive</Action>
        )}
        {folder === 'archive' && (
          <Action onClick={() => onSort(message, { folder: 'inbox' })}>Back to the inbox</Action>
        )}
        {folder === 'spam' ? (
          <Action onClick={() => onSort(message, { folder: 'inbox' })}>Not spam</Action>
        ) : (
          <Action variant="link" onClick={() => onSort(message, { folder: 'spam' })}>
            Spam
          </Action>
        )}
        <Action variant="link" onClick={() => onSort(message, { isRead: false })}>
          Mark unread
        </Action>
      </chakra.div>
    </chakra.div>
  );
}

function Action({
  variant = 'outline',
  onClick,
  children,
}: {
  variant?: 'outline' | 'link';
  onClick: () => void;
  children: string;
}) {
  return (
    <Button type="button" variant={variant} onClick={onClick}>
      {children}
    </Button>
  );
}

const Words = chakra('p', {
  base: { maxW: '65ch', pt: '1', pb: '4', whiteSpace: 'pre-wrap' },
});

const Facts = chakra('dl', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'max-content minmax(0, 1fr)' },
    columnGap: '6',
    maxW: '65ch',
    textStyle: 'small',
    '& dt': { color: 'fg.muted' },
    '& dd[data-fault]': { color: 'line.red', fontWeight: '600' },
  },
});
