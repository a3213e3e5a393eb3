/** The first step: whoever has the code chooses the password. */
import { Box, Button, Field as ChakraField, Flex, Input, Text } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { weaknessOf, wordsOf } from '../../server/contract/password-strength.ts';
import { randomSecret } from '../../server/contract/random-secret.ts';
import { site } from '../../site.config.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { Attention, DoneIcon, WarningIcon } from '../editor/marks.tsx';
import { Logo } from '../ui/brand.tsx';
import { Field } from '../ui/field.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { Frame, NextButton } from './frame.tsx';

export function Claim() {
  const { hash } = useLocation();
  // The address with the code may be pasted into a tab that shows the set-up already.
  return <ClaimBy key={hash} given={codeIn(hash)} />;
}

function ClaimBy({ given }: { given: string }) {
  const [code, setCode] = useState(given);
  const [problem, setProblem] = useState<string>();
  if (code === '') {
    return <CodeScreen problem={problem} onCode={setCode} />;
  }
  return (
    <PasswordStep
      code={code}
      onWrongCode={(sentence) => {
        setProblem(sentence);
        setCode('');
      }}
    />
  );
}

/** The code in the fragment of the address, which no server or log gets. */
function codeIn(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

/** Its response says first whether the code is right, and sets no password that is empty. */
function CodeScreen({
  problem,
  onCode,
}: {
  problem: string | undefined;
  onCode: (code: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const check = trpc.setup.finish.useMutation({ gcTime: 0 });
  const submit = () => {
    const code = input.current?.value.trim() ?? '';
    if (check.isPending) return;
    check.mutate(
      { code, password: '' },
      {
        onError: (error) => {
          if (issueOf(error)?.path === 'password') onCode(code);
          else input.current?.focus();
        },
      },
    );
  };
  const issue = issueOf(check.error);
  const message = check.error && issue?.path !== 'password' ? sentenceOf(check.error) : problem;
  return (
    <Frame
      mark={<Logo />}
      title="Enter the set-up code."
      lead="Your host shows it as SETUP_CODE, or the server’s log."
      onNext={submit}
      foot={<NextButton isBusy={check.isPending}>Continue</NextButton>}
    >
      <Box mt="5" maxW="28rem">
        <Field
          label="Code"
          error={message && <Attention isQuiet>{message}</Attention>}
          isInvalid={message !== undefined}
        >
          <Input
            ref={input}
            name="code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
      </Box>
    </Frame>
  );
}

function PasswordStep({
  code,
  onWrongCode,
}: {
  code: string;
  onWrongCode: (sentence: string) => void;
}) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [made, setMade] = useState<string>();
  const [problem, setProblem] = useState<string>();
  // Keeps no password in memory.
  const finish = trpc.setup.finish.useMutation({ gcTime: 0 });
  const weakness = typed === '' ? undefined : weaknessOf(typed, wordsOf(site.brand.name));

  const save = async () => {
    const password = input.current?.value ?? '';
    if (finish.isPending) return;
    setProblem(undefined);
    if (password === '' || weaknessOf(password, wordsOf(site.brand.name))) {
      setTyped(password);
      if (password === '') setProblem('Choose a password, or press “Make one for me”.');
      input.current?.focus();
      return;
    }
    try {
      await finish.mutateAsync({ code, password });
    } catch (error) {
      const sentence = sentenceOf(error);
      if (errorResponseOf(error)?.code === 'INVALID_CODE') return onWrongCode(sentence);
      setProblem(sentence);
      input.current?.focus();
      return;
    }
    // The code must not stay in the address bar or the history.
    await navigate('/analytics/setup', { replace: true });
  };
  const makeOne = () => {
    const password = randomSecret();
    if (input.current) input.current.value = password;
    setTyped(password);
    setMade(password);
    setProblem(undefined);
  };
  return (
    <Frame
      station="Password"
      title="Choose a password."
      lead="It opens your dashboard, your bookings and your site. You are the only one who signs in."
      problem={problem}
      onNext={() => void save()}
      foot={
        <>
          <NextButton isBusy={finish.isPending}>Save the password</NextButton>
          <Button type="button" variant="plain" onClick={makeOne}>
            Make one for me
          </Button>
        </>
      }
    >
      <Box mt="5" maxW="29.5rem">
        <ChakraField.Root invalid={weakness !== undefined}>
          <ChakraField.Label>Password</ChakraField.Label>
          <Box w="full">
            <PasswordInput
              ref={input}
              name="password"
              autoComplete="new-password"
              onChange={({ target }) => {
                setTyped(target.value);
                setMade(undefined);
              }}
            />
          </Box>
          <ChakraField.HelperText as="div" aria-live="polite" minH="3.2em" mt="2">
            {weakness !== undefined && (
              <Verdict colour="line.red" icon={<WarningIcon />}>
                {`Too easy to guess: it ${weakness}. Take four words that do not belong together.`}
              </Verdict>
            )}
            {typed !== '' && weakness === undefined && (
              <Verdict colour="line.green" icon={<DoneIcon />}>
                {made === undefined
                  ? 'Good. Long and easy to keep in mind.'
                  : 'Good. Write it down:'}
              </Verdict>
            )}
            {made !== undefined && (
              <Text mt="1" fontFamily="monospace" fontSize="1.25rem" userSelect="all" color="fg">
                {made}
              </Text>
            )}
          </ChakraField.HelperText>
        </ChakraField.Root>
      </Box>
    </Frame>
  );
}

const Verdict = ({
  colour,
  icon,
  children,
}: {
  colour: string;
  icon: React.ReactNode;
  children: string;
}) => (
  <Flex gap="2" color={colour} fontWeight="600" textStyle="small">
    {icon}
    <span>{children}</span>
  </Flex>
);

/** The first field that the server rejected. */
function issueOf(error: unknown): { path: string; message: string } | undefined {
  const { issues } = (errorResponseOf(error)?.json ?? {}) as {
    issues?: { path: string; message: string }[];
  };
  return issues?.[0];
}

function sentenceOf(error: unknown): string {
  const response = errorResponseOf(error);
  if (!response) return 'No connection. What you typed is still here: try again.';
  if (response.status === 404) {
    return 'This site is set up already. Sign in at /admin with the password that was chosen.';
  }
  return issueOf(error)?.message ?? response.sentence ?? 'The server could not do this. Try again.';
}
