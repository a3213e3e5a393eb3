import { Box, Input, Text } from '@chakra-ui/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type CallService, serviceOf } from '../../server/contract/calls.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { Details } from '../admin/details.tsx';
import { MainButton } from '../admin/main-button.tsx';
import { Note } from '../admin/panel.tsx';
import { StatusLine } from '../admin/status-line.tsx';
import { Field } from '../ui/field.tsx';
import { Radios } from './checkout-part.tsx';
import {
  Change,
  ConnectionStatus,
  CouldNotLoad,
  dashed,
  LockedField,
  mistake,
  Part,
  SecretForm,
  Steps,
} from './connection-parts.tsx';
import { CopyField } from './copy-field.tsx';
import { keepTyped, readTyped } from './typed.ts';
import { Undo } from './undo.tsx';
import { useConnection } from './use-connection.ts';
import { useLiveField } from './use-live-field.ts';

/** Where visitors book each call, and the webhooks that count what they book elsewhere. */
export function BookingServicesPanel() {
  const strategyCall = useLiveField('schedulers.strategyCall');
  const inboxReview = useLiveField('schedulers.inboxReview');
  if (strategyCall.isMissing) return <CouldNotLoad />;
  if (strategyCall.live === undefined) return null;
  const used = [strategyCall, inboxReview].map(({ live = '' }) => choiceOf(live));
  return (
    <>
      <Note mt="1">
        With a service, paste the address of your event. Its bookings are counted here too.
      </Note>
      <Place call="the strategy call" storageKey="place-strategy-call" place={strategyCall} />
      <Place call="the inbox review" storageKey="place-inbox-review" place={inboxReview} />
      <ServicePart service="calendly" isUsed={used.includes('calendly')} />
      <ServicePart service="cal" isUsed={used.includes('cal')} />
    </>
  );
}

type Choice = 'here' | CallService | 'elsewhere';

const choices: Record<Choice, string> = {
  here: 'On this site’s calendar',
  calendly: 'At Calendly',
  cal: 'At Cal.com',
  elsewhere: 'Elsewhere',
};

// `Object.keys` types the names as strings.
const choiceNames = Object.keys(choices) as Choice[];

const choiceOf = (address: string): Choice =>
  isPlaceholder(address) ? 'here' : (serviceOf(address) ?? 'elsewhere');

interface Typed {
  choice: Choice;
  address: string;
}

const isTyped = (typed: unknown): typed is Typed =>
  typeof typed === 'object' &&
  typed !== null &&
  'choice' in typed &&
  choiceNames.some((name) => name === typed.choice) &&
  'address' in typed &&
  typeof typed.address === 'string';

/** Where visitors book a call. */
function Place({
  call,
  storageKey,
  place,
}: {
  call: string;
  storageKey: string;
  place: ReturnType<typeof useLiveField>;
}) {
  const [said, setSaid] = useState('');
  const { live, isBusy, before, error } = place;
  if (live === undefined) return null;
  const publish = async (address: string) => {
    setSaid('');
    if (!(await place.publish(address))) return;
    keepTyped(storageKey, undefined);
    const choice = choices[choiceOf(address)];
    setSaid(`Visitors book it ${choice.charAt(0).toLowerCase()}${choice.slice(1)} now.`);
  };
  if (place.isReadOnly) {
    return (
      <>
        <Text mt="4" fontWeight="600">{`Visitors book ${call}: ${choices[choiceOf(live)]}`}</Text>
        <Note mt="1">
          Change it in <code>site.config.ts</code>, which <code>SITE_CONTENT</code> pins.
        </Note>
      </>
    );
  }
  return (
    <Box mt="6">
      <PlaceForm
        // Undo changes it, too.
        key={live}
        {...{ call, storageKey, live, error, isBusy }}
        onPublish={(address) => void publish(address)}
      />
      {said && before !== undefined ? (
        <Undo sentence={said} isBusy={isBusy} onUndo={() => void publish(before)} />
      ) : (
        <StatusLine>{isBusy ? 'Publishing …' : ''}</StatusLine>
      )}
    </Box>
  );
}

