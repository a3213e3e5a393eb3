/** The styles of Chakra's components with one part. */
import { defineRecipe } from '@chakra-ui/react';

const button = defineRecipe({
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '2',
    minHeight: '12',
    maxWidth: 'full',
    overflowWrap: 'anywhere',
    fontWeight: '700',
    lineHeight: '1.2',
    textAlign: 'center',
    cursor: 'pointer',
    transition: 'background-color 150ms, color 150ms',
    _disabled: { opacity: 0.6, cursor: 'not-allowed' },
  },
  variants: {
    variant: {
      /** The booking action; at most one in a view. */
      solid: {
        px: 'clamp(0.75rem, 3vw, 1.25rem)',
        py: '2',
        bg: 'primary',
        color: 'primary.text',
        borderWidth: '2px',
        borderColor: 'primary.border',
        borderRadius: 'button',
        _hover: { bg: 'primary.hover', color: 'primary.hoverText' },
      },
      outline: {
        px: 'clamp(0.75rem, 3vw, 1.25rem)',
        py: '2',
        bg: 'transparent',
        color: 'inherit',
        borderWidth: '2px',
        borderColor: 'currentColor',
        borderRadius: 'button',
        _hover: { bg: 'fg', color: 'bg', borderColor: 'fg' },
        // The submit button is the main action of its form.
        '&[type=submit]': { bg: 'fg', color: 'bg', borderColor: 'fg' },
      },
      /** Looks like a link. */
      plain: {
        px: '0',
        color: 'inherit',
        textDecoration: 'underline',
        textDecorationThickness: '2px',
        textUnderlineOffset: '6px',
        _hover: { textDecorationThickness: '4px' },
      },
    },
  },
  defaultVariants: { variant: 'outline' },
});

const input = defineRecipe({
  base: {
    width: 'full',
    minHeight: '12',
    px: '3',
    py: '2.5',
    bg: 'bg',
    color: 'fg',
    borderWidth: '2px',
    borderColor: 'field',
    borderRadius: 'button',
    lineHeight: '1.4',
    _placeholder: { color: 'fg.muted', opacity: 1 },
    _invalid: { borderColor: 'line.red' },
    _disabled: { opacity: 0.6 },
  },
});

const link = defineRecipe({
  variants: { variant: { underline: { textDecoration: 'underline' }, plain: {} } },
  defaultVariants: { variant: 'plain' },
});

/** From the window's edge to the text. */
const container = defineRecipe({
  base: { px: 'gutter' },
  variants: {
    /** Admin screens are wider than the page of the visitors. */
    fluid: { true: { px: 'max(clamp(1.25rem, 4vw, 2.5rem), (100% - 80rem) / 2)' } },
  },
});

/** A number beside a title or in a button. */
const badge = defineRecipe({
  base: {
    px: '2',
    borderWidth: '2px',
    borderRadius: '1em',
    textStyle: 'small',
    fontVariantNumeric: 'tabular-nums',
  },
});

export const recipes = { badge, button, container, input, link, textarea: input };
