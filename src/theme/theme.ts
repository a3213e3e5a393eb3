/**
 * The Chakra system of every screen: semantic colours, two typefaces, one type scale.
 *
 * It defines only what is used, since all of it is sent: the tokens in the prerendered page, the
 * recipes in the script of /admin. Dark mode follows the system by media query, so no script has to
 * set a class before the first paint.
 */
import { createSystem, defaultBaseConfig, defineConfig } from '@chakra-ui/react';
import { contrast, textOn, textTones } from '../../server/contract/contrast.ts';
import { site } from '../../site.config.ts';
import { pageCss } from './page-css.ts';
import { recipes } from './recipes.ts';
import { reset } from './reset.ts';
import { slotRecipes } from './slot-recipes.ts';
import { textStyles } from './text-styles.ts';

const modes = (light: string, dark: string) => ({ value: { base: light, _dark: dark } });

/** A colour from the site's config, in both modes. */
const configured = ({ light, dark }: { light: string; dark: string }) => modes(light, dark);

const { lines, primary, primaryHover } = site.colours;

const inverted = modes('#0E1B2A', '#04090F');

/** Whether a colour is hard to see on a dark background (WCAG 1.4.11). */
const isDark = (colour: string) => contrast(colour, inverted.value.base) < 3;
const borderOnDark = (colour: string) => (isDark(colour) ? textTones.light : 'transparent');
const focusOnInverted = (colour: string) => (isDark(colour) ? textTones.light : colour);

/** The spacing scale in quarters of a rem: `p="6"` is 24 px. */
const steps = [0, 0.5, 1, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 16, 24];
const sizes = Object.fromEntries(steps.map((n) => [n, { value: `${n / 4}rem` }]));
const spacing = {
  ...sizes,
  /** From the window's edge to the text, which is at most 70 rem wide. */
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
  },
  theme: {
    breakpoints: { sm: '30em', md: '48em', lg: '62em', xl: '80em' },
    keyframes: {
      // The length of the longest stretch (`plan.longest` in `landing/art/knot.ts`).
      draw: { from: { strokeDashoffset: '500' } },
      run: { from: { clipPath: 'inset(-9em 100% -9em 0)' } },
      runDown: { from: { clipPath: 'inset(0 -9em 100% -9em)' } },
      guard: { from: { visibility: 'visible' } },
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
        /** The three lines on `bg.inverted`, which is dark in both modes. */
        onInverted: {
          blue: { value: lines.management.dark },
          red: { value: lines.consulting.dark },
          green: { value: lines.infrastructure.dark },
        },
      },
    },
    semanticTokens: {
      colors: {
        bg: {
          DEFAULT: modes('#F7F9F8', '#0B141E'),
          tint: modes('#E6EDEB', '#14212E'),
          inverted,
        },
        fg: {
          DEFAULT: modes('#0E1B2A', '#EEF3F2'),
          soft: modes('#33424F', '#C9D4D1'),
          muted: modes('#4E5D69', '#A5B4BE'),
          onInverted: { value: '#F1F5F4' },
          onInvertedSoft: { value: '#B7C4CC' },
        },
        hairline: modes('#C9D4D1', '#2B3A47'),
        field: modes('#6B7A85', '#70818E'),
        line: {
          blue: configured(lines.management),
          red: configured(lines.consulting),
          green: configured(lines.infrastructure),
        },
        primary: {
          DEFAULT: configured(primary),
          hover: configured(primaryHover),
          text: modes(textOn(primary.light), textOn(primary.dark)),
          hoverText: modes(textOn(primaryHover.light), textOn(primaryHover.dark)),
          /** The border of a primary button; a bright one needs none on a dark background. */
          border: modes(textTones.dark, borderOnDark(primary.dark)),
          borderOnInverted: modes(borderOnDark(primary.light), borderOnDark(primary.dark)),
          /** The focus ring on `bg.inverted`. */
          focus: modes(focusOnInverted(primary.light), focusOnInverted(primary.dark)),
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

// The first global style is the layer of Chakra's preflight, which is disabled and therefore empty.
export const system = { ...rest, _global: [{ '@layer reset': reset }, ..._global.slice(1)] };
