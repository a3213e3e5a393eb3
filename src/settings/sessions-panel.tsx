import { Button, Flex, List, Text } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { dateAndTime } from '../../server/contract/times.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { StatusLine } from '../admin/status-line.tsx';
import { errorResponseOf, trpc } from '../api/trpc.ts';

/** The browsers that are signed in. Each other one can be signed out. */
export function SessionsPanel() {
  const { client } = trpc.useUtils();
  const query = trpc.auth.sessions.useQuery();
  const [error, setError] = useState<unknown>();
  useLeaveWhenSignedOut(query.error ?? error);
  const [status, setStatus] = useState('');
  const statusRef = useRef<HTMLParagraphElement>(null);
  const sessions = query.data?.sessions ?? [];
  const others = sessions.filter(({ isThis }) => !isThis);

  const signOut = async (send: () => Promise<unknown>, done: string) => {
    try {
      await send();
      await query.refetch();
      setStatus(done);
    } catch (cause) {
      setError(cause);
      setStatus(errorResponseOf(cause)?.sentence ?? 'Could not sign the browser out. Try again.');
    }
    // The focused button may be gone.
    statusRef.current?.focus();
  };
  return (
    <>
      <List.Root as="ul">
        {sessions.map(({ id, browser: name, createdAt, seenAt, isThis }) => {
          return (
            <List.Item
              key={id}
              display="flex"
              alignItems="center"
              justifyContent="space-between"
              columnGap="4"
              py="3"
              borderBottom="1px solid"
              borderColor="hairline"
            >
              <div>
                <Text fontWeight="600">{isThis ? `${name} (this browser)` : name}</Text>
                <Text textStyle="small" color="fg.muted">
                  {isThis
                    ? `Signed in ${dateAndTime(createdAt)}`
                    : `Signed in ${dateAndTime(createdAt)}. Last seen ${dateAndTime(seenAt)}, or up to an hour later`}
                </Text>
              </div>
              {!isThis && (
                <Button
                  type="button"
                  minH="11"
                  flexShrink="0"
                  aria-label={`Sign out ${name}, signed in ${dateAndTime(createdAt)}`}
                  onClick={() =>
                    void signOut(
                      () => client.auth.endSession.mutate({ id }),
                      `${name} was signed out.`,
                    )
                  }
                >
                  Sign out
                </Button>
              )}
            </List.Item>
          );
        })}
      </List.Root>
      {query.isError && (
        <OwnerAlert role="alert">Could not load the browsers. Reload the page.</OwnerAlert>
      )}
      <StatusLine ref={statusRef}>{status}</StatusLine>
      {others.length > 0 && (
        <Flex mt="2">
          <Button
            type="button"
            onClick={() =>
              void signOut(
                () => client.auth.endOtherSessions.mutate(),
                'All other browsers were signed out.',
              )
            }
          >
            Sign out all others
          </Button>
        </Flex>
      )}
    </>
  );
}
