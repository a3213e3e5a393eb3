import { Box, Button, Flex, List, Text } from '@chakra-ui/react';
import { newKeyAddress, rights, stripeEvents } from '../../server/contract/stripe.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { Details } from '../admin/details.tsx';
import { Note } from '../admin/panel.tsx';
import { trpc } from '../api/trpc.ts';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { CheckoutPart } from './checkout-part.tsx';
import {
  Change,
  ConnectionStatus,
  CouldNotLoad,
  dashed,
  Facts,
  LockedField,
  SecretForm,
  Steps,
} from './connection-parts.tsx';
import { CopyField } from './copy-field.tsx';
import { type Connection, useConnection } from './use-connection.ts';
import { whenInWords } from './when.ts';

/** Stripe: connects it by one key, shows what is connected, and chooses the checkout from its Payment Links. */
export function PaymentsPanel() {
  const stripe = useConnection('stripe');
  const { connection, isBusy } = stripe;
  if (stripe.isMissing) return <CouldNotLoad />;
  if (!connection) return null;
  const { state, account } = connection;
  const connect = (value: Parameters<typeof stripe.set>[0], at: 'form' | 'second form' = 'form') =>
    stripe.set(value, {
      at,
      // The account is said above.
      say: ({ connection: { hint = '', account } }) =>
        hint
          .replace(`Connected to ${nameOf(account)}`, '')
          .replace(/^\. |^(Key|Webhook) …\w+$/, '') || 'Sales are counted from now on.',
    });
  const isUnset = state === 'unset';
  return (
    <>
      {state === 'environment' && <LockedField label="Stripe" connection={connection} />}
      {isUnset && (
        <Text mt="3">Paste one restricted key of Stripe. The site sets up the rest.</Text>
      )}
      {state === 'browser' && <Connected connection={connection} />}
      {(isUnset || stripe.isReplacing) && (
        <KeySteps
          error={stripe.errorAt('form')}
          isBusy={isBusy}
          onTry={(key) => connect({ key })}
          onCancel={isUnset ? undefined : stripe.cancel}
        />
      )}
      {state === 'browser' && !stripe.isReplacing && (
        <Change
          of={stripe}
          replace={account?.hasKey ? 'Replace the key' : 'Add a key'}
          clear="Disconnect"
          question="Disconnect Stripe? Sales are not counted then. Those counted so far stay."
          done="Stripe is disconnected."
        />
      )}
      <ConnectionStatus of={stripe} />
      {state !== 'environment' && (
        <ByHand
          error={stripe.errorAt('second form')}
          isBusy={isBusy}
          onTry={(webhookSecret) => connect({ webhookSecret }, 'second form')}
        />
      )}
      {!isUnset && (
        <CheckoutPart
          hasKey={account?.hasKey ?? connection.variables?.includes('STRIPE_API_KEY') ?? false}
        />
      )}
    </>
  );
}

function Connected({ connection }: { connection: Connection }) {
  const { account, hint = '', lastEventAt, checkedAt, problem } = connection;
  const now = Date.now();
  const when = (at: string | undefined, otherwise: string) =>
    at === undefined ? otherwise : whenInWords(at, now);
  return (
    <>
      {problem !== undefined && <OwnerAlert role="alert">{problem}</OwnerAlert>}
      <Text mt="3" fontWeight="600">
        {account?.hasKey ? `Connected to ${nameOf(account)}.` : 'Connected by its webhook only.'}
      </Text>
      <Facts>
        <dt>Last event</dt>
        <dd>{when(lastEventAt, 'None yet')}</dd>
        <dt>Webhook</dt>
        <dd>{webhooks[account?.webhook ?? 'none']}</dd>
        <dt>Key</dt>
        <dd>{account?.hasKey ? `Ends in ${hint.slice(-4)}` : 'None: no fees, no comparison'}</dd>
        <dt>Checked</dt>
        <dd>{when(account?.hasKey ? checkedAt : undefined, 'Not yet')}</dd>
      </Facts>
    </>
  );
}

const nameOf = (account: Connection['account']) => account?.name ?? 'your account';

const webhooks = {
  site: 'Made by this site',
  owner: 'Made by you',
  none: 'None: Stripe reaches only https addresses. Sales come hourly.',
};

function KeySteps({
  error,
  isBusy,
  onTry,
  onCancel,
}: {
  error: string;
  isBusy: boolean;
  onTry: (key: string) => Promise<unknown>;
  onCancel: (() => void) | undefined;
}) {
  const { data: draft } = trpc.site.draft.useQuery();
  const { name = location.host } = (draft?.document.brand ?? {}) as { name?: string };
  return (
    <Steps>
      <li>
        <div>
          <Flex
            wrap="wrap"
            align="center"
            justify="space-between"
            columnGap="4"
            rowGap="2"
            maxW="36rem"
          >
            <span>Make the key; its rights are ticked.</span>
            <Button asChild minH="11">
              <NewTabLink href={newKeyAddress(name)}>Open Stripe</NewTabLink>
            </Button>
          </Flex>
          <Details mt="0">
            <summary>If a right is missing there, tick it</summary>
            <List.Root as="ul" textStyle="small" listStyleType="disc" ps="5">
              {Object.entries(rights).map(([right, { access }]) => (
                <List.Item key={right}>{`${right}: ${access}`}</List.Item>
              ))}
            </List.Root>
          </Details>
        </div>
      </li>
      <li>
        <div>
          <span>Copy it and paste it here.</span>
          <SecretForm
            label="Restricted key"
            placeholder="rk_live_…"
            isHidden
            submit="Connect"
            {...{ error, isBusy, onTry, onCancel }}
          />
        </div>
      </li>
    </Steps>
  );
}

/** The way without a key. */
function ByHand({
  error,
  isBusy,
  onTry,
}: {
  error: string;
  isBusy: boolean;
  onTry: (secret: string) => Promise<unknown>;
}) {
  return (
    <Details>
      <summary>Make the webhook by hand</summary>
      <Box maxW="36rem">
        <Text mb="3">
          At Stripe, open Developers, Webhooks and add an endpoint for events of your account.
        </Text>
        <CopyField
          label="Address of the endpoint"
          value={`${location.origin}/api/webhooks/stripe`}
          {...dashed}
        />
        <Box h="2" />
        <CopyField label="Events" value={stripeEvents.join(', ')} {...dashed} />
        <Note mt="0">
          Payload style Snapshot, the newest API version. Without a key, no fees are read and
          nothing is compared.
        </Note>
        <SecretForm
          label="Signing secret"
          placeholder="whsec_…"
          isHidden
          submit="Use this secret"
          {...{ error, isBusy, onTry }}
        />
      </Box>
    </Details>
  );
}
