/** For tests: pictures of any size, as a browser would upload them. */
import sharp from 'sharp';

type Format = 'jpeg' | 'png' | 'webp';

/** A picture of one colour; `alpha` below 1 makes it transparent. */
export const pictureOf = (
  format: Format,
  width: number,
  height: number,
  { red = 200, alpha = 1 }: { red?: number; alpha?: number } = {},
): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 4, background: { r: red, g: 90, b: 20, alpha } },
  })
    .toFormat(format)
    .toBuffer();
