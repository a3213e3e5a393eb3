import { chakra } from '@chakra-ui/react';

/** A sentence that the owner must not miss. */
export const OwnerAlert = chakra('p', {
  base: {
    mt: '4',
    ps: '4',
    borderInlineStart: '6px solid {colors.line.red}',
    fontWeight: '600',
  },
});