function PlaceForm({
  call,
  storageKey,
  live,
  error,
  isBusy,
  onPublish,
}: {
  call: string;
  storageKey: string;
  live: string;
  /** Why it could not be published. */
  error: string;
  isBusy: boolean;
  onPublish: (address: string) => void;
}) {
  const [typed, setTyped] = useState<Typed>(() => {
    const kept = readTyped(storageKey);
    const choice = choiceOf(live);
    return isTyped(kept) ? kept : { choice, address: choice === 'here' ? '' : live };
  });
  const [ownMistake, setOwnMistake] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const { choice, address } = typed;
  const change = (next: Typed) => {
    keepTyped(storageKey, next);
    setTyped(next);
    setOwnMistake('');
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    if (choice === 'here') return onPublish('');
    const full = /^https?:/i.test(address.trim()) ? address.trim() : `https://${address.trim()}`;
    if (choice !== 'elsewhere' && serviceOf(full) !== choice) {
      const title = serviceNames[choice];
      return setOwnMistake(`This is no address at ${title}. Copy that of your event there.`);
    }
    onPublish(full);
  };
  const isChanged = choice !== choiceOf(live) || (choice !== 'here' && address !== live);
  const wrong = ownMistake || error;
  useEffect(() => {
    if (wrong) input.current?.focus();
  }, [wrong]);
  return (
    <form onSubmit={submit}>
      <Box as="fieldset">
        <Text as="legend" fontWeight="600">{`Visitors book ${call}`}</Text>
        <Radios mt="1">
          {choiceNames.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="choice"
                checked={name === choice}
                onChange={() => change({ choice: name, address })}
              />
              <span>{choices[name]}</span>
            </label>
          ))}
        </Radios>
      </Box>
      {choice === 'here' ? (
        error && <OwnerAlert role="alert">{error}</OwnerAlert>
      ) : (
        <Box maxW="36rem" mt="2">
          <Field
            label="Address of your event there"
            error={mistake(wrong)}
            isInvalid={wrong !== ''}
          >
            <Input
              ref={input}
              required
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={examples[choice]}
              value={address}
              onChange={({ target }) => change({ choice, address: target.value })}
            />
          </Field>
        </Box>
      )}
      <MainButton type="submit" minH="11" mt="3" aria-busy={isBusy} disabled={!isChanged}>
        Publish
      </MainButton>
    </form>
  );
}

const serviceNames: Record<CallService, string> = { calendly: 'Calendly', cal: 'Cal.com' };

const examples: Record<Exclude<Choice, 'here'>, string> = {
  calendly: 'https://calendly.com/your-name/call',
  cal: 'https://cal.com/your-name/call',
  elsewhere: 'https://tidycal.com/your-name/call',
};

/** The webhook by which a service reports the calls that visitors book there. */
function ServicePart({ service, isUsed }: { service: CallService; isUsed: boolean }) {
  const connection = useConnection(service === 'cal' ? 'calcom' : 'calendly');
  const state = connection.connection?.state;
  if (state === undefined) return null;
  const title = `Count calls at ${serviceNames[service]}`;
  const content = <Service service={service} of={connection} />;
  if (isUsed || state !== 'unset') return <Part title={title}>{content}</Part>;
  return (
    <Details>
      <summary>{title}</summary>
      {content}
    </Details>
  );
}

function Service({
  service,
  of,
}: {
  service: CallService;
  of: ReturnType<typeof useConnection<'calcom' | 'calendly'>>;
}) {
  const { connection } = of;
  if (!connection) return null;
  const name = serviceNames[service];
  const { state, hint, problem } = connection;
  return (
    <Box maxW="40rem">
      {state === 'environment' && (
        <LockedField label={`Signing secret of ${name}`} connection={connection} />
      )}
      {state === 'browser' && (
        <>
          {problem !== undefined && <OwnerAlert role="alert">{problem}</OwnerAlert>}
          <Text mt="3">
            {`Calls at ${name} count when it reports them. The signing secret ends in ${hint?.slice(-4)}.`}
          </Text>
        </>
      )}
      {(state === 'unset' || of.isReplacing) && (
        <Steps>
          <li>
            <div>
              {' '}
              <Text mb="3">{ways[service].add}</Text>
              <CopyField
                label={`Address for ${name}`}
                value={`${location.origin}/api/webhooks/${service}`}
                {...dashed}
              />
              <Note mt="0">{ways[service].events}</Note>
            </div>
          </li>
          <li>
            <div>
              {' '}
              <span>{ways[service].secret}</span>
              <SecretForm
                label="Signing secret"
                isHidden
                submit="Save"
                error={of.errorAt('form')}
                isBusy={of.isBusy}
                onTry={(webhookSecret) =>
                  of.set(
                    { webhookSecret },
                    { say: () => `Stored. ${name} can report calls from now on.` },
                  )
                }
                onCancel={state === 'unset' ? undefined : of.cancel}
              />
            </div>
          </li>
        </Steps>
      )}
      {state === 'browser' && !of.isReplacing && (
        <Change
          of={of}
          replace="Replace the secret"
          clear="Disconnect"
          question={`Disconnect ${name}? Its cancellations are not counted then.`}
          done={`${name} is disconnected.`}
        />
      )}
      <ConnectionStatus of={of} />
    </Box>
  );
}

/** What to do at each service, in its own words. */
const ways: Record<CallService, { add: string; events: string; secret: string }> = {
  calendly: {
    add: 'On a paid plan, create a webhook subscription by Calendly’s API, with this address.',
    events: 'Events: invitee.created and invitee.canceled.',
    secret: 'Invent a signing_key of 16 characters or more for it, and paste it here.',
  },
  cal: {
    add: 'At Cal.com, open Settings, Developer, Webhooks, and add one with this address.',
    events:
      'Events: Booking created, rescheduled and cancelled; where you confirm calls, also requested and rejected.',
    secret: 'Invent a secret of 16 characters or more for it, and paste it here.',
  },
};
