import { Button, Flex, Text } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { OwnerAlert } from '../admin/alert.tsx';
import { Confirm } from '../admin/confirm.tsx';
import { Note } from '../admin/panel.tsx';
import { ServerSays } from '../admin/server-says.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { StatusLine } from '../admin/status-line.tsx';
import { useStatus } from '../admin/use-status.ts';
import { trpc } from '../api/trpc.ts';
import { deleteTyped, EmailForm } from './email-form.tsx';
import { messageOf } from './message-of.ts';

/** The mail server: sets it, tests it and clears it. */
export function EmailPanel() {
  const utils = trpc.useUtils();
  const connections = trpc.connections.list.useQuery();
  const query = trpc.settings.email.useQuery();
  const isDemo = useStatus()?.isDemo;
  const [isOpen, setIsOpen] = useState(false);
  const [result, setResult] = useState<Result>();
  const statusRef = useRef<HTMLParagraphElement>(null);
  const [refusal, setRefusal] = useState<unknown>();
  const [clearError, setClearError] = useState<unknown>();
  /** What became of the act before does not stay beside the next one. */
  const begin = () => {
    setResult(undefined);
    setRefusal(undefined);
    setClearError(undefined);
  };
  const refresh = () => Promise.all([connections.refetch(), query.refetch()]);
  const show = (next: Result) => {
    setResult(next);
    // The focused button is gone.
    requestAnimationFrame(() => statusRef.current?.focus());
  };
  const set = trpc.connections.set.useMutation({
    gcTime: 0,
    onMutate: begin,
    onError: setRefusal,
    // Keeps no password in memory.
    onSettled: (): void => set.reset(),
    async onSuccess() {
      deleteTyped();
      setIsOpen(false);
      await refresh();
      show('asked');
    },
  });
  const test = trpc.settings.sendTestEmail.useMutation({
    onMutate: begin,
    onSuccess: () => show('asked'),
  });
  const cancel = () => {
    deleteTyped();
    setRefusal(undefined);
    setIsOpen(false);
  };
  const clear = async () => {
    begin();
    try {
      await utils.client.connections.clear.mutate({ name: 'email' });
      await refresh();
      show('cleared');
    } catch (error) {
      setClearError(error);
    }
  };
  useLeaveWhenSignedOut(connections.error, query.error, refusal, test.error, clearError);
  const connection = connections.data?.connections.find(({ name }) => name === 'email');
  const mailServer = query.data?.mailServer;
  const recipients = mailServer?.recipients.join(', ') ?? '';
  const isUnset = connection?.state === 'unset';
  const [sentence, serverSays] = messageOf(
    test.error ?? clearError,
    'Could not send the email. Try again.',
  ).split('\n');
  return (
    <>
      {isDemo && (
        <Text mt="3" maxW="65ch">
          The data are made up by the command <code>demo</code>, so the site sends no emails.
        </Text>
      )}
      {connection && !isDemo && (
        <>
          {isUnset && (
            <Text mt="3" maxW="65ch">
              Messages and calls are stored, but nobody gets an email. Connect the account that
              sends yours.
            </Text>
          )}
          {connection.problem !== undefined && (
            <OwnerAlert role="alert">{connection.problem}</OwnerAlert>
          )}
          {mailServer && (
            <Text mt="3" overflowWrap="anywhere">
              <code>{connection.hint ?? mailServer.host}</code>
              <span>{` sends your emails. Those to you go to ${recipients}.`}</span>
            </Text>
          )}
          {connection.state === 'environment' && (
            <Note>{`Set on the server (${connection.variables?.join(', ')}). To change it here, remove it there.`}</Note>
          )}
          {isUnset || isOpen ? (
            <EmailForm
              error={refusal ? messageOf(refusal, 'Could not try it. Try again.') : ''}
              isBusy={set.isPending}
              stored={connection.fields}
              locked={connection.variables ?? []}
              onTry={(value) => set.isPending || set.mutate({ name: 'email', value })}
              onCancel={isUnset ? undefined : cancel}
            />
          ) : (
            <Flex wrap="wrap" align="center" columnGap="5" rowGap="3" mt="4">
              <Button
                type="button"
                aria-busy={test.isPending}
                onClick={() => test.isPending || test.mutate()}
              >
                Send a test email
              </Button>
              {connection.state === 'browser' && (
                <>
                  <Button type="button" onClick={() => setIsOpen(true)}>
                    Change
                  </Button>
                  <Confirm
                    label="Disconnect"
                    question="Disconnect the mail server? Nobody gets an email then."
                    confirm="Disconnect"
                    keep="Keep it"
                    onConfirm={clear}
                  />
                </>
              )}
            </Flex>
          )}
          <StatusLine ref={statusRef}>
            {set.isPending || test.isPending ? 'Trying …' : sentenceOf(result, recipients)}
          </StatusLine>
          {result === 'asked' && (
            <Flex gap="4" mt="2">
              <Button type="button" minH="11" onClick={() => show('arrived')}>
                Yes, it arrived
              </Button>
              <Button type="button" minH="11" onClick={() => show('missing')}>
                No
              </Button>
            </Flex>
          )}
          {(test.error || clearError !== undefined) && (
            <OwnerAlert as="div" role="alert" display="block" overflowWrap="anywhere">
              {sentence}
              {serverSays && <ServerSays error={serverSays} />}
            </OwnerAlert>
          )}
        </>
      )}
      {(connections.isError || query.isError) && (
        <OwnerAlert role="alert">
          Could not load the settings of emails. Reload the page.
        </OwnerAlert>
      )}
    </>
  );
}

/** What became of the last act; `asked` after a test email was sent. */
type Result = 'asked' | 'arrived' | 'missing' | 'cleared';

function sentenceOf(result: Result | undefined, recipients: string): string {
  if (result === undefined) return '';
  return {
    asked: `The mail server took the email to ${recipients}. Did it arrive?`,
    arrived: 'Good. Messages, calls and alerts reach you in the same way.',
    missing: 'Look into your spam folder. Still nothing: check the address above.',
    cleared: 'The mail server is disconnected.',
  }[result];
}
