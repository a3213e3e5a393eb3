import { Box, Button, Center, Heading, Text } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { logoutUnconfirmed } from '../api/logout.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { Field } from '../ui/field.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { Junction } from './junction.tsx';

/** The login screen: a shared password, or a one-time link with its token in the URL fragment. */
export function LoginPage() {
  const navigate = useNavigate();
  const { hash, state } = useLocation();
  const queryClient = useQueryClient();
  const password = useRef<HTMLInputElement>(null);
  // Where the session ended, possibly with words that are kept for that screen.
  const onSuccess = () => navigate(String(state).startsWith('/analytics') ? state : '/analytics');
  const login = trpc.auth.login.useMutation({ onSuccess });
  const link = trpc.auth.signInWithLink.useMutation({ onSuccess });
  const { mutate: signInWithLink } = link;
  const { reset: resetLogin } = login;
  const error = login.error ?? link.error;
  const message = login.error
    ? messageOf(login.error, 'Invalid password')
    : link.error
      ? messageOf(link.error, failed)
      : state === logoutUnconfirmed && stillSignedIn;

  useEffect(() => {
    if (error) password.current?.focus();
  }, [error]);

  useEffect(() => {
    const token = /^#sign-in=(.+)/.exec(hash)?.[1];
    if (token === undefined) return;
    // The token must not stay in the address bar or the history.
    void navigate({ hash: '' }, { replace: true });
    resetLogin();
    signInWithLink({ token });
  }, [hash, navigate, resetLogin, signInWithLink]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Check the query client: a second Enter can arrive before the next render.
    if (queryClient.isMutating() > 0) return;
    link.reset();
    const entered = new FormData(event.currentTarget).get('password');
    login.mutate({ password: String(entered) });
  };

  const isWaiting = [login, link].some(({ isPending, isSuccess }) => isPending || isSuccess);
  return (
    <Center minH="100dvh" p="5" overflowX="clip">
      <Box w="min(100%, 28rem)">
        <Junction />
        <Heading as="h1" textStyle="h2" mt="5">
          Admin Access
        </Heading>
        <Text color="fg.muted" mt="3" mb="7" textWrap="balance">
          Enter your password to access the analytics dashboard
        </Text>
        {/* post keeps the password out of the URL if the browser submits the form itself. */}
        <form method="post" onSubmit={submit} aria-busy={isWaiting}>
          {/* Reserves one line for an error, so that the button does not move. */}
          <Box minH="8rem" pb="3">
            <Field
              label="Password"
              error={message}
              isInvalid={errorResponseOf(login.error)?.code === 'INVALID_PASSWORD'}
            >
              <PasswordInput
                ref={password}
                name="password"
                placeholder="Enter admin password"
                autoComplete="current-password"
                required
              />
            </Field>
          </Box>
          <Button type="submit" disabled={isWaiting} w="full">
            {isWaiting ? 'Logging in...' : 'Access Dashboard'}
          </Button>
        </form>
        <Button asChild variant="plain" mt="5">
          <a href="/">Back to Sales Page</a>
        </Button>
      </Box>
    </Center>
  );
}

const failed = 'Login failed. Please try again.';
const stillSignedIn =
  'The server did not confirm the logout, so this browser may still be signed in. Please log in and out again.';

/**
 * The server's message, or `rejected` when the server sent none. Without a response, or with a 5xx that
 * is not JSON (a broken server or proxy), the message does not blame the password.
 */
function messageOf(error: unknown, rejected: string): string {
  const response = errorResponseOf(error);
  if (response?.sentence) return response.sentence;
  const isFromApp = response && (response.status < 500 || response.json !== undefined);
  return isFromApp ? rejected : failed;
}
