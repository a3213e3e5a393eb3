/** The site's knot, drawn in the hero and in the share picture. */
import type { Line } from '../../theme/page-css.ts';

export interface Strand {
  line: Line;
  /** Paths of the knotted part, split so that strands can be drawn over and under each other. */
  knot: string[];
  /** Path of the straight part, from the interchange to beyond the picture. */
  track: string;
  /** Height of the track at its station. */
  y: number;
}

/** Dimensions of the drawing, in SVG units. */
export const plan = {
  width: 640,
  height: 440,
  interchange: 324,
  station: 536,
  /** Upper bound for the length of a stretch: the length of the dash that animates it (`theme.ts`). */
  longest: 500,
} as const;

/** The stacking order of the stretches: mixed, so that strands go over and under each other. */
export const layers = [2, 0, 3, 1];

/** The five strands, from the top track to the bottom one. */
export const strands: Strand[] = [
  {
    line: 'blue',
    knot: [
      'M76 172c8 16 28 92 52 100s64-16 76-44',
      'M204 228c16-28 32-112 8-120s-120 24-132 60',
      'M80 168c-16 32 20 140 48 140s96-104 128-124',
      'M256 184c28-20 32 12 44 12s20 0 24 0',
    ],
    track: 'M300 196H344q14 0 24 -10l120 -120q10 -10 24 -10H2400',
    y: 56,
  },
  {
    line: 'blue',
    knot: [
      'M12 200c20-28 84-164 128-172s132 76 136 120',
      'M276 148c8 44-64 124-96 140s-92-8-104-44',
      'M76 244c-8-36 16-160 44-168s104 104 136 128',
      'M256 204c28 20 32 4 44 4s20 0 24 0',
    ],
    track: 'M300 208H351q14 0 24 -10l50 -50q10 -10 24 -10H2400',
    y: 138,
  },
  {
    line: 'red',
    knot: [
      'M76 228c12 20 40 104 72 108s124-36 128-84',
      'M276 252c0-44-80-176-112-192s-80 72-84 116',
      'M80 176c-4 40 40 136 68 144s80-84 108-100',
      'M256 220c24-16 32 0 44 0s20 0 24 0',
    ],
    track: 'M300 220H2400',
    y: 220,
  },
  {
    line: 'green',
    knot: [
      'M16 172c24-8 104-52 144-52s100 36 104 64',
      'M264 184c0 28-56 88-92 108s-120 32-124 8',
      'M48 300c-4-20 72-136 104-148s76 72 104 88',
      'M256 240c24 12 32-8 44-8s20 0 24 0',
    ],
    track: 'M300 232H351q14 0 24 10l50 50q10 10 24 10H2400',
    y: 302,
  },
  {
    line: 'green',
    knot: [
      'M4 228c24-28 96-152 140-148s120 108 124 152',
      'M268 232c0 48-76 120-108 124s-76-60-84-96',
      'M76 260c-8-36 12-120 44-120s104 100 136 116',
      'M256 256c28 16 32-8 44-12s20 0 24 0',
    ],
    track: 'M300 244H344q14 0 24 10l120 120q10 10 24 10H2400',
    y: 384,
  },
];
