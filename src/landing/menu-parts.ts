import { chakra } from '@chakra-ui/react';

/** An entry of the main or the mobile menu: a link or a button. */
export const MenuEntry = chakra('a', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2',
    minH: '12',
    w: 'full',
    fontWeight: '600',
    cursor: 'pointer',
    _hover: {
      textDecoration: 'underline',
      textDecorationThickness: '3px',
      textUnderlineOffset: '6px',
    },
  },
});

/** The panel of a menu: a popover positioned below the header. */
export const Sheet = chakra('ul', {
  base: {
    position: 'fixed',
    inset: 'auto',
    top: '72px',
    m: '0',
    px: '5',
    py: '3',
    bg: 'bg',
    color: 'fg',
    borderWidth: '3px',
    borderColor: 'fg',
    '@supports (anchor-name: --a)': { top: 'calc(anchor(--header bottom) - 4px)' },
    maxH: 'calc(100dvh - 72px)',
    overflowY: 'auto',
  },
});
