import { Box, Button, Flex, Input, Text } from '@chakra-ui/react';
import { type FormEvent, useRef, useState } from 'react';
import { MainButton } from '../admin/main-button.tsx';
import { Note } from '../admin/panel.tsx';
import { Field } from '../ui/field.tsx';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import {
  type MailServer,
  mailProviders,
  mailServerOf,
  type ProviderName,
  providerOf,
  type StoredServer,
  type Typed,
  typedOf,
} from './mail-providers.ts';
import { keepTyped, readTyped } from './typed.ts';

const storageKey = 'email-form';

/** The form of the mail server. What is typed survives a reload, but for the password. */
export function EmailForm({
  error,
  isBusy,
  stored,
  locked,
  onTry,
  onCancel,
}: {
  /** What is wrong with the last attempt. */
  error: string;
  isBusy: boolean;
  /** The server whose password is kept unless another one is typed; undefined when there is none. */
  stored: StoredServer | undefined;
  /** The variables that set fields on the server. */
  locked: readonly string[];
  onTry: (value: MailServer) => void;
  onCancel?: (() => void) | undefined;
}) {
  const [before] = useState(() => ({ ...(stored && typedOf(stored)), ...read() }));
  const [provider, setProvider] = useState<ProviderName>(before.provider ?? 'gmail');
  const password = useRef<HTMLInputElement>(null);
  const chosen = providerOf(provider);
  const isOwnServer = chosen.host === '';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) onTry(mailServerOf(typedIn(event.currentTarget), stored));
  };
  return (
    <Flex asChild direction="column" gap="4" maxW="28rem" mt="4">
      <form
        onSubmit={submit}
        onInput={({ currentTarget }) => {
          const { password: _, ...typed } = typedIn(currentTarget);
          keepTyped(storageKey, typed);
        }}
      >
        <Box as="fieldset">
          <Text as="legend" fontWeight="600" mb="2">
            Who sends your email?
          </Text>
          <Flex wrap="wrap" gap="2">
            {providerNames.map((name) => (
              <Button asChild key={name} minH="11" px="4" css={radio}>
                <label>
                  <input
                    type="radio"
                    name="provider"
                    value={name}
                    checked={name === provider}
                    onChange={() => setProvider(name)}
                  />
                  {providerOf(name).name}
                </label>
              </Button>
            ))}
          </Flex>
        </Box>
        {isOwnServer && (
          <Flex gap="4" wrap="wrap">
            <Box flex="1 1 12rem">
              <Field label="Mail server">
                <Input name="host" required defaultValue={before.host} {...plain} />
              </Field>
            </Box>
            <Box w="7rem">
              <Field label="Port">
                <Input
                  name="port"
                  required
                  inputMode="numeric"
                  pattern="\d+"
                  defaultValue={before.port ?? chosen.port}
                />
              </Field>
            </Box>
          </Flex>
        )}
        {chosen.user !== undefined && locked.includes('EMAIL_FROM') ? (
          <Note>{lockedSentence('The address that sends', 'EMAIL_FROM')}</Note>
        ) : (
          <Field label={chosen.user === undefined ? 'Address' : 'Address that sends'}>
            <Input name="address" type="email" required defaultValue={before.address} />
          </Field>
        )}
        {chosen.user === '' && (
          <Field label="User">
            <Input name="user" required defaultValue={before.user} {...plain} />
          </Field>
        )}
        <div>
          <Field label={chosen.password}>
            <PasswordInput
              ref={password}
              name="password"
              autoComplete="off"
              required={!stored}
              {...(stored && { placeholder: 'Stored. Type a new one to replace it.' })}
            />
          </Field>
          {chosen.page !== undefined && (
            <Note mt="1">
              <span>Not your usual password.</span>{' '}
              <NewTabLink href={chosen.page} variant="underline" whiteSpace="nowrap">
                {`Make one at ${chosen.name}`}
              </NewTabLink>
            </Note>
          )}
        </div>
        {locked.includes('CONTACT_TO') ? (
          <Note>{lockedSentence('Your own address', 'CONTACT_TO')}</Note>
        ) : (
          <div>
            <Field label="Your own address">
              <Input name="to" defaultValue={before.to} {...plain} inputMode="email" />
            </Field>
            <Note mt="1">
              Messages, calls and alerts go there. If it is empty, to the address that your site
              shows.
            </Note>
          </div>
        )}
        {error && (
          <Text role="alert" color="line.red" fontWeight="600" overflowWrap="anywhere">
            {error}
          </Text>
        )}
        <Flex gap="4" wrap="wrap" align="center">
          <MainButton type="submit" aria-busy={isBusy}>
            Try and save
          </MainButton>
          {onCancel && (
            <Button type="button" variant="plain" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Flex>
      </form>
    </Flex>
  );
}

const lockedSentence = (what: string, variable: string) =>
  `${what} is set on the server (${variable}). To change it here, remove it there.`;

// `Object.keys` types the names as strings.
const providerNames = Object.keys(mailProviders) as ProviderName[];

const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** A button that shows whether its radio is checked. */
const radio = {
  position: 'relative',
  '& input': { position: 'absolute', inset: '0', opacity: '0', cursor: 'pointer' },
  '&:has(:checked)': { bg: 'fg', color: 'bg', borderColor: 'fg' },
  '&:has(:focus-visible)': {
    outline: '3px solid',
    outlineColor: 'line.blue',
    outlineOffset: '2px',
  },
};

const typedIn = (form: HTMLFormElement) =>
  Object.fromEntries(new FormData(form)) as unknown as Typed;

/** What was typed before a reload; nothing when something else was kept. */
function read(): Partial<Typed> {
  const typed = readTyped(storageKey) as Partial<Typed> | undefined;
  return typed && providerNames.some((name) => name === typed.provider) ? typed : {};
}

/** Deletes what was typed, once it is stored or given up. */
export const deleteTyped = (): void => keepTyped(storageKey, undefined);
