/** Below an address: whether it responds, and a way to look at it. */
import { Button, Flex, VisuallyHidden } from '@chakra-ui/react';
import { useMutation } from '@tanstack/react-query';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { OutIcon } from '../ui/icons.tsx';
import { useEditor } from './context.ts';
import { DoneIcon, WarningIcon } from './marks.tsx';

/** Its result is that of `address`: give it a `key` that changes with it. */
export function AddressTest({ address, label }: { address: string; label: string }) {
  const { signedIn } = useEditor();
  const { client } = trpc.useUtils();
  const test = useMutation({
    mutationFn: () => signedIn(() => client.settings.testAddress.mutate({ address })),
  });
  const problem = test.isError
    ? (errorResponseOf(test.error)?.sentence ?? 'No connection. Please try again.')
    : test.data?.problem;
  return (
    <>
      <Flex gap="4" mt="1.5">
        <Button
          type="button"
          variant="plain"
          minH="8"
          fontSize="0.9375rem"
          aria-busy={test.isPending}
          onClick={() => test.isPending || test.mutate()}
        >
          Test<VisuallyHidden>{` ${label}`}</VisuallyHidden>
        </Button>
        <Button asChild variant="plain" minH="8" gap="1" fontSize="0.9375rem">
          <a href={address} target="_blank" rel="noreferrer">
            Open it<VisuallyHidden>{` in a new tab: ${label}`}</VisuallyHidden> <OutIcon />
          </a>
        </Button>
      </Flex>
      <Flex
        role="status"
        mt="1"
        gap="2"
        textStyle="small"
        fontWeight="600"
        color={problem ? 'line.red' : test.isSuccess ? 'line.green' : 'fg.muted'}
      >
        {test.isPending && <span>Testing …</span>}
        {problem && (
          <>
            <WarningIcon />
            <span>{problem}</span>
          </>
        )}
        {test.isSuccess && !problem && (
          <>
            <DoneIcon />
            <span>It responds.</span>
          </>
        )}
      </Flex>
    </>
  );
}
