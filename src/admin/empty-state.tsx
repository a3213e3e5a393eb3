import { EmptyState as ChakraEmptyState } from '@chakra-ui/react';

/** Shown instead of an empty list. */
export const EmptyState = ({ title, hint }: { title: string; hint: string }) => (
  <ChakraEmptyState.Root>
    {/* Chakra's h3 would skip a heading level in the inbox. */}
    <ChakraEmptyState.Title as="p">{title}</ChakraEmptyState.Title>
    <ChakraEmptyState.Description>{hint}</ChakraEmptyState.Description>
  </ChakraEmptyState.Root>
);
