/** Which part of a picture a photo shows. Lengths are pixels of the picture. */
import type { PhotoShape } from '../../server/contract/photos.ts';

interface Size {
  width: number;
  height: number;
}

/** The part of a picture with the ratio of a shape. */
export interface Crop {
  /** 1 shows as much as fits. */
  zoom: number;
  /** The middle of the part, from 0 (left, top) to 1. */
  x: number;
  y: number;
}

/** Beyond this, single pixels show. */
const mostZoom = 8;

export const middle: Crop = { zoom: 1, x: 0.5, y: 0.5 };

/** The largest part of a picture with the ratio of a shape. */
function largestPart(picture: Size, { width, height }: PhotoShape): Size {
  const most = Math.min(picture.width, (picture.height * width) / height);
  return { width: most, height: (most * height) / width };
}

/** The largest zoom at which the part has the smallest width of the shape. */
export const maxZoom = (picture: Size, shape: PhotoShape): number =>
  Math.max(1, Math.min(mostZoom, largestPart(picture, shape).width / shape.widths[0]));

/** Whether another crop than the first one is possible. */
export function hasRoom(picture: Size, shape: PhotoShape): boolean {
  const { width, height } = largestPart(picture, shape);
  return maxZoom(picture, shape) > 1 || picture.width - width >= 1 || picture.height - height >= 1;
}

/** The part that a crop shows. */
export function partOf(
  picture: Size,
  shape: PhotoShape,
  { zoom, x, y }: Crop,
): Size & { left: number; top: number } {
  const largest = largestPart(picture, shape);
  const [width, height] = [largest.width / zoom, largest.height / zoom];
  return {
    width,
    height,
    left: within(x * picture.width - width / 2, 0, picture.width - width),
    top: within(y * picture.height - height / 2, 0, picture.height - height),
  };
}

/** A change of a crop: another zoom, and how far its part moves, as shares of its size. */
export interface CropChange {
  zoom?: number;
  right?: number;
  down?: number;
}

/** The crop with a change, whose part lies in the picture. */
export function changed(
  picture: Size,
  shape: PhotoShape,
  crop: Crop,
  { zoom = crop.zoom, right = 0, down = 0 }: CropChange,
): Crop {
  const part = partOf(picture, shape, {
    x: crop.x + (right * largestPart(picture, shape).width) / crop.zoom / picture.width,
    y: crop.y + (down * largestPart(picture, shape).height) / crop.zoom / picture.height,
    zoom: within(zoom, 1, maxZoom(picture, shape)),
  });
  return {
    zoom: largestPart(picture, shape).width / part.width,
    x: (part.left + part.width / 2) / picture.width,
    y: (part.top + part.height / 2) / picture.height,
  };
}

/** The widths in which the part is stored, the largest first: those of the shape that need no more pixels than it has. */
export function widthsOf(part: Size, { widths: [least, ...others] }: PhotoShape): number[] {
  return [least, ...others.filter((width) => width <= Math.round(part.width))].reverse();
}

const within = (value: number, least: number, most: number) =>
  Math.max(least, Math.min(most, value));
