/** The two typefaces, cut to the characters of each page, and their fallback fonts. */

import displayCentral from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-ext-wght-normal.woff2?subset=central&weights=700-800';
import displayBasic from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?subset=basic&weights=700-800';
import displayWestern from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?subset=western&weights=700-800';
import displayVietnamese from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-vietnamese-wght-normal.woff2?subset=vietnamese&weights=700-800';
import textCentral from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-ext-wght-normal.woff2?subset=central&weights=400-700';
import textBasic from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?subset=basic+western&weights=400-700';
import textVietnamese from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-vietnamese-wght-normal.woff2?subset=vietnamese&weights=400-700';
import { type FontSubset, fontSubsets, usesSubset } from '../../server/contract/font-subsets.ts';

interface Typeface {
  family: string;
  weights: string;
  /** The file with the letters of English and German. That of the text has all western ones, since visitors type it. */
  basic: string;
  /** Files with further letters. */
  further: Partial<Record<FontSubset, string>>;
}

const typefaces: Typeface[] = [
  {
    family: 'Bricolage Grotesque',
    weights: '700 800',
    basic: displayBasic,
    further: { western: displayWestern, central: displayCentral, vietnamese: displayVietnamese },
  },
  {
    family: 'Hanken Grotesk',
    weights: '400 700',
    basic: textBasic,
    further: { central: textCentral, vietnamese: textVietnamese },
  },
];

/** Browsers download a file with a range for the characters of the range alone; of two, the later one. */
const face = ({ family, weights }: Typeface, url: string, range?: string) =>
  `@font-face{font-family:"${family}";font-weight:${weights};font-display:swap;` +
  `src:url(${url}) format("woff2")${range ? `;unicode-range:${range}` : ''}}`;

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

/** The fonts of a page with this text. */
export const fontsOf = (pageText: string): Fonts =>
  fontsWith((subset) => usesSubset(pageText, subset));

/** The fonts of the admin app, whose texts may be in any language: only the basic files are preloaded. */
export const appFonts: Fonts = {
  ...fontsWith(() => true),
  files: typefaces.map(({ basic }) => basic),
};

function fontsWith(isUsed: (subset: FontSubset) => boolean): Fonts {
  const fonts = typefaces.map((typeface) => {
    const further = Object.entries(typeface.further).flatMap(([name, url]) =>
      isUsed(name as FontSubset) ? { url, range: fontSubsets[name as FontSubset] } : [],
    );
    return {
      files: [typeface.basic, ...further.map(({ url }) => url)],
      faces: [
        face(typeface, typeface.basic),
        ...further.map(({ url, range }) => face(typeface, url, range)),
      ],
    };
  });
  return {
    files: fonts.flatMap(({ files }) => files),
    faces: fonts.flatMap(({ faces }) => faces).join('') + fallbacks,
  };
}
