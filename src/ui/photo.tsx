import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { createContext, useContext } from 'react';
import type { MadePhotos, WantedPhoto } from '../../server/contract/photos.ts';

type Placed = Pick<WantedPhoto, 'address' | 'shape'>;

const Made = createContext<MadePhotos>({});

/** Gives the pages below it what the build made of the owner's photos. */
export const Photos = Made.Provider;

/** The name of a photo in its shape, among those that the build makes. */
export const photoKey = ({ address, shape }: Placed) => `${address} ${shape.width}x${shape.height}`;

/**
 * A photo of the owner's, in room that is kept for it. `sizes` says how wide that is, as in HTML.
 * Where nothing was made of it, as during development, the file itself is shown.
 */
export function Photo({
  address,
  shape,
  sizes,
  alt,
  ...look
}: Placed & { sizes: string; alt: string } & HTMLChakraProps<'img'>) {
  const made = useContext(Made)[photoKey({ address, shape })];
  const { width, height } = shape;
  return (
    <picture>
      {made?.sources.map((source) => (
        <source key={source.type} {...source} sizes={sizes} />
      ))}
      <Image
        {...look}
        src={made?.src ?? address}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        aspectRatio={`${width}/${height}`}
      />
    </picture>
  );
}

const Image = chakra(
  'img',
  { base: { h: 'auto', objectFit: 'cover' } },
  { forwardProps: ['width', 'height'] },
);
