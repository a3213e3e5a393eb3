/** The knot of this site: the same in the hero and in the picture of a shared link. */
import { tangle } from './tangle.ts';

/** Its five strands, from the top track to the bottom one. */
export const strands = tangle(['blue', 'blue', 'red', 'green', 'green'], 8);

/** In which order the stretches lie upon each other: mixed, so that strands go over and under. */
export const layers = [2, 0, 3, 1];
