/** The two typefaces, cut to what the site uses, and the stand-ins shown until they arrive. */
import display from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?subset&weights=700-800';
import text from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?subset&weights=400-700&typed';

/** Addresses of the fonts, for `<link rel=preload>`. */
export const fontFiles = [display, text];

const face = (family: string, url: string, weights: string) =>
  `@font-face{font-family:"${family}";font-weight:${weights};font-display:swap;src:url(${url}) format("woff2")}`;

/** A local font stretched to the metrics of the one on its way: nothing moves when that arrives. */
const standIn = (family: string, sizeAdjust: string, ascent: string, descent: string) =>
  `@font-face{font-family:"${family}";src:local("Arial"),local("Liberation Sans");` +
  `size-adjust:${sizeAdjust};ascent-override:${ascent};descent-override:${descent};line-gap-override:0%}`;

/** CSS that makes the families of the theme's `display` and `text` fonts known. */
export const fontFaces =
  face('Bricolage Grotesque', display, '700 800') +
  face('Hanken Grotesk', text, '400 700') +
  standIn('Bricolage Stand-in', '105.43%', '88.21%', '25.61%') +
  standIn('Hanken Stand-in', '100.94%', '99.07%', '30.02%');
