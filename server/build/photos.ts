/**
 * The owner's photos as the site serves them: turned upright, cut to their place, in a few widths,
 * as AVIF and WebP with a JPEG or PNG for old browsers, and without what the camera wrote into them,
 * such as where it was.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { Metadata, Sharp } from 'sharp';
import type { MadePhoto, MadePhotos, PhotoShape, WantedPhoto } from '../contract/photos.ts';
import { fieldName } from '../text/field-name.ts';

const kinds = new Set(['jpeg', 'png', 'webp', 'avif', 'svg']);

/** One sentence for each photo that is missing in `folder`, or is no picture a browser can show. */
export async function photoMistakes(wanted: WantedPhoto[], folder = 'public'): Promise<string[]> {
  const faults = await Promise.all(
    wanted.map(async ({ path, address }) => {
      const fault = await faultOf(join(folder, address));
      return fault ? [`${fieldName(path)} is "${address}", but ${fault}`] : [];
    }),
  );
  return faults.flat();
}

async function faultOf(file: string): Promise<string | undefined> {
  if (!existsSync(file)) return 'there is no such picture in the folder public.';
  const kind = await kindOf(file);
  if (kind && kinds.has(kind)) return undefined;
  return 'that file is not a picture for the web. Please save it as JPG or PNG.';
}

/** What the file is, whatever its name says. */
async function kindOf(file: string): Promise<string | undefined> {
  try {
    const { format, compression } = await (await opened(file)).metadata();
    // An iPhone's HEIC stands in the same container as AVIF; browsers show the latter alone.
    return format === 'heif' && compression === 'av1' ? 'avif' : format;
  } catch {
    return undefined;
  }
}

/** Loaded when there is a photo: most builds have none. */
async function opened(file: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(file).autoOrient();
}

/**
 * Makes the photos of `folder` and puts them below `client/assets`. The files they were made of leave
 * `client`, where the build has copied them.
 */
export async function makePhotos({
  wanted,
  client,
  folder = 'public',
}: {
  wanted: WantedPhoto[];
  client: string;
  folder?: string;
}): Promise<MadePhotos> {
  const made: Record<string, MadePhoto> = {};
  for (const photo of wanted) {
    made[photo.key] ??= await make(join(folder, photo.address), { client, shape: photo.shape });
  }
  for (const { address } of wanted) await rm(join(client, address), { force: true });
  return made;
}

async function make(
  file: string,
  { client, shape }: { client: string; shape: PhotoShape },
): Promise<MadePhoto> {
  const photo = await opened(file);
  const about = await photo.metadata();
  const widths = widthsFor(about, shape);
  const name = parse(file).name.replace(/\W+/g, '-');

  const save = async (width: number, ending: string, encoded: (photo: Sharp) => Sharp) => {
    const height = Math.round((width * shape.height) / shape.width);
    // What draws the eye stays in the picture: a face is seldom in the middle.
    const cut = photo.clone().resize({ width, height, fit: 'cover', position: 'attention' });
    const bytes = await encoded(cut).toBuffer();
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const address = `/assets/${name}-${width}-${hash}.${ending}`;
    await mkdir(join(client, 'assets'), { recursive: true });
    await writeFile(join(client, address), bytes);
    return address;
  };
  const source = async (type: string, ending: string, encoded: (photo: Sharp) => Sharp) => {
    const addresses = await Promise.all(widths.map((width) => save(width, ending, encoded)));
    return { type, srcSet: addresses.map((a, i) => `${a} ${widths[i]}w`).join(', ') };
  };

  const middle = widths[Math.floor(widths.length / 2)] ?? shape.width;
  return {
    sources: [
      await source('image/avif', 'avif', (cut) => cut.avif({ quality: 55 })),
      await source('image/webp', 'webp', (cut) => cut.webp({ quality: 78 })),
    ],
    src: about.hasAlpha
      ? await save(middle, 'png', (cut) => cut.png({ palette: true }))
      : await save(middle, 'jpg', (cut) => cut.jpeg({ quality: 80, mozjpeg: true })),
  };
}

/** The widths of the shape that the photo has pixels for; its own where it has fewer. */
function widthsFor({ autoOrient, format }: Metadata, shape: PhotoShape): number[] {
  if (format === 'svg') return [...shape.widths];
  const { width, height } = autoOrient;
  const most = Math.floor(Math.min(width, (height * shape.width) / shape.height));
  const fitting = shape.widths.filter((w) => w <= most);
  return fitting.length > 0 ? fitting : [Math.max(1, most)];
}
