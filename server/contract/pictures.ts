/** A picture that the build makes of the owner's words and colours. */
export interface Drawing {
  svg: string;
  /** Of the finished picture, in pixels. */
  width: number;
}

/** A typeface of the site, as a drawing uses it. */
export interface Face {
  family: 'Bricolage Grotesque' | 'Hanken Grotesk';
  weight: number;
  /** Between letters, in em. */
  spacing: number;
}

/** How wide a line of text is in this face, in em. */
export type Measure = (text: string, face: Face) => number;

/**
 * What the build draws, by the name of the file, which says of what kind it is. Those below `assets/`
 * get a name that changes with them.
 */
export type Pictures = Record<string, (measure: Measure) => Drawing>;
