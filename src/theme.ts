/**
 * The look of every screen: colours that mean something, two typefaces, one scale.
 *
 * Only what is used is defined, since all of it travels: the tokens in the prerendered page, the
 * recipes in the script of /admin. Dark values follow the visitor's system by media query, so no
 * script has to set a class before the first paint.
 */
import { createSystem, defaultBaseConfig, defineConfig } from '@chakra-ui/react';
import { recipes, slotRecipes } from './ui/recipes.ts';

const both = (light: string, dark: string) => ({ value: { base: light, _dark: dark } });

/** Multiples of 4 px, by the number of quarters of a rem: `p="6"` is 24 px. */
const steps = [0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 16, 20, 24, 28, 32];
const spacing = Object.fromEntries(steps.map((n) => [n, { value: `${n / 4}rem` }]));

const config = defineConfig({
  preflight: true,
  conditions: { dark: '@media (prefers-color-scheme: dark)' },
  theme: {
    breakpoints: { sm: '30em', md: '48em', lg: '62em', xl: '80em' },
    tokens: {
      fonts: {
        display: { value: '"Bricolage Grotesque", "Bricolage Stand-in", sans-serif' },
        text: { value: '"Hanken Grotesk", "Hanken Stand-in", sans-serif' },
        body: { value: '{fonts.text}' },
        heading: { value: '{fonts.display}' },
      },
      spacing,
      sizes: { ...spacing, full: { value: '100%' } },
      radii: { button: { value: '6px' } },
    },
    semanticTokens: {
      colors: {
        bg: {
          DEFAULT: both('#F7F9F8', '#0B141E'),
          tint: both('#E6EDEB', '#14212E'),
          ink: both('#0E1B2A', '#14212E'),
        },
        fg: {
          DEFAULT: both('#0E1B2A', '#EEF3F2'),
          soft: both('#33424F', '#C9D4D1'),
          muted: both('#4E5D69', '#A5B4BE'),
          onInk: both('#F1F5F4', '#F1F5F4'),
          onInkSoft: both('#B7C4CC', '#B7C4CC'),
        },
        hairline: both('#C9D4D1', '#2B3A47'),
        border: both('#C9D4D1', '#2B3A47'),
        field: both('#6B7A85', '#70818E'),
        line: {
          blue: both('#1D4ED8', '#86A8FF'),
          red: both('#C2321C', '#FF8F7A'),
          green: both('#0B6B4F', '#5CC8A2'),
        },
        sign: {
          DEFAULT: both('#FFCF33', '#FFCF33'),
          hover: both('#F2B90C', '#F2B90C'),
          ink: both('#0E1B2A', '#0E1B2A'),
        },
        focus: both('#0E1B2A', '#EEF3F2'),
      },
    },
    textStyles: {
      h1: {
        value: {
          fontFamily: 'display',
          fontSize: 'clamp(2.75rem, 1rem + 6vw, 5.5rem)',
          lineHeight: '0.96',
          letterSpacing: '-0.028em',
          fontWeight: '800',
          textWrap: 'balance',
        },
      },
      h2: {
        value: {
          fontFamily: 'display',
          fontSize: 'clamp(2rem, 1.25rem + 3vw, 3.5rem)',
          lineHeight: '1.02',
          letterSpacing: '-0.02em',
          fontWeight: '700',
          textWrap: 'balance',
        },
      },
      statement: {
        value: {
          fontFamily: 'display',
          fontSize: 'clamp(2.4rem, 1rem + 5.6vw, 5.4rem)',
          lineHeight: '0.98',
          letterSpacing: '-0.025em',
          fontWeight: '700',
          textWrap: 'balance',
        },
      },
      h3: {
        value: {
          fontFamily: 'display',
          fontSize: 'clamp(1.4rem, 1.3rem + 0.4vw, 1.7rem)',
          lineHeight: '1.12',
          letterSpacing: '-0.01em',
          fontWeight: '700',
          textWrap: 'balance',
        },
      },
      lead: { value: { fontSize: 'clamp(1.125rem, 1.02rem + 0.5vw, 1.3rem)', lineHeight: '1.5' } },
      body: { value: { fontSize: '1.0625rem', lineHeight: '1.6' } },
      small: { value: { fontSize: '0.9375rem', lineHeight: '1.5' } },
    },
    recipes,
    slotRecipes,
  },
  globalCss: {
    html: {
      scrollPaddingTop: '80px',
      scrollbarGutter: 'stable',
      textSizeAdjust: '100%',
      '@media (prefers-reduced-motion: no-preference)': { scrollBehavior: 'smooth' },
    },
    body: { textStyle: 'body', fontFamily: 'text', bg: 'bg', color: 'fg' },
    ':focus-visible': {
      outline: '3px solid {colors.focus}',
      outlineOffset: '2px',
    },
    '*, ::before, ::after': {
      '@media (prefers-reduced-motion: reduce)': {
        animationDuration: '0.01ms !important',
        animationIterationCount: '1 !important',
        transitionDuration: '0.01ms !important',
      },
    },
  },
});

export const system = createSystem(defaultBaseConfig, config);
