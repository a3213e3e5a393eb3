/** Checks the contrast of the owner's colours where they are used (WCAG 2.2, level AA). */
import type { SiteConfig } from '../../site.defaults.ts';
import { contrast, minTextContrast } from '../contract/contrast.ts';
import type { Finding } from './finding.ts';

type Colours = SiteConfig['colours'];

/** Backgrounds: the same as in `src/theme/theme.ts`. */
export const themeColours = {
  page: { light: '#F7F9F8', dark: '#0B141E' },
  tinted: { light: '#E6EDEB', dark: '#14212E' },
  inverted: { light: '#0E1B2A', dark: '#04090F' },
} as const;

interface Rule {
  field: string;
  /** What the form calls it. */
  name: string;
  colour: string;
  /** The colours it is seen against, by description. */
  against: [description: string, colour: string][];
}

/** One finding for each colour with too little contrast to a colour it is seen against. */
export function colourFindings(colours: Colours): Finding[] {
  return rulesFor(colours).flatMap(({ field, name, colour, against }) => {
    const pairs = against.map(([description, other]) => ({
      description,
      other,
      ratio: contrast(colour, other),
    }));
    const worst = pairs.reduce((a, b) => (b.ratio < a.ratio ? b : a));
    if (worst.ratio >= minTextContrast) return [];
    // The direction in which the needed contrast exists: a colour can be on the wrong side of `other`.
    const canBeLighter = pairs.every(({ other }) => contrast('#FFFFFF', other) >= minTextContrast);
    const direction = canBeLighter ? 'lighter' : 'darker';
    const ratio = (Math.floor(worst.ratio * 10) / 10).toFixed(1);
    const path = `colours.${field}`;
    const text = `is ${colour}, hard to see against ${worst.description} (${worst.other}): its contrast is ${ratio}, and ${minTextContrast} is needed. Make it ${direction}.`;
    return [{ kind: 'todo', where: path, text, form: { path, sentence: `${name} ${text}` } }];
  });
}

const services = { management: 'first', consulting: 'second', infrastructure: 'third' };

function rulesFor({ lines }: Colours): Rule[] {
  const { page, tinted, inverted } = themeColours;
  return Object.entries(services).flatMap(([name, service]): Rule[] => {
    const { light, dark } = lines[name as keyof typeof services];
    return [
      {
        field: `lines.${name}.light`,
        name: `The light colour of the ${service} service`,
        colour: light,
        against: [
          ['the page background', page.light],
          ['the tinted background', tinted.light],
        ],
      },
      {
        field: `lines.${name}.dark`,
        name: `The dark colour of the ${service} service`,
        colour: dark,
        against: [
          ['the dark page background', page.dark],
          ['the dark tinted background', tinted.dark],
          ['the dark sections', inverted.light],
          ['the dark sections', inverted.dark],
        ],
      },
    ];
  });
}
