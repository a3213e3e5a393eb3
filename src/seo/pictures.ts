/** What pictures are drawn from. */
import { createHash } from 'node:crypto';
import type { Pictures } from '../../server/contract/pictures.ts';

type Draw = Pictures[string];

/** The SVG of a picture before its texts are fitted: each is whole, in one line. Pictures of one source are equal. */
export const sourceOf = (draw: Draw): string => draw(() => 0).svg;

/** A hash of what a picture is drawn from. */
export const versionOf = (draw: Draw): string =>
  createHash('sha256').update(sourceOf(draw)).digest('hex').slice(0, 8);
