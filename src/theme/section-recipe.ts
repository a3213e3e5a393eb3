import { defineRecipe } from '@chakra-ui/react';

/** A full-width section. Each tone has a visible focus ring; on `inverted` the lines are brighter. */
export const section = defineRecipe({
  base: { position: 'relative', px: 'gutter', py: 'band', overflowX: 'clip' },
  variants: {
    tone: {
      default: {},
      tint: { bg: 'bg.tint' },
      inverted: {
        bg: 'bg.inverted',
        color: 'fg.onInverted',
        '--focus': 'colors.primary.focus',
        '--c-colors-primary-border': 'colors.primary.borderOnInverted',
        '--c-colors-line-blue': 'colors.onInverted.blue',
        '--c-colors-line-red': 'colors.onInverted.red',
        '--c-colors-line-green': 'colors.onInverted.green',
      },
      primary: { bg: 'primary', color: 'primary.text', '--focus': 'colors.primary.text' },
    },
  },
  defaultVariants: { tone: 'default' },
});
