/** The only Chakra recipes in the theme. */
import { defineRecipe } from '@chakra-ui/react';

const button = defineRecipe({
  className: 'button',
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
      primary: {
        px: 'clamp(0.75rem, 3vw, 1.25rem)',
        py: '2',
        bg: 'sign',
        color: 'sign.ink',
        borderWidth: '2px',
        borderColor: 'sign.edge',
        borderRadius: 'button',
        _hover: { bg: 'sign.hover' },
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
      link: {
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

/** A text field: input or textarea. */
const input = defineRecipe({
  className: 'input',
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

export const recipes = { button, input };

export const slotRecipes = {};
