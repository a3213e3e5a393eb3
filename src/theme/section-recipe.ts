import { defineRecipe } from '@chakra-ui/react';

/** A full-width section. Each tone has a visible focus ring; on `inverted` the lines are brighter. */
export const section = defineRecipe({
  base: { position: 'relative', px: 'gutter', py: 'band', overflowX: 'clip' },
  variants: {
    tone: {
      default: {},
      tint: { bg: 'bg.tint' },
      inverted: {
        bg: 'bg.ink',
        color: 'fg.onInk',
        '--focus': 'colors.sign',
        '--c-colors-sign-edge': 'transparent',
        '--c-colors-line-blue': 'colors.lit.blue',
        '--c-colors-line-red': 'colors.lit.red',
        '--c-colors-line-green': 'colors.lit.green',
      },
      primary: { bg: 'sign', color: 'sign.ink', '--focus': 'colors.sign.ink' },
    },
  },
  defaultVariants: { tone: 'default' },
});
