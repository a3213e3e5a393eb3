import { Button, Flex, Text } from '@chakra-ui/react';
import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { Field } from '../ui/field.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { Modal } from './modal.tsx';
import { isSignedOut, useLeaveWhenSignedOut } from './session.ts';

/** A modal dialog, open while mounted, that asks for the password before `act`. */
export function PasswordDialog({
  act,
  onAnswer,
}: {
  act: string;
  /** Receives whether the password was right; false also when the dialog was closed. */
  onAnswer: (isConfirmed: boolean) => void;
}) {
  const password = useRef<HTMLInputElement>(null);
  const isRight = useRef(false);
  const confirm = trpc.auth.confirm.useMutation({
    // Keeps no password in memory.
    gcTime: 0,
    onSuccess: () => {
      isRight.current = true;
      // A dialog that is closed gives the focus back; one that is only removed does not.
      password.current?.closest('dialog')?.close();
    },
    onError: () => password.current?.focus(),
  });
  const { error } = confirm;
  const isWrong = errorResponseOf(error)?.code === 'INVALID_PASSWORD';
  const hasEnded = isSignedOut(error) && !isWrong;
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
    if (confirm.isPending) return;
    confirm.mutate({ password: String(new FormData(event.currentTarget).get('password')) });
  };
  return (
    <Modal title="Is it you?" onClose={() => onAnswer(isRight.current)}>
      <Text color="fg.muted" mb="4">{`${act} asks for your password again.`}</Text>
      {/* post keeps the password out of the URL if the browser submits the form itself. */}
      <Flex asChild direction="column" gap="4">
        <form method="post" onSubmit={submit} aria-busy={confirm.isPending}>
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
          <Button type="submit" alignSelf="start" disabled={confirm.isPending}>
            Go on
          </Button>
        </form>
      </Flex>
    </Modal>
  );
}
