import { Button, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { OwnerAlert } from '../admin/alert.tsx';
import { Panel } from '../admin/panel.tsx';
import { ServerSays } from '../admin/server-says.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { StatusLine } from '../admin/status-line.tsx';
import { useStatus } from '../admin/use-status.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';

/** Where emails go, and a test of the mail server. */
export function EmailPanel() {
  const query = trpc.settings.email.useQuery();
  const isDemo = useStatus()?.isDemo;
  const [sentTo, setSentTo] = useState('');
  const test = trpc.settings.sendTestEmail.useMutation({
    onMutate: () => setSentTo(''),
    onSuccess: () => setSentTo(recipients),
  });
  useLeaveWhenSignedOut(query.error ?? test.error);
  const failure = errorResponseOf(test.error)?.sentence ?? 'Could not send the email. Try again.';
  const [sentence, serverSays] = failure.split('\n');
  const mailServer = query.data?.mailServer;
  const recipients = mailServer?.recipients.join(', ') ?? '';
  return (
    <Panel title="Email">
      {isDemo && (
        <Text mt="3" maxW="65ch">
          The data are made up by the command <code>demo</code>, so the site sends no emails.
        </Text>
      )}
      {mailServer === null && !isDemo && (
        <Text mt="3" maxW="65ch">
          No mail server is set: messages and calls are stored, but nobody gets an email. Set{' '}
          <code>SMTP_URL</code> and <code>CONTACT_TO</code> in the file .env, then restart the site.
          The owner’s guide shows an example (section 4).
        </Text>
      )}
      {mailServer && !isDemo && (
        <>
          <Text mt="3" mb="4" overflowWrap="anywhere">
            <code>{mailServer.host}</code>
            <span>{` sends your emails. Those to you go to ${recipients}.`}</span>
          </Text>
          <Button
            type="button"
            aria-busy={test.isPending}
            onClick={() => test.isPending || test.mutate()}
          >
            Send a test email
          </Button>
          <StatusLine>
            {test.isPending
              ? 'Sending …'
              : sentTo &&
                `The mail server took the email to ${sentTo}. If it does not arrive, look into your spam folder.`}
          </StatusLine>
          {test.error && (
            <OwnerAlert as="div" role="alert" display="block" overflowWrap="anywhere">
              {sentence}
              {serverSays && <ServerSays error={serverSays} />}
            </OwnerAlert>
          )}
        </>
      )}
      {query.isError && (
        <OwnerAlert role="alert">
          Could not load the settings of emails. Reload the page.
        </OwnerAlert>
      )}
    </Panel>
  );
}
