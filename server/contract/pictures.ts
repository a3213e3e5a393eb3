/** An image that the build renders from the owner's text and colours. */
export interface Drawing {
  svg: string;
  /** Width of the rendered image in pixels. */
  width: number;
}

/** A font of the site, as used in a drawing. */
export interface Face {
  family: 'Bricolage Grotesque' | 'Hanken Grotesk';
  weight: number;
  /** Letter spacing in em. */
  spacing: number;
}

/** Returns the width of a line of text in em. */
export type Measure = (text: string, face: Face) => number;

/**
 * Drawings by file name; the extension sets the format. File names below `assets/` get a content
 * hash.
 */
export type Pictures = Record<string, (measure: Measure) => Drawing>;
