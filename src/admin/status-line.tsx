import { Text } from '@chakra-ui/react';
import type { ComponentProps } from 'react';

/** The result of the last action, for screen readers too. It takes the focus of a button that is gone. */
export const StatusLine = (props: ComponentProps<typeof Text>) => (
  <Text role="status" tabIndex={-1} outline="none" mt="3" minH="6" textStyle="small" {...props} />
);
