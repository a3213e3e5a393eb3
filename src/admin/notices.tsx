/** What a screen says to the owner beside its content. */
import { Alert, type AlertRootProps, EmptyState as ChakraEmptyState, Text } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { Details } from './details.tsx';

/** An important alert for the owner. */
export const OwnerAlert = (props: AlertRootProps) => <Alert.Root as="p" mt="4" {...props} />;

/** The result of the last action, for screen readers too. It takes the focus of a button that is gone. */
export const StatusLine = (props: ComponentProps<typeof Text>) => (
  <Text role="status" tabIndex={-1} outline="none" mt="3" minH="6" textStyle="small" {...props} />
);

/** Shown instead of an empty list. */
export const EmptyState = ({ title, hint }: { title: string; hint: string }) => (
  <ChakraEmptyState.Root>
    {/* Chakra's h3 would skip a heading level in the inbox. */}
    <ChakraEmptyState.Title as="p">{title}</ChakraEmptyState.Title>
    <ChakraEmptyState.Description>{hint}</ChakraEmptyState.Description>
  </ChakraEmptyState.Root>
);

/** The mail server's own sentence, beneath what to do about it. */
export const ServerSays = ({ error }: { error: string }) => (
  <Details mt="0">
    <summary>What the mail server says</summary>
    <Text textStyle="small" color="fg" fontWeight="400">
      {error}
    </Text>
  </Details>
);
