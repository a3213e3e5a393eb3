import { Box, Button, Text } from '@chakra-ui/react';
import { type FormEvent, useRef, useState } from 'react';
import { Note } from '../admin/panel.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { StatusLine } from '../admin/status-line.tsx';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { Field } from '../ui/field.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { messageOf } from './message-of.ts';

/** Changes the password, which signs the other browsers out. */
export function PasswordPanel() {
  const { data } = trpc.auth.sessions.useQuery();
  return (
    <>
      {data?.fixedPassword && (
        <Text mt="3" maxW="65ch">
          {`${data.fixedPassword} The start with another one signs every browser out.`}
        </Text>
      )}
      {data?.fixedPassword === null && <PasswordForm />}
    </>
  );
}

function PasswordForm() {
  const utils = trpc.useUtils();
  const form = useRef<HTMLFormElement>(null);
  const current = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState('');
  const change = trpc.auth.changePassword.useMutation({
    onSuccess: () => {
      form.current?.reset();
      setStatus('Your password was changed. Other browsers are signed out.');
      void utils.auth.sessions.invalidate();
    },
    onError: (error) => (fieldOf(error) === 'new' ? next : current).current?.focus(),
  });
  useLeaveWhenSignedOut(change.error);
  const field = change.error && fieldOf(change.error);
  const message =
    change.error && messageOf(change.error, 'Could not change the password. Try again.');

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (change.isPending) return;
    setStatus('');
    const entered = new FormData(event.currentTarget);
    change.mutate({
      currentPassword: String(entered.get('current')),
      newPassword: String(entered.get('new')),
    });
  };
  return (
    // post keeps the passwords out of the URL if the browser submits the form itself.
    <Box ref={form} asChild display="grid" gap="4" maxW="28rem" mt="4" aria-busy={change.isPending}>
      <form method="post" onSubmit={submit}>
        <Field
          label="Current password"
          error={field === 'current' && message}
          isInvalid={errorResponseOf(change.error)?.code === 'WRONG_CURRENT_PASSWORD'}
        >
          <PasswordInput ref={current} name="current" autoComplete="current-password" required />
        </Field>
        <Field label="New password" error={field === 'new' && message} isInvalid={field === 'new'}>
          <PasswordInput ref={next} name="new" autoComplete="new-password" required />
        </Field>
        <Note mt="0">Twelve characters or more. Four or five random words are strong.</Note>
        <Button type="submit" justifySelf="start" disabled={change.isPending}>
          Change password
        </Button>
        <StatusLine mt="0">{status}</StatusLine>
      </form>
    </Box>
  );
}

/** The field that an error is about. */
const fieldOf = (error: unknown) =>
  errorResponseOf(error)?.code === 'VALIDATION' ? ('new' as const) : ('current' as const);
