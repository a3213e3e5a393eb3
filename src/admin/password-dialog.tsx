import { Button, Flex, Text } from '@chakra-ui/react';
import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { Field } from '../ui/field.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { Modal } from './modal.tsx';
import { isSignedOut, useLeaveWhenSignedOut } from './session.ts';

/** A modal dialog, open while mounted, that asks for the password. */
export function PasswordDialog({
  title,
  text,
  submit: label,
  act,
  onAnswer,
}: {
  title: string;
  text: string;
  /** The button. */
  submit: string;
  /** Whether the owner confirms an act, or signs in again. */
  act: 'confirm' | 'login';
  /** Receives whether the password was right; false also when the dialog was closed. */
  onAnswer: (isConfirmed: boolean) => void;
}) {
  const password = useRef<HTMLInputElement>(null);
  const isRight = useRef(false);
  const options = {
    // Keeps no password in memory.
    gcTime: 0,
    onSuccess: () => {
      isRight.current = true;
      // A dialog that is closed gives the focus back; one that is only removed does not.
      password.current?.closest('dialog')?.close();
    },
    onError: () => password.current?.focus(),
  };
  const mutations = {
    confirm: trpc.auth.confirm.useMutation(options),
    login: trpc.auth.login.useMutation(options),
  };
  const { error, isPending, mutate } = mutations[act];
  const isWrong = errorResponseOf(error)?.code === 'INVALID_PASSWORD';
  const hasEnded = act === 'confirm' && isSignedOut(error) && !isWrong;
  useLeaveWhenSignedOut(hasEnded ? error : undefined);
  useEffect(() => password.current?.focus(), []);

  // Another screen, such as the login after a Logout in another tab.
  const { pathname } = useLocation();
  const opened = useRef(pathname);
  useEffect(() => {
    if (pathname !== opened.current) onAnswer(false);
  }, [pathname, onAnswer]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    mutate({ password: String(new FormData(event.currentTarget).get('password')) });
  };
  return (
    <Modal title={title} onClose={() => onAnswer(isRight.current)}>
      <Text color="fg.muted" mb="4">
        {text}
      </Text>
      {/* post keeps the password out of the URL if the browser submits the form itself. */}
      <Flex asChild direction="column" gap="4">
        <form method="post" onSubmit={submit} aria-busy={isPending}>
          <Field
            label="Password"
            error={
              error &&
              (errorResponseOf(error)?.sentence ?? 'Could not check the password. Try again.')
            }
            isInvalid={isWrong}
          >
            <PasswordInput
              ref={password}
              name="password"
              autoComplete="current-password"
              required
            />
          </Field>
          <Button type="submit" alignSelf="start" disabled={isPending}>
            {label}
          </Button>
        </form>
      </Flex>
    </Modal>
  );
}
