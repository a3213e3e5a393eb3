import { defineRecipe } from '@chakra-ui/react';

/**
 * A native dialog. On phones, size `wide` fills the screen and size `sheet` sticks to its bottom.
 */
export const dialog = defineRecipe({
  base: {
    margin: 'auto',
    maxH: '100dvh',
    px: 'clamp(1.25rem, 4vw, 2rem)',
    pt: '7',
    pb: '6',
    overflowY: 'auto',
    overscrollBehavior: 'contain',
    bg: 'bg',
    color: 'fg',
    borderWidth: '3px',
    borderColor: 'fg',
    '&::backdrop': { bg: 'rgb(7 14 22 / 0.72)' },
    '& > [data-close]': {
      position: 'absolute',
      top: '4',
      insetEnd: '3',
      display: 'grid',
      placeItems: 'center',
      boxSize: '12',
      cursor: 'pointer',
      _hover: { bg: 'bg.tint' },
    },
    // Covers the backdrop at first: the second click of a double click would close the dialog. By a delay,
    // since the duration is shorter with reduced motion.
    '& > [data-guard]': {
      position: 'fixed',
      inset: '0',
      zIndex: '-1',
      visibility: 'hidden',
      animation: 'guard 1ms 500ms backwards',
    },
    '& h2:focus': { outline: 'none' },
    w: 'min(100%, 36rem)',
    '&[data-size=wide]': {
      w: 'min(100%, calc(750px + 4rem + 6px))',
      maxW: 'full',
      // The calendar has its width as soon as the window has it.
      '@media (min-width: 40.01em)': { px: 'clamp(0.75rem, (100vw - 774px) / 2, 2rem)' },
      // Keeps focused elements out from under the sticky footer.
      scrollPaddingBottom: '24',
      '@media (max-width: 40em)': { w: 'full', h: '100dvh' },
    },
    '&[data-size=sheet]': {
      '@media (max-width: 30em)': { w: 'full', maxW: 'full', mb: '0', pt: '5' },
      '@media (max-width: 30em) and (min-height: 30em)': { maxH: '40dvh' },
    },
    _motionSafe: {
      // Not by `translate`, which would make the dialog the frame of what is fixed in it.
      transition: 'opacity 160ms',
      '&[open]': { _starting: { opacity: 0 } },
    },
  },
});
