import { Button, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { OwnerAlert } from '../admin/alert.tsx';
import { timeOfDay } from '../admin/format.ts';
import { isDone, LaunchList } from '../admin/launch.tsx';
import { Note } from '../admin/panel.tsx';
import { StatusLine } from '../admin/status-line.tsx';
import { errorResponseOf, trpc } from '../api/trpc.ts';

/** Whether visitors reach the site at its address over https, and what is missing. */
export function DomainPanel() {
  const local = trpc.settings.launchCheck.useQuery();
  const network = trpc.settings.networkCheck.useQuery(undefined, { staleTime: 60_000 });
  const [status, setStatus] = useState('');
  const checks = [...(local.data?.checks ?? []), ...(network.data?.checks ?? [])].filter(
    ({ topic }) => topic === 'Domain',
  );
  const [isChecking, setIsChecking] = useState(false);
  // The list of Settings polls the local checks, which nobody waits for.
  const isBusy = isChecking || network.isLoading;
  const error = local.error ?? network.error;
  const checkAgain = async () => {
    setStatus('');
    setIsChecking(true);
    const results = await Promise.all([local.refetch(), network.refetch()]);
    setIsChecking(false);
    setStatus(results.some(({ isError }) => isError) ? '' : `Checked at ${timeOfDay(Date.now())}.`);
  };
  return (
    <>
      <Text mt="3" overflowWrap="anywhere">
        You see this page at <strong>{location.origin}</strong>
      </Text>
      <LaunchList
        done={checks.filter(isDone).map(({ done }) => done)}
        findings={checks.flatMap(({ findings }) => findings)}
      />
      {error && (
        <OwnerAlert role="alert">
          {errorResponseOf(error)?.sentence ?? 'Could not check. Try again.'}
        </OwnerAlert>
      )}
      <StatusLine>{isBusy ? 'Checking …' : status}</StatusLine>
      <Flex mt="2">
        <Button type="button" aria-busy={isBusy} onClick={() => void (isBusy || checkAgain())}>
          Check again
        </Button>
      </Flex>
      <Note>
        To change the address, set <code>PUBLIC_URL</code> on the server and restart the site.
      </Note>
    </>
  );
}
