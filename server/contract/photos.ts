/** The photos that the owner uploads: their shapes on the site, and what the server takes. */

/** The size at which a page shows a photo, and the widths it is made in. */
export interface PhotoShape {
  /** In CSS pixels. Photos are cropped to the ratio of width and height. */
  width: number;
  height: number;
  /** Widths of the files in pixels, in ascending order. */
  widths: readonly [number, ...number[]];
}

/** The owner's portrait beside the bio, a client's face beside the quote, and what the site's icons are drawn from. */
export const photoShapes = {
  portrait: { width: 480, height: 600, widths: [480, 960] },
  face: { width: 64, height: 64, widths: [128] },
  icon: { width: 512, height: 512, widths: [192, 512] },
} satisfies Record<string, PhotoShape>;

export type PhotoUse = keyof typeof photoShapes;

/** Where photos are uploaded to: a JPEG, PNG or WebP file of at most `photoLimit` bytes. */
export const photosPath = '/api/site/photos';
export const photoLimit = 2 * 1024 * 1024;

interface Size {
  width: number;
  height: number;
}

/** Says that a photo has too few pixels for a shape; undefined when it has enough. */
export function smallSentence(
  { width, height }: Size,
  { widths: [least], ...shape }: PhotoShape,
): string | undefined {
  const leastHeight = (least * shape.height) / shape.width;
  if (width < least) return `This photo is ${width} pixels wide. It needs ${least}.`;
  if (height < leastHeight) return `This photo is ${height} pixels high. It needs ${leastHeight}.`;
  return undefined;
}

/** The files of one photo, as its element names them. */
export interface MadePhoto {
  /** For browsers that support none of the `sources`. */
  src: string;
  /** In order of preference. */
  sources: readonly { type: string; srcSet: string }[];
}
