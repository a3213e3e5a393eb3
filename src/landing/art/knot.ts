/** The site's knot, drawn in the hero and in the share picture. */
import { tangle } from './tangle.ts';

/** The five strands, from the top track to the bottom one. */
export const strands = tangle(['blue', 'blue', 'red', 'green', 'green'], 8);

/** The stacking order of the stretches: mixed, so that strands go over and under each other. */
export const layers = [2, 0, 3, 1];
