import { chakra } from '@chakra-ui/react';

/** Something that the owner opens when needed, by its `<summary>`. */
export const Details = chakra('details', {
  base: {
    mt: '3',
    '& summary': {
      display: 'inline-flex',
      alignItems: 'center',
      minH: '11',
      cursor: 'pointer',
      fontWeight: '600',
      textDecoration: 'underline',
      textUnderlineOffset: '6px',
    },
  },
});
