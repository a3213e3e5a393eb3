import { Box, Button, DataList, Flex, Link, Text } from '@chakra-ui/react';
import { MainButton } from '../admin/main-button.tsx';
import { ServerSays } from '../admin/server-says.tsx';
import {
  deliveryOf,
  deliveryProblemOf,
  type Folder,
  type Message,
  replyAddress,
  serverSaysOf,
  suspicionOf,
} from './message.ts';

/** Moves a message to a folder, or marks it as unread. */
export type Sort = (message: Message, change: { folder: Folder } | { isRead: false }) => void;

/** The full text of a message and its actions. */
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
  const serverSays = serverSaysOf(message);
  const hasProblem = deliveryProblemOf(message) !== undefined;
  return (
    <Box
      id={`message-${id}-text`}
      pb="6"
      borderBottom="1px solid"
      borderColor="hairline"
      overflowWrap="anywhere"
    >
      <Text maxW="65ch" pt="1" pb="4" whiteSpace="pre-wrap">
        {message.message}
      </Text>
      <DataList.Root
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'max-content minmax(0, 1fr)' }}
        columnGap="6"
        maxW="65ch"
        textStyle="small"
      >
        <DataList.ItemLabel color="fg.muted">Email</DataList.ItemLabel>
        <DataList.ItemValue>
          <Link variant="underline" href={replyAddress(message)}>
            {email}
          </Link>
        </DataList.ItemValue>
        <DataList.ItemLabel color="fg.muted">Notification</DataList.ItemLabel>
        <DataList.ItemValue
          display="block"
          {...(hasProblem && { color: 'line.red', fontWeight: '600' })}
        >
          <Text>{deliveryOf(message, isMailed)}</Text>
          {serverSays && <ServerSays error={serverSays} />}
        </DataList.ItemValue>
      </DataList.Root>
      {suspicion && (
        <Text textStyle="small" color="fg.muted" mt="1">
          {suspicion}
        </Text>
      )}
      <Flex wrap="wrap" align="center" columnGap="5" rowGap="3" mt="5">
        <MainButton asChild>
          <a href={replyAddress(message)}>Reply</a>
        </MainButton>
        {folder === 'inbox' && (
          <Button type="button" onClick={() => onSort(message, { folder: 'archive' })}>
            Archive
          </Button>
        )}
        {folder === 'archive' && (
          <Button type="button" onClick={() => onSort(message, { folder: 'inbox' })}>
            Move to inbox
          </Button>
        )}
        {folder === 'spam' ? (
          <Button type="button" onClick={() => onSort(message, { folder: 'inbox' })}>
            Not spam
          </Button>
        ) : (
          <Button type="button" variant="plain" onClick={() => onSort(message, { folder: 'spam' })}>
            Mark as spam
          </Button>
        )}
        <Button type="button" variant="plain" onClick={() => onSort(message, { isRead: false })}>
          Mark as unread
        </Button>
      </Flex>
    </Box>
  );
}
