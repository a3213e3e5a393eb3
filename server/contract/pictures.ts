/** Pictures that are drawn from the owner's texts and colours: the share card and the icons. */

/** A font of the site, as used in a drawing. */
export interface Face {
  family: 'Bricolage Grotesque' | 'Hanken Grotesk';
  weight: number;
  /** Letter spacing in em. */
  spacing: number;
}

/** Returns the width of a line of text in em. */
export type Measure = (text: string, face: Face) => number;

export interface Drawing {
  svg: string;
  /** Width of the rendered image in pixels. */
  width: number;
}

/** Drawings by their address, whose extension sets the format. */
export type Pictures = Record<string, (measure: Measure) => Drawing>;
