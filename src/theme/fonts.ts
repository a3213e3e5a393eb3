/** The two typefaces, subset to what the site uses, and their fallback fonts. */
import display from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?subset&weights=700-800';
import text from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?subset&weights=400-700&typed';

/** URLs of the fonts, for `<link rel=preload>`. */
export const fontFiles = [display, text];

const face = (family: string, url: string, weights: string) =>
  `@font-face{font-family:"${family}";font-weight:${weights};font-display:swap;src:url(${url}) format("woff2")}`;

/** A local fallback font with the web font's metrics, to avoid a layout shift when that loads. */
const fallback = (family: string, sizeAdjust: string, ascent: string, descent: string) =>
  `@font-face{font-family:"${family}";src:local("Arial"),local("Liberation Sans");` +
  `size-adjust:${sizeAdjust};ascent-override:${ascent};descent-override:${descent};line-gap-override:0%}`;

/** `@font-face` rules for the theme's `display` and `text` fonts. */
export const fontFaces =
  face('Bricolage Grotesque', display, '700 800') +
  face('Hanken Grotesk', text, '400 700') +
  fallback('Bricolage Stand-in', '105.43%', '88.21%', '25.61%') +
  fallback('Hanken Stand-in', '100.94%', '99.07%', '30.02%');
