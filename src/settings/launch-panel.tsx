import { Button, Flex, Heading, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { OwnerAlert } from '../admin/alert.tsx';
import { timeOfDay } from '../admin/format.ts';
import { countSentence, isDone, LaunchList, namesLines } from '../admin/launch.tsx';
import { Note } from '../admin/panel.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { StatusLine } from '../admin/status-line.tsx';
import type { Check } from '../admin/steps-left.tsx';
import { errorResponseOf, trpc } from '../api/trpc.ts';

/** The launch check: what is done before going live, and what is left. */
export function LaunchPanel() {
  const [isNetworkAsked, setIsNetworkAsked] = useState(false);
  const local = trpc.settings.launchCheck.useQuery();
  const network = trpc.settings.networkCheck.useQuery(undefined, {
    enabled: isNetworkAsked,
  });
  useLeaveWhenSignedOut(local.error ?? network.error);
  const [status, setStatus] = useState('');
  const checks = [...(local.data?.checks ?? []), ...(network.data?.checks ?? [])];
  const [isChecking, setIsChecking] = useState(false);
  // The list of Settings polls the local checks, which nobody waits for.
  const isBusy = isChecking || network.isLoading;
  const error = local.error ?? network.error;

  const checkAgain = async () => {
    setStatus('');
    setIsChecking(true);
    const results = await Promise.all([
      local.refetch(),
      isNetworkAsked ? network.refetch() : undefined,
    ]);
    setIsChecking(false);
    const isFailed = results.some((result) => result?.isError);
    setStatus(isFailed ? '' : `Checked at ${timeOfDay(Date.now())}.`);
  };
  return (
    <>
      {local.data && (
        <Text mt="3" fontWeight="600">
          {countSentence(checks)}
        </Text>
      )}
      {topicsOf(checks).map(([topic, ofTopic]) => (
        <section key={topic} aria-label={topic}>
          <Heading as="h3" textStyle="h4" fontSize="1.0625rem" mt="5">
            {topic}
          </Heading>
          <LaunchList
            done={ofTopic.filter(isDone).map(({ done }) => done)}
            findings={(['todo', 'unknown', 'advice'] as const).flatMap((kind) =>
              ofTopic.flatMap(({ findings }) => findings).filter((one) => one.kind === kind),
            )}
          />
        </section>
      ))}
      {network.data?.checks.length === 0 && (
        <Note>Your site has no links and no mail domain of your own yet.</Note>
      )}
      {error && (
        <OwnerAlert role="alert">
          {errorResponseOf(error)?.sentence ?? 'Could not check. Try again.'}
        </OwnerAlert>
      )}
      <StatusLine>{status}</StatusLine>
      <Flex wrap="wrap" columnGap="4" rowGap="3" mt="2">
        <Button type="button" aria-busy={isBusy} onClick={() => void (isBusy || checkAgain())}>
          Check again
        </Button>
        {!isNetworkAsked && (
          <Button type="button" onClick={() => setIsNetworkAsked(true)}>
            Check links and mail domain
          </Button>
        )}
      </Flex>
      <Note>
        After a change in <code>{namesLines(checks) ? 'site.config.ts or .env' : '.env'}</code>,
        restart the site with <code>npm start</code>. The same check in a terminal:{' '}
        <code>npm run launch-check</code>.
      </Note>
    </>
  );
}

/** The checks by topic, in the order of the server. */
function topicsOf(checks: Check[]): [topic: string, checks: Check[]][] {
  const topics = new Map<string, Check[]>();
  for (const check of checks) topics.set(check.topic, [...(topics.get(check.topic) ?? []), check]);
  return [...topics];
}
