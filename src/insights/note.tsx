import { chakra } from '@chakra-ui/react';

/** A word on how to read what stands beside it. */
export const Note = chakra('p', {
  base: { textStyle: 'small', color: 'fg.muted', maxW: '65ch', mt: '3' },
});
