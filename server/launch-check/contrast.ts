/** Whether the owner's colours can be read where they are used (WCAG 2.2, level AA). */
import type { site } from '../../site.config.ts';
import type { Finding } from './finding.ts';

type Colours = (typeof site)['colours'];

/** What the owner's colours are seen on, and what is written on them: as in `src/theme/theme.ts`. */
export const grounds = {
  paper: { light: '#F7F9F8', dark: '#0B141E' },
  tint: { light: '#E6EDEB', dark: '#14212E' },
  ink: { light: '#0E1B2A', dark: '#04090F' },
  signText: { light: '#0E1B2A', dark: '#0E1B2A' },
} as const;

/** What text must have against its ground. Lines carry words here and there; shapes would need 3. */
const least = 4.5;

interface Rule {
  field: string;
  colour: string;
  /** Other colours it meets, by what they are. */
  against: [what: string, colour: string][];
}

/** One finding for each colour that is too close to something it is seen on. */
export function colourFindings(colours: Colours): Finding[] {
  return rulesFor(colours).flatMap(({ field, colour, against }) => {
    const meetings = against.map(([what, other]) => ({
      what,
      other,
      ratio: contrast(colour, other),
    }));
    const worst = meetings.reduce((a, b) => (b.ratio < a.ratio ? b : a));
    if (worst.ratio >= least) return [];
    const way = luminance(colour) >= luminance(worst.other) ? 'lighter' : 'darker';
    const ratio = (Math.floor(worst.ratio * 10) / 10).toFixed(1);
    return [
      {
        topic: 'colours',
        kind: 'todo',
        where: `colours.${field}`,
        text: `is ${colour}, hard to see against ${worst.what} (${worst.other}): its contrast is ${ratio}, and ${least} is needed. Make it ${way}.`,
      },
    ];
  });
}

function rulesFor({ lines, sign, signHover }: Colours): Rule[] {
  const { paper, tint, ink, signText } = grounds;
  const ofLines = Object.entries(lines).flatMap(([name, { light, dark }]): Rule[] => [
    {
      field: `lines.${name}.light`,
      colour: light,
      against: [
        ['the paper', paper.light],
        ['the tinted paper', tint.light],
      ],
    },
    {
      field: `lines.${name}.dark`,
      colour: dark,
      against: [
        ['the dark paper', paper.dark],
        ['the tinted dark paper', tint.dark],
        ['the dark sections', ink.light],
        ['the dark sections', ink.dark],
      ],
    },
  ]);
  const ofSigns = Object.entries({ sign, signHover }).flatMap(([name, { light, dark }]): Rule[] => [
    {
      field: `${name}.light`,
      colour: light,
      against: [['its own text', signText.light]],
    },
    {
      field: `${name}.dark`,
      colour: dark,
      against: [['its own text', signText.dark]],
    },
  ]);
  // The frame around what has the focus in a dark section is a sign's colour too: it needs less.
  return [...ofLines, ...ofSigns];
}

/** WCAG's contrast ratio of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG's relative luminance of `#RRGGBB`, 0 to 1. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
