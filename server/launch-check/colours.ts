/** Checks the contrast of the owner's colours where they are used (WCAG 2.2, level AA). */
import type { SiteConfig } from '../../site.defaults.ts';
import { backgrounds, contrast, minTextContrast } from '../contract/contrast.ts';
import type { Finding } from './finding.ts';

type Colours = SiteConfig['colours'];

interface Rule {
  field: string;
  /** What the form calls it. */
  name: string;
  colour: string;
  /** The colours it is seen against. */
  against: readonly { name: string; colour: string }[];
}

/** One finding for each colour with too little contrast to a colour it is seen against. */
export function colourFindings(colours: Colours): Finding[] {
  return rulesFor(colours).flatMap(({ field, name, colour, against }) => {
    const pairs = against.map((other) => ({ ...other, ratio: contrast(colour, other.colour) }));
    const worst = pairs.reduce((a, b) => (b.ratio < a.ratio ? b : a));
    if (worst.ratio >= minTextContrast) return [];
    // The direction in which the needed contrast exists: a colour can be on the wrong side of `other`.
    const canBeLighter = against.every(
      (other) => contrast('#FFFFFF', other.colour) >= minTextContrast,
    );
    const direction = canBeLighter ? 'lighter' : 'darker';
    const ratio = (Math.floor(worst.ratio * 10) / 10).toFixed(1);
    const path = `colours.${field}`;
    const text = `is ${colour}, hard to see against ${worst.name} (${worst.colour}): its contrast is ${ratio}, and ${minTextContrast} is needed. Make it ${direction}.`;
    return [{ kind: 'todo', where: path, text, form: { path, sentence: `${name} ${text}` } }];
  });
}

const services = { management: 'first', consulting: 'second', infrastructure: 'third' };

function rulesFor({ lines }: Colours): Rule[] {
  return Object.entries(services).flatMap(([line, service]): Rule[] =>
    (['light', 'dark'] as const).map((mode) => ({
      field: `lines.${line}.${mode}`,
      name: `The ${mode} colour of the ${service} service`,
      colour: lines[line as keyof typeof services][mode],
      against: backgrounds[mode],
    })),
  );
}
