/** What the panels of connections have in common. */
import { Box, Button, chakra, Flex, Heading, Input } from '@chakra-ui/react';
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { OwnerAlert } from '../admin/alert.tsx';
import { Confirm } from '../admin/confirm.tsx';
import { MainButton } from '../admin/main-button.tsx';
import { Note } from '../admin/panel.tsx';
import { StatusLine } from '../admin/status-line.tsx';
import { Field } from '../ui/field.tsx';
import { LockIcon } from '../ui/icons.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { MarkIcon } from './marks.tsx';
import type { Connection, ConnectionActs } from './use-connection.ts';

/** A titled part of a panel. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Box as="section" aria-labelledby={id} mt="8">
      <Heading
        as="h3"
        id={id}
        textStyle="h3"
        fontSize="1.375rem"
        pb="2"
        borderBottom="1px solid"
        borderColor="hairline"
      >
        {title}
      </Heading>
      {children}
    </Box>
  );
}

/** What a connection leads to that the server sets. */
export function LockedField({
  label,
  connection: { variables = [], problem },
}: {
  label: string;
  connection: Connection;
}) {
  return (
    <Box maxW="28rem" mt="4">
      {problem !== undefined && (
        <OwnerAlert role="alert" mb="4">
          {problem}
        </OwnerAlert>
      )}
      <Field
        label={
          <Flex as="span" align="center" gap="2">
            <LockIcon />
            <span>{label}</span>
          </Flex>
        }
      >
        <Input readOnly value="Stored on the server" {...dashed} />
      </Field>
      <Note mt="1">{`Set on the server (${variables.join(', ')}). To change it here, remove it there.`}</Note>
    </Box>
  );
}

/** A field that shows what cannot be typed. */
export const dashed = { borderStyle: 'dashed', bg: 'bg.tint' } as const;

/** The form of a connection that is one text, which is not kept in the tab: it is a secret. */
export function SecretForm({
  label,
  placeholder,
  isHidden = false,
  help,
  submit,
  error,
  isBusy,
  onTry,
  onCancel,
}: {
  label: string;
  placeholder?: string;
  /** Whether it is shown as a password. */
  isHidden?: boolean;
  help?: ReactNode;
  /** The button. */
  submit: string;
  /** What is wrong with the last attempt. */
  error: string;
  isBusy: boolean;
  onTry: (text: string) => Promise<unknown>;
  onCancel?: (() => void) | undefined;
}) {
  const input = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = input.current?.value.trim() ?? '';
    if (!isBusy && (await onTry(typed)) !== undefined) form.current?.reset();
  };
  // A button has opened a form that can be cancelled.
  const isOpened = onCancel !== undefined;
  useEffect(() => {
    if (error || isOpened) input.current?.focus();
  }, [error, isOpened]);
  const props = {
    ref: input,
    required: true,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    placeholder,
  };
  return (
    <Box asChild maxW="28rem" mt="3">
      <form ref={form} onSubmit={(event) => void send(event)}>
        <Field label={label} error={mistake(error)} isInvalid={error !== ''}>
          {isHidden ? <PasswordInput {...props} /> : <Input {...props} inputMode="url" />}
        </Field>
        {help}
        <Flex wrap="wrap" align="center" columnGap="5" rowGap="3" mt="4">
          <MainButton type="submit" minH="11" aria-busy={isBusy}>
            {submit}
          </MainButton>
          {onCancel && (
            <Button type="button" variant="plain" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Flex>
      </form>
    </Box>
  );
}

/** What the owner can do with a connection that is set in the browser. */
export function Change({
  of,
  replace,
  clear,
  question,
  done,
}: {
  of: ConnectionActs;
  /** The buttons. */
  replace: string;
  clear: string;
  question: string;
  /** What is said once it is cleared. */
  done: string;
}) {
  return (
    <Box css={{ '& > :not([role=group]) > :last-child': { color: 'line.red' } }}>
      <Confirm
        mt="4"
        label={clear}
        question={question}
        confirm={clear}
        keep="Keep it"
        onConfirm={() => of.clear(done)}
      >
        <Button type="button" ref={of.opener} onClick={of.replace}>
          {replace}
        </Button>
      </Confirm>
    </Box>
  );
}

/** What a panel says beneath its content: the result of the last act, and why one failed. */
export function ConnectionStatus({ of: { status, errorAt } }: { of: ConnectionActs }) {
  const error = errorAt('panel');
  return (
    <>
      <StatusLine {...status} />
      {error && <OwnerAlert role="alert">{error}</OwnerAlert>}
    </>
  );
}

/** What is wrong with a field, with its mark. */
export const mistake = (sentence: string): ReactNode =>
  sentence && (
    <Flex as="span" gap="2" fontWeight="600" overflowWrap="anywhere">
      <MarkIcon mark="broken" />
      <Box as="span" minW="0">
        {sentence}
      </Box>
    </Flex>
  );

/** In place of a panel whose connection could not be loaded. */
export const CouldNotLoad = () => (
  <OwnerAlert role="alert">Could not load this. Reload the page.</OwnerAlert>
);

/** Facts as names and values. */
export const Facts = chakra('dl', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'max-content minmax(0, 1fr)', sm: '10rem minmax(0, 1fr)' },
    rowGap: '2',
    columnGap: '4',
    mt: '3',
    '& dt': { color: 'fg.muted' },
    '& dd': { overflowWrap: 'anywhere' },
  },
});

/** Numbered steps; each has one child. */
export const Steps = chakra('ol', {
  base: {
    mt: '4',
    listStyle: 'none',
    counterReset: 'step',
    '& > li': {
      counterIncrement: 'step',
      display: 'grid',
      gridTemplateColumns: '1.5rem minmax(0, 1fr)',
      alignItems: 'baseline',
      mb: '3',
      _before: { content: 'counter(step)', fontWeight: '700' },
    },
  },
});
