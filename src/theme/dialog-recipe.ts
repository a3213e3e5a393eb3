import { defineRecipe } from '@chakra-ui/react';

/**
 * A native dialog. On phones, sizes `wide` and `frame` fill the screen and size `sheet` sticks to its
 * bottom. The frame in size `frame` takes the height that the text above it leaves.
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
    '& h2:focus': { outline: 'none' },
    w: 'min(100%, 36rem)',
    '&[data-size=wide]': {
      w: 'min(100%, calc(750px + 4rem + 6px))',
      // Keeps focused elements out from under the sticky footer.
      scrollPaddingBottom: '24',
      '@media (max-width: 40em)': { w: 'full', maxW: 'full', h: '100dvh' },
    },
    '&[data-size=frame]': {
      w: 'min(100%, calc(750px + 4rem + 6px))',
      h: 'min(100dvh, 46rem)',
      pb: '0',
      overflow: 'hidden',
      '&[open]': { display: 'flex', flexDirection: 'column' },
      '& iframe': { flex: '1', minH: '0', border: '0' },
      '@media (max-width: 40em)': { w: 'full', maxW: 'full', h: '100dvh' },
    },
    '&[data-size=sheet]': {
      '@media (max-width: 30em)': { w: 'full', maxW: 'full', maxH: '40dvh', mb: '0', pt: '5' },
    },
    _motionSafe: {
      transition: 'opacity 160ms, translate 160ms',
      '&[open]': { _starting: { opacity: 0, translate: '0 8px' } },
    },
  },
});
