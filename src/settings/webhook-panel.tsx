import { Text } from '@chakra-ui/react';
import { useState } from 'react';
import { OwnerAlert } from '../admin/alert.tsx';
import { Note } from '../admin/panel.tsx';
import {
  Change,
  ConnectionStatus,
  CouldNotLoad,
  LockedField,
  Part,
  SecretForm,
} from './connection-parts.tsx';
import { NewSecretBox } from './key-form.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { useConnection } from './use-connection.ts';

/** What other programs get from the site and may ask it. */
export function WebhooksPanel() {
  return (
    <>
      <Part title="Webhook">
        <Webhook />
      </Part>
      <Part title="API keys">
        <KeysPanel />
      </Part>
    </>
  );
}

/** The receiver of the site’s events: sets, changes and removes it, and shows its secret once. */
function Webhook() {
  const webhook = useConnection('webhook');
  const [secret, setSecret] = useState<string>();
  const { connection } = webhook;
  if (webhook.isMissing) return <CouldNotLoad />;
  if (!connection) return null;
  const { state, hint, problem } = connection;
  const isUnset = state === 'unset';
  const save = async (url: string) => {
    const result = await webhook.set(
      { url },
      // The new secret takes the focus.
      { say: ({ secret }) => (secret ? '' : 'It answers, and gets each event from now on.') },
    );
    if (!result) return undefined;
    // The same address keeps its secret, which may not be copied yet.
    setSecret((before) => result.secret ?? before);
    return result;
  };
  return (
    <>
      {state === 'environment' && (
        <LockedField label="Address of the webhook" connection={connection} />
      )}
      {state === 'browser' && (
        <>
          {problem !== undefined && <OwnerAlert role="alert">{problem}</OwnerAlert>}
          <Text mt="3" overflowWrap="anywhere">
            <strong>{hint ?? 'Your receiver'}</strong>
            <span> gets each message, booking, sale, refund and alert.</span>
          </Text>
        </>
      )}
      {secret !== undefined && state === 'browser' && (
        <NewSecretBox label="Signing secret" value={secret} onDone={() => setSecret(undefined)} />
      )}
      {(isUnset || webhook.isReplacing) && (
        <SecretForm
          label="Tell this address about bookings and sales"
          placeholder="https://"
          help={
            <Note mt="1">
              Zapier, Make, n8n or your own program gives it to you. A secret signs each event.
            </Note>
          }
          submit="Try and save"
          error={webhook.errorAt('form')}
          isBusy={webhook.isBusy}
          onTry={save}
          onCancel={isUnset ? undefined : webhook.cancel}
        />
      )}
      {state === 'browser' && !webhook.isReplacing && (
        <Change
          of={webhook}
          replace="Change the address"
          clear="Remove"
          question="Remove the webhook? Events that still wait for it are erased."
          done="The webhook is removed."
        />
      )}
      <ConnectionStatus of={webhook} />
    </>
  );
}
