import { Box, Button, chakra, Flex, Input, Text } from '@chakra-ui/react';
import type { FormEvent } from 'react';
import type { Inputs } from '../../server/contract/api.ts';
import { Note } from '../admin/panel.tsx';
import { Field } from '../ui/field.tsx';
import { CopyField } from './copy-field.tsx';

type NewKey = Inputs['keys']['create'];
type Scope = NewKey['scopes'][number];

/** What each scope allows, in the order of the form. */
const scopes: Record<Scope, string> = {
  'read:analytics': 'Read figures and sales, with buyers’ email addresses',
  'read:messages': 'Read messages',
  'read:bookings': 'Read bookings',
  'write:conversions': 'Report sales',
};

/** The form that creates an API key. */
export function KeyForm({
  error,
  isBusy,
  onCreate,
}: {
  /** What is wrong with the last attempt. */
  error: string;
  isBusy: boolean;
  onCreate: (key: NewKey) => void;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const entered = new FormData(event.currentTarget);
    const chosen = entered.getAll('scope');
    onCreate({
      name: String(entered.get('name')),
      scopes: scopeNames.filter((scope) => chosen.includes(scope)),
    });
  };
  return (
    <Flex asChild direction="column" gap="4" maxW="28rem" mt="2" mb="6">
      <form onSubmit={submit}>
        <Field label="Name of the program">
          <Input name="name" required maxLength={100} autoComplete="off" />
        </Field>
        <Box as="fieldset">
          <Text as="legend" fontWeight="600">
            What it may do
          </Text>
          {scopeNames.map((scope) => (
            <Flex as="label" key={scope} align="center" gap="3" minH="11" cursor="pointer">
              <Checkbox type="checkbox" name="scope" value={scope} />
              <span>{scopes[scope]}</span>
            </Flex>
          ))}
        </Box>
        {error && (
          <Text role="alert" color="line.red" fontWeight="600">
            {error}
          </Text>
        )}
        <Button type="submit" alignSelf="start" aria-busy={isBusy}>
          Create key
        </Button>
      </form>
    </Flex>
  );
}

// `Object.keys` types the names as strings.
const scopeNames = Object.keys(scopes) as Scope[];

const Checkbox = chakra('input', {
  base: { flex: 'none', w: '5', h: '5', accentColor: 'fg', cursor: 'pointer' },
});

/** A new secret, which is shown until `onDone`. */
export function NewSecretBox({
  label,
  value,
  onDone,
}: {
  label: string;
  value: string;
  onDone: () => void;
}) {
  return (
    <Box mt="4" p="4" bg="bg.tint" borderRadius="button">
      <CopyField label={label} value={value} takesFocus>
        <Button type="button" minH="12" variant="plain" onClick={onDone}>
          Done
        </Button>
      </CopyField>
      <Note mt="1">Copy it now: it is not shown again. Keep it secret.</Note>
    </Box>
  );
}
