/** The contrast of colours, by WCAG 2.2. */

/** The tones of text on a colour that the owner chooses. */
export const textTones = { dark: '#0E1B2A', light: '#F7F9F8' } as const;

/** The tone with the higher contrast to a `#RRGGBB` colour. */
export const textOn = (colour: string): string =>
  contrast(colour, textTones.dark) >= contrast(colour, textTones.light)
    ? textTones.dark
    : textTones.light;

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
