/**
 * Converts the owner's photos for the site: rotated upright, cropped, in several widths, as AVIF and WebP
 * with a JPEG or PNG fallback, and without EXIF metadata such as the location.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { Metadata, Sharp } from 'sharp';
import type { MadePhotos, WantedPhoto } from '../../src/ui/photo.tsx';
import type { MadePhoto, PhotoShape } from '../contract/photos.ts';
import { fieldName } from '../text/field-name.ts';

const formats = new Set(['jpeg', 'png', 'webp', 'avif', 'svg']);

/** Returns one sentence for each photo that is missing in `folder`, damaged, or in a format browsers cannot show. */
export async function photoMistakes(wanted: WantedPhoto[], folder = 'public'): Promise<string[]> {
  const mistakes = await Promise.all(
    wanted.map(async ({ path, address }) => {
      const mistake = await mistakeIn(join(folder, address));
      return mistake ? [`${fieldName(path)} is "${address}", but ${mistake}`] : [];
    }),
  );
  return mistakes.flat();
}

async function mistakeIn(file: string): Promise<string | undefined> {
  if (!existsSync(file)) return 'there is no such picture in the folder public.';
  const format = await formatOf(file);
  if (!format || !formats.has(format)) {
    return 'that file is not a picture for the web. Please save it as JPG or PNG.';
  }
  if (await isWhole(file)) return undefined;
  return 'that file is damaged, or was copied only in part. Please copy it again.';
}

async function isWhole(file: string): Promise<boolean> {
  try {
    await (await openPhoto(file)).resize(16).toBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Returns the format by the content of the file, not by its name. */
async function formatOf(file: string): Promise<string | undefined> {
  try {
    const { format, compression } = await (await openPhoto(file)).metadata();
    // HEIC (iPhone) and AVIF share the HEIF container, but browsers show AVIF only.
    return format === 'heif' && compression === 'av1' ? 'avif' : format;
  } catch {
    return undefined;
  }
}

/** Imports sharp lazily, because most builds have no photo. */
async function openPhoto(file: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(file).autoOrient();
}

/**
 * Converts the photos of `folder` into `client/assets`. It deletes the originals that the build has copied
 * into `client`.
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
  const photo = await openPhoto(file);
  const metadata = await photo.metadata();
  const widths = widthsFor(metadata, shape);
  const name = parse(file).name.replace(/\W+/g, '-');

  const save = async (width: number, extension: string, encode: (photo: Sharp) => Sharp) => {
    const height = Math.round((width * shape.height) / shape.width);
    // Crop around the salient region, because a face is seldom in the middle.
    const cropped = photo.clone().resize({ width, height, fit: 'cover', position: 'attention' });
    const bytes = await encode(cropped).toBuffer();
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const address = `/assets/${name}-${width}-${hash}.${extension}`;
    await mkdir(join(client, 'assets'), { recursive: true });
    await writeFile(join(client, address), bytes);
    return address;
  };
  const source = async (type: string, extension: string, encode: (photo: Sharp) => Sharp) => {
    const addresses = await Promise.all(widths.map((width) => save(width, extension, encode)));
    return { type, srcSet: addresses.map((a, i) => `${a} ${widths[i]}w`).join(', ') };
  };

  const middle = widths[Math.floor(widths.length / 2)] ?? shape.width;
  return {
    sources: [
      await source('image/avif', 'avif', (cropped) => cropped.avif({ quality: 55 })),
      await source('image/webp', 'webp', (cropped) => cropped.webp({ quality: 78 })),
    ],
    src: metadata.hasAlpha
      ? await save(middle, 'png', (cropped) => cropped.png({ palette: true }))
      : await save(middle, 'jpg', (cropped) => cropped.jpeg({ quality: 80, mozjpeg: true })),
  };
}

/** The widths of the shape that need no upscaling; the photo's own width if it is smaller than all. */
function widthsFor({ autoOrient, format }: Metadata, shape: PhotoShape): number[] {
  if (format === 'svg') return [...shape.widths];
  const { width, height } = autoOrient;
  const maxWidth = Math.floor(Math.min(width, (height * shape.width) / shape.height));
  const fitting = shape.widths.filter((w) => w <= maxWidth);
  return fitting.length > 0 ? fitting : [Math.max(1, maxWidth)];
}
