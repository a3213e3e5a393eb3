import { chakra } from '@chakra-ui/react';

/** An explanatory note below a panel's content. */
export const Note = chakra('p', {
  base: { textStyle: 'small', color: 'fg.muted', maxW: '65ch', mt: '3' },
});
