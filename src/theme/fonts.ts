/** The two typefaces, cut to the characters of each page, and their fallback fonts. */

import displayCentral from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-ext-wght-normal.woff2?subset=central&weights=700-800';
import displayBasic from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?subset=basic&weights=700-800';
import displayWestern from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?subset=western&weights=700-800';
import displayVietnamese from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-vietnamese-wght-normal.woff2?subset=vietnamese&weights=700-800';
import textCentral from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-ext-wght-normal.woff2?subset=central&weights=400-700';
import textBasic from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?subset=basic&weights=400-700';
import textWestern from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?subset=western&weights=400-700';
import textVietnamese from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-vietnamese-wght-normal.woff2?subset=vietnamese&weights=400-700';
import { type FontSubset, fontSubsets, usesSubset } from '../../server/contract/font-subsets.ts';

interface Typeface {
  family: string;
  weights: string;
  files: Record<FontSubset, string>;
}

const display: Typeface = {
  family: 'Bricolage Grotesque',
  weights: '700 800',
  files: {
    basic: displayBasic,
    western: displayWestern,
    central: displayCentral,
    vietnamese: displayVietnamese,
  },
};

const text: Typeface = {
  family: 'Hanken Grotesk',
  weights: '400 700',
  files: {
    basic: textBasic,
    western: textWestern,
    central: textCentral,
    vietnamese: textVietnamese,
  },
};

const subsets = Object.keys(fontSubsets) as FontSubset[];

const face = ({ family, weights, files }: Typeface, subset: FontSubset) =>
  `@font-face{font-family:"${family}";font-weight:${weights};font-display:swap;` +
  `src:url(${files[subset]}) format("woff2");unicode-range:${fontSubsets[subset]}}`;

/** A local fallback font with the web font's metrics, to avoid a layout shift when that loads. */
const fallback = (family: string, sizeAdjust: string, ascent: string, descent: string) =>
  `@font-face{font-family:"${family}";src:local("Arial"),local("Liberation Sans");` +
  `size-adjust:${sizeAdjust};ascent-override:${ascent};descent-override:${descent};line-gap-override:0%}`;

const fallbacks =
  fallback('Bricolage Stand-in', '105.43%', '88.21%', '25.61%') +
  fallback('Hanken Stand-in', '100.94%', '99.07%', '30.02%');

interface Fonts {
  /** URLs of the fonts, for `<link rel=preload>`. */
  files: string[];
  /** `@font-face` rules for the theme's `display` and `text` fonts. */
  faces: string;
}

/** The fonts of a page with this text, and those of letters that a visitor may type. */
export function fontsOf(pageText: string): Fonts {
  const used = subsets.filter((subset) => subset === 'basic' || usesSubset(pageText, subset));
  const typed = new Set<FontSubset>([...used, 'western']);
  return {
    files: used.flatMap((subset) => [display.files[subset], text.files[subset]]),
    faces:
      used.map((subset) => face(display, subset)).join('') +
      subsets
        .filter((subset) => typed.has(subset))
        .map((subset) => face(text, subset))
        .join('') +
      fallbacks,
  };
}

/** The fonts of the admin app, whose texts may be in any language. */
export const appFonts: Fonts = {
  files: [display.files.basic, text.files.basic],
  faces: subsets.map((subset) => face(display, subset) + face(text, subset)).join('') + fallbacks,
};
