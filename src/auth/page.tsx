import { chakra } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { trpc } from '../api/trpc.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { isRefusedPassword, sentenceFor } from './failure.ts';
import { Junction } from './junction.tsx';

/** The admin's way in: one password, no name; or a one-time link, whose token is in the fragment. */
export function LoginPage() {
  const navigate = useNavigate();
  const { hash } = useLocation();
  const queryClient = useQueryClient();
  const password = useRef<HTMLInputElement>(null);
  const onSuccess = () => navigate('/analytics');
  const login = trpc.auth.login.useMutation({ onSuccess });
  const link = trpc.auth.signInWithLink.useMutation({ onSuccess });
  const { mutate: signInWithLink } = link;
  const { reset: resetLogin } = login;
  const error = login.error ?? link.error;
  const sentence = login.error
    ? sentenceFor(login.error, 'Invalid password')
    : link.error && sentenceFor(link.error);

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
    // Asked of the client itself: a second Enter may come before this screen is rendered again.
    if (queryClient.isMutating() > 0) return;
    link.reset();
    const entered = new FormData(event.currentTarget).get('password');
    login.mutate({ password: String(entered) });
  };

  const isWaiting = [login, link].some(({ isPending, isSuccess }) => isPending || isSuccess);
  return (
    <chakra.div
      minH="100dvh"
      display="grid"
      alignContent="center"
      justifyItems="center"
      p="5"
      overflowX="clip"
    >
      <chakra.div w="min(100%, 28rem)">
        <Junction />
        <chakra.h1 textStyle="h2" mt="5">
          Admin Access
        </chakra.h1>
        <chakra.p color="fg.muted" mt="3" textWrap="balance">
          Enter your password to access the analytics dashboard
        </chakra.p>
        {/* post: even a submit this script failed to catch keeps the password out of the address. */}
        <chakra.form method="post" onSubmit={submit} mt="7" aria-busy={isWaiting}>
          {/* Room for one line of error, so that the button stays where it is; longer ones keep off it. */}
          <chakra.div minH="8rem" pb="3">
            <Field label="Password" error={sentence}>
              {(control) => (
                <PasswordInput
                  {...control}
                  aria-invalid={isRefusedPassword(login.error) || undefined}
                  ref={password}
                  name="password"
                  placeholder="Enter admin password"
                  autoComplete="current-password"
                  required
                />
              )}
            </Field>
          </chakra.div>
          <Button type="submit" disabled={isWaiting} w="full">
            {isWaiting ? 'Logging in...' : 'Access Dashboard'}
          </Button>
        </chakra.form>
        <Button asChild variant="link" mt="5">
          <a href="/">Back to Sales Page</a>
        </Button>
      </chakra.div>
    </chakra.div>
  );
}
