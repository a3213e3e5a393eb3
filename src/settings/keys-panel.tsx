import { Box, List, Text } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import type { Outputs } from '../../server/contract/api.ts';
import { dateAndTime } from '../../server/contract/times.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { Confirm } from '../admin/confirm.tsx';
import { Details } from '../admin/details.tsx';
import { Note } from '../admin/panel.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { StatusLine } from '../admin/status-line.tsx';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { KeyForm, NewSecretBox } from './key-form.tsx';
import { messageOf } from './message-of.ts';

type Key = Outputs['keys']['list']['keys'][number];

/** The API keys of other programs: creates one, shows it once, lists and revokes them. */
export function KeysPanel() {
  const utils = trpc.useUtils();
  const query = trpc.keys.list.useQuery();
  const create = trpc.keys.create.useMutation({
    // Keeps no key in memory that is not shown.
    gcTime: 0,
    onSuccess: () => {
      setIsOpen(false);
      setStatus('');
      void query.refetch();
    },
  });
  const [isOpen, setIsOpen] = useState(false);
  const [revokeError, setRevokeError] = useState<unknown>();
  const [status, setStatus] = useState('');
  const statusRef = useRef<HTMLParagraphElement>(null);
  useLeaveWhenSignedOut(query.error ?? create.error ?? revokeError);

  const revoke = async ({ id, name }: Key) => {
    try {
      await utils.client.keys.revoke.mutate({ id });
      await query.refetch();
      setStatus(`${name} was revoked.`);
    } catch (cause) {
      setRevokeError(cause);
      setStatus(errorResponseOf(cause)?.sentence ?? 'Could not revoke the key. Try again.');
    }
    // The focused button is gone.
    statusRef.current?.focus();
  };
  return (
    <>
      <Note>
        A key lets another program, such as a spreadsheet or a checkout, read your data or report
        sales. A new password does not revoke it. docs/api.md describes the calls.
      </Note>
      {create.data && (
        <NewSecretBox
          label="Your new API key"
          value={create.data.key}
          onDone={() => create.reset()}
        />
      )}
      <Details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>Create an API key</summary>
        {/* Empty again after each key. */}
        {isOpen && (
          <KeyForm
            error={
              create.error ? messageOf(create.error, 'Could not create the key. Try again.') : ''
            }
            isBusy={create.isPending}
            onCreate={(key) => create.mutate(key)}
          />
        )}
      </Details>
      <List.Root as="ul" maxW="48rem">
        {query.data?.keys.map((key) => (
          <List.Item
            key={key.id}
            display="flex"
            flexWrap="wrap"
            alignItems="center"
            justifyContent="space-between"
            columnGap="4"
            rowGap="2"
            py="3"
            borderBottom="1px solid"
            borderColor="hairline"
          >
            <Box flex="1 1 16rem">
              <Text fontWeight="600">{key.name}</Text>
              <Text textStyle="small" color="fg.muted">
                {!key.isInEnvironment && (
                  <>
                    <code>{`${key.id}…`}</code>{' '}
                  </>
                )}
                <span>{key.scopes.join(', ')}</span>
              </Text>
              <Text textStyle="small" color="fg.muted">
                {historyOf(key)}
              </Text>
            </Box>
            {!key.isInEnvironment && (
              <Confirm
                label="Revoke"
                name={`Revoke ${key.name}, ${key.id}`}
                question="Revoke this key? The program that uses it stops working."
                confirm="Revoke"
                keep="Cancel"
                onConfirm={() => revoke(key)}
              />
            )}
          </List.Item>
        ))}
      </List.Root>
      {query.data?.keys.length === 0 && <Note>There is no API key yet.</Note>}
      {query.isError && (
        <OwnerAlert role="alert">Could not load the API keys. Reload the page.</OwnerAlert>
      )}
      <StatusLine ref={statusRef}>{status}</StatusLine>
    </>
  );
}

function historyOf({ createdAt, usedAt, isInEnvironment }: Key): string {
  if (isInEnvironment) return 'Set in the environment';
  const created = createdAt ? `Created ${dateAndTime(createdAt)}. ` : '';
  return `${created}${usedAt ? `Last used ${dateAndTime(usedAt)}, or up to an hour later` : 'Never used'}`;
}
