import { defineRecipe } from '@chakra-ui/react';

/** A band of the page. On ink the three lines glow; the focus ring is always one that shows. */
export const section = defineRecipe({
  base: { position: 'relative', px: 'gutter', py: 'band', overflowX: 'clip' },
  variants: {
    tone: {
      paper: {},
      tint: { bg: 'bg.tint' },
      ink: {
        bg: 'bg.ink',
        color: 'fg.onInk',
        '--focus': 'colors.sign',
        '--c-colors-sign-edge': 'transparent',
        '--c-colors-line-blue': 'colors.lit.blue',
        '--c-colors-line-red': 'colors.lit.red',
        '--c-colors-line-green': 'colors.lit.green',
      },
      sign: { bg: 'sign', color: 'sign.ink', '--focus': 'colors.sign.ink' },
    },
  },
  defaultVariants: { tone: 'paper' },
});
