/** Reads a picture that the owner chose, and makes the files of a photo: the browser decodes, crops, shrinks and encodes. */
import {
  type PhotoShape,
  photoLimit,
  photosPath,
  smallSentence,
} from '../../server/contract/photos.ts';
import { fetchOk } from '../api/http.ts';
import { type Crop, partOf, widthsOf } from './photo-crop.ts';

/** The pixels that Safari on iOS draws at most. */
const maxPixels = 16_777_216;

/** The width of a picture that is too large to be decoded whole: enough for the largest file at some zoom. */
const shrunkWidth = 2400;

/** When an upload of one file is given up, in ms: on a slow line 2 MB take long. */
const timeoutMs = 120_000;

/** Decodes a picture, upright. Returns a sentence for the owner when it is unreadable, or too small for the shape. */
export async function readPicture(file: File, shape: PhotoShape): Promise<ImageBitmap | string> {
  try {
    const picture = await decode(file);
    const small = smallSentence(picture, shape);
    if (!small) return picture;
    picture.close();
    return small;
  } catch {
    return `“${file.name}” cannot be read here. On an iPhone: share it as JPEG, or open this page there.`;
  }
}

const upright = { imageOrientation: 'from-image' } as const;

/** Browsers decode beside the page, so that it does not freeze. */
async function decode(file: File): Promise<ImageBitmap> {
  const whole = await createImageBitmap(file, upright).catch(() => undefined);
  // A phone may lack the memory for all pixels.
  if (!whole) return createImageBitmap(file, { ...upright, resizeWidth: shrunkWidth });
  const scale = Math.sqrt(maxPixels / (whole.width * whole.height));
  if (scale >= 1) return whole;
  const shrunk = await createImageBitmap(whole, {
    resizeWidth: Math.floor(whole.width * scale),
    resizeHeight: Math.floor(whole.height * scale),
    resizeQuality: 'medium',
  });
  whole.close();
  return shrunk;
}

/** Draws the part of a picture that a crop shows. Returns the context of the canvas. */
export function drawPart(
  canvas: HTMLCanvasElement,
  { picture, shape, crop }: { picture: ImageBitmap; shape: PhotoShape; crop: Crop },
  width: number,
): CanvasRenderingContext2D {
  canvas.width = width;
  canvas.height = Math.round((width * shape.height) / shape.width);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no canvas.');
  context.imageSmoothingQuality = 'high';
  const { left, top, ...part } = partOf(picture, shape, crop);
  const target = [0, 0, canvas.width, canvas.height] as const;
  context.drawImage(picture, left, top, part.width, part.height, ...target);
  return context;
}

/**
 * Makes the files of a photo in the widths of its shape, the largest first and of each width the one for every browser
 * first: JPEG, or PNG of a transparent picture, then WebP where the browser can write it.
 */
export async function photoFiles(source: {
  picture: ImageBitmap;
  shape: PhotoShape;
  crop: Crop;
}): Promise<Blob[]> {
  const { picture, shape, crop } = source;
  const files: Blob[] = [];
  let fallback: 'image/jpeg' | 'image/png' | undefined;
  for (const width of widthsOf(partOf(picture, shape, crop), shape)) {
    const canvas = document.createElement('canvas');
    const context = drawPart(canvas, source, width);
    if (fallback === undefined) {
      const png = isTransparent(context) ? await blobOf(canvas, 'image/png') : undefined;
      fallback = png && png.size <= photoLimit ? 'image/png' : 'image/jpeg';
    }
    if (fallback === 'image/jpeg') {
      // It has no transparency: without paper beneath, it would be black there.
      context.globalCompositeOperation = 'destination-over';
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    files.push(await blobOf(canvas, fallback));
    const webp = await blobOf(canvas, 'image/webp');
    // Safari writes PNG instead.
    if (webp.type === 'image/webp') files.push(webp);
  }
  return files;
}

function isTransparent(context: CanvasRenderingContext2D): boolean {
  const { data } = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] !== 255) return true;
  return false;
}

const blobOf = (canvas: HTMLCanvasElement, type: string): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The browser could not write it.'))),
      type,
      0.8,
    ),
  );

/** Loads a stored photo, to crop it once more. */
export async function loadPhoto(address: string): Promise<File> {
  const photo = await (await fetchOk(address)).blob();
  return new File([photo], address.slice(address.lastIndexOf('/') + 1));
}

/** Uploads the files of a photo; returns its address. Uploading them again stores nothing twice. */
export async function uploadPhoto(
  [largest, ...sizes]: readonly Blob[],
  onFile: (n: number) => void,
): Promise<string> {
  const upload = async (file: Blob | undefined, query = ''): Promise<string> => {
    const response = await fetchOk(photosPath + query, {
      method: 'POST',
      body: file ?? null,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return (await response.json()).address;
  };
  onFile(1);
  const address = await upload(largest);
  for (const [i, size] of sizes.entries()) {
    onFile(i + 2);
    await upload(size, `?of=${encodeURIComponent(address)}`);
  }
  return address;
}
