import { chakra } from '@chakra-ui/react';

/** A sentence that the owner must not miss. */
export const Alarm = chakra('p', {
  base: {
    mt: '4',
    ps: '4',
    maxW: '40rem',
    borderInlineStart: '6px solid {colors.line.red}',
    fontWeight: '600',
    overflowWrap: 'anywhere',
  },
});
