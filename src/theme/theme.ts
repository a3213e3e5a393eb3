/**
 * The look of every screen: colours that mean something, two typefaces, one scale.
 *
 * Only what is used is defined, since all of it travels: the tokens in the prerendered page, the
 * recipes in the script of /admin. Dark values follow the visitor's system by media query, so no
 * script has to set a class before the first paint.
 */
import { createSystem, defaultBaseConfig, defineConfig } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { pageCss } from './page-css.ts';
import { recipes, slotRecipes } from './recipes.ts';
import { reset } from './reset.ts';
import { textStyles } from './text-styles.ts';

const both = (light: string, dark: string) => ({ value: { base: light, _dark: dark } });

/** A colour of the owner's, in both modes. */
const owners = ({ light, dark }: { light: string; dark: string }) => both(light, dark);

const { lines, sign, signHover } = site.colours;

/** Multiples of 4 px, by the number of quarters of a rem: `p="6"` is 24 px. */
const steps = [0, 0.5, 1, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 16, 24];
const sizes = Object.fromEntries(steps.map((n) => [n, { value: `${n / 4}rem` }]));
const spacing = {
  ...sizes,
  /** From the window's edge to the text: the page is 70 rem wide at most. */
  gutter: { value: 'max(clamp(1.25rem, 4vw, 2.5rem), (100% - 70rem) / 2)' },
  /** Between the blocks of a section. */
  block: { value: 'clamp(2rem, 4vw, 3rem)' },
  /** Above and below a section. */
  band: { value: 'clamp(4rem, 8vw, 7rem)' },
};

const config = defineConfig({
  preflight: false,
  cssVarsPrefix: 'c',
  conditions: {
    dark: '@media (prefers-color-scheme: dark)',
    // Chakra's own also look for attributes that we never set.
    hover: ['@media (hover: hover)', '&:hover:not(:disabled)'],
    disabled: '&:disabled',
    invalid: '&[aria-invalid=true]',
  },
  utilities: {
    // Chakra's own also keeps each ground in a custom property, which nothing of ours reads.
    background: { transform: (background: string) => ({ background }) },
  },
  theme: {
    breakpoints: { sm: '30em', md: '48em', lg: '62em', xl: '80em' },
    keyframes: {
      // By the longest stretch that is drawn (`landing/art/tangle.ts`).
      draw: { from: { strokeDashoffset: '500' } },
      run: { from: { clipPath: 'inset(-9em 100% -9em 0)' } },
      runDown: { from: { clipPath: 'inset(0 -9em 100% -9em)' } },
    },
    tokens: {
      fonts: {
        display: { value: '"Bricolage Grotesque", "Bricolage Stand-in", sans-serif' },
        text: { value: '"Hanken Grotesk", "Hanken Stand-in", sans-serif' },
      },
      spacing,
      sizes: { ...sizes, full: { value: '100%' } },
      radii: { button: { value: '6px' } },
      colors: {
        /** The three lines on ink, which is dark in either mode. */
        lit: {
          blue: { value: lines.management.dark },
          red: { value: lines.consulting.dark },
          green: { value: lines.infrastructure.dark },
        },
      },
    },
    semanticTokens: {
      colors: {
        bg: {
          DEFAULT: both('#F7F9F8', '#0B141E'),
          tint: both('#E6EDEB', '#14212E'),
          ink: both('#0E1B2A', '#04090F'),
        },
        fg: {
          DEFAULT: both('#0E1B2A', '#EEF3F2'),
          soft: both('#33424F', '#C9D4D1'),
          muted: both('#4E5D69', '#A5B4BE'),
          onInk: both('#F1F5F4', '#F1F5F4'),
          onInkSoft: both('#B7C4CC', '#B7C4CC'),
        },
        hairline: both('#C9D4D1', '#2B3A47'),
        field: both('#6B7A85', '#70818E'),
        line: {
          blue: owners(lines.management),
          red: owners(lines.consulting),
          green: owners(lines.infrastructure),
        },
        sign: {
          DEFAULT: owners(sign),
          hover: owners(signHover),
          ink: both('#0E1B2A', '#0E1B2A'),
          /** Around a sign on light ground; on dark ground the sign is its own edge. */
          edge: both('#0E1B2A', 'transparent'),
        },
      },
    },
    textStyles,
    recipes,
    slotRecipes,
  },
  globalCss: pageCss,
});

const { _global, ...rest } = createSystem(defaultBaseConfig, config);

// The first of the global styles is the layer of Chakra's preflight, which we leave empty.
export const system = { ...rest, _global: [{ '@layer reset': reset }, ..._global.slice(1)] };
