/** Sets of colours for the site, and a set made of one colour. */
import {
  backgrounds,
  contrast,
  minTextContrast,
  mixed,
  readableShade,
} from '../../server/contract/contrast.ts';

interface Modes {
  light: string;
  dark: string;
}

/** The group `colours` of the document. */
export interface Colours {
  lines: { management: Modes; consulting: Modes; infrastructure: Modes };
  primary: Modes;
  primaryHover: Modes;
}

const grounds = {
  light: backgrounds.light.map(({ colour }) => colour),
  dark: backgrounds.dark.map(({ colour }) => colour),
};

/** The contrast of lines in the dark, as far as the colour allows: as that of the first set. */
const darkContrast = 8;

const worst = (colour: string, mode: keyof Modes) =>
  Math.min(...grounds[mode].map((ground) => contrast(colour, ground)));

/** Both shades of a line; its own colour on light ground where that can be read. */
const modesOf = (colour: string): Modes => ({
  light:
    worst(colour, 'light') >= minTextContrast
      ? colour
      : (readableShade(colour, grounds.light) ?? '#000000'),
  dark: readableShade(colour, grounds.dark, darkContrast) ?? '#FFFFFF',
});

function coloursOf([management, consulting, infrastructure]: Lines, primary: string): Colours {
  const hover = mixed(primary, 0, 0.08);
  return {
    lines: {
      management: modesOf(management),
      consulting: modesOf(consulting),
      infrastructure: modesOf(infrastructure),
    },
    primary: { light: primary, dark: primary },
    primaryHover: { light: hover, dark: hover },
  };
}

type Lines = readonly [management: string, consulting: string, infrastructure: string];

/** By name; the first one is that of a fresh site. */
export const palettes: Readonly<Record<string, Colours>> = {
  Underground: {
    lines: {
      management: { light: '#1D4ED8', dark: '#86A8FF' },
      consulting: { light: '#C2321C', dark: '#FF8F7A' },
      infrastructure: { light: '#0B6B4F', dark: '#5CC8A2' },
    },
    primary: { light: '#FFCF33', dark: '#FFCF33' },
    primaryHover: { light: '#F2B90C', dark: '#F2B90C' },
  },
  Harbour: coloursOf(['#0B5C8A', '#B4471C', '#3D6B21'], '#FFC48A'),
  Orchard: coloursOf(['#3D6B21', '#A12A5E', '#7A5200'], '#D8E85A'),
  Plum: coloursOf(['#6D28A8', '#B0235F', '#0B6B66'], '#FFB8D2'),
  Slate: coloursOf(['#33424F', '#5B5F97', '#0B6B4F'], '#BFE3F2'),
};

/** A set made of one colour: its line, two lines a third of the colour wheel away, and its buttons. */
export const coloursFrom = (colour: string): Colours =>
  coloursOf([colour, turned(colour, 120), turned(colour, 240)], colour);

/** The lowest contrast of any line on its grounds, in either mode. */
export function contrastOf({ lines }: Colours): { light: number; dark: number } {
  const lowest = (mode: keyof Modes) =>
    Math.min(...Object.values(lines).map((line) => worst(line[mode], mode)));
  return { light: lowest('light'), dark: lowest('dark') };
}

/** A `#RRGGBB` colour of another hue, `degrees` further on the wheel, with the same saturation and lightness (HSL). */
function turned(colour: string, degrees: number): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255,
  );
  const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)];
  const range = high - low;
  const lightness = (high + low) / 2;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1));
  const sixth =
    range === 0
      ? 0
      : high === r
        ? (g - b) / range
        : high === g
          ? (b - r) / range + 2
          : (r - g) / range + 4;
  const hue = sixth * 60 + degrees + 360;
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`.toUpperCase();
}
