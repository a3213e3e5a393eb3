import { chakra } from '@chakra-ui/react';

/** A native select, which phones show as their own list. */
export const Select = chakra('select', {
  base: {
    minH: '12',
    px: '3',
    maxW: 'full',
    bg: 'bg',
    color: 'fg',
    borderWidth: '2px',
    borderColor: 'field',
    borderRadius: 'button',
  },
});
