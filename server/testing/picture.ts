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

/** Taken sideways, with its place: upright it has 2400 × 3200 pixels, red on the left and blue on the right. */
export async function cameraPicture(): Promise<Buffer> {
  const half = { width: 3200, height: 1200, channels: 3 as const };
  const [blue, red] = await Promise.all(
    ['#00f', '#f00'].map((background) =>
      sharp({ create: { ...half, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp({ create: { ...half, height: 2400, background: '#fff' } })
    .composite([
      { input: blue ?? '', top: 0, left: 0 },
      { input: red ?? '', top: 1200, left: 0 },
    ])
    .withExif({
      IFD0: { Orientation: '6', Make: 'Camera' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}
