/** The contrast of colours, by WCAG 2.2. */

/** The tones of text on a colour that the owner chooses. */
export const textTones = { dark: '#0E1B2A', light: '#F7F9F8' } as const;

/** The minimum contrast of text (WCAG 2.2, 1.4.3). */
export const minTextContrast = 4.5;

/** The tone for text on a `#RRGGBB` colour; black or white where both tones have too little contrast. */
export function textOn(colour: string): string {
  const tone = better(colour, textTones.dark, textTones.light);
  return contrast(colour, tone) >= minTextContrast ? tone : better(colour, '#000000', '#FFFFFF');
}

const better = (colour: string, a: string, b: string) =>
  contrast(colour, a) >= contrast(colour, b) ? a : b;

/** WCAG contrast ratio of two `#RRGGBB` colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG relative luminance of `#RRGGBB`, 0 to 1. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** What texts in the colours of the lines stand on, in either mode: the same colours as in `src/theme/theme.ts`. */
export const backgrounds = {
  light: [
    { name: 'the page background', colour: '#F7F9F8' },
    { name: 'the tinted background', colour: '#E6EDEB' },
  ],
  dark: [
    { name: 'the dark page background', colour: '#0B141E' },
    { name: 'the dark tinted background', colour: '#14212E' },
    { name: 'the dark sections', colour: '#0E1B2A' },
    { name: 'the dark sections', colour: '#04090F' },
  ],
} as const;

/** The nearest darker or lighter shade with a contrast of `least` to all grounds; undefined when there is none. */
export function readableShade(
  colour: string,
  grounds: readonly string[],
  least = minTextContrast,
): string | undefined {
  for (let share = 1; share <= 100; share++) {
    for (const pole of [0, 255]) {
      const shade = mixed(colour, pole, share / 100);
      if (grounds.every((ground) => contrast(shade, ground) >= least)) return shade;
    }
  }
  return undefined;
}

/** A colour with a share of black (0) or white (255). */
export const mixed = (colour: string, pole: number, share: number) =>
  `#${[1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    .map((channel) => Math.round(channel + (pole - channel) * share))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()}`;
