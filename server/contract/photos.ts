/** A photo of the owner's that a page wants to show. */
export interface WantedPhoto {
  /** Its name among the photos that are made: the same file may stand in two shapes. */
  key: string;
  /** The field of `site.config.ts` that names it. */
  path: readonly (string | number)[];
  /** Its address in the folder `public`, such as `/me.jpg`. */
  address: string;
  shape: PhotoShape;
}

/** The room a photo stands in. */
export interface PhotoShape {
  /** In CSS pixels; every photo is cut to this ratio. */
  width: number;
  height: number;
  /** Widths it is made in, in pixels, from small to large. */
  widths: readonly number[];
}

/** A photo as the build made it: addresses of its files. */
export interface MadePhoto {
  /** For browsers that know none of the sources. */
  src: string;
  /** Best first. */
  sources: readonly { type: string; srcSet: string }[];
}

/** By their keys. */
export type MadePhotos = Readonly<Record<string, MadePhoto>>;
