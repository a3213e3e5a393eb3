import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { createContext, useContext } from 'react';
import type { MadePhotos, WantedPhoto } from '../../server/contract/photos.ts';

type PhotoSource = Pick<WantedPhoto, 'address' | 'shape'>;

const PhotosContext = createContext<MadePhotos>({});

/** Provides the generated files of the owner's photos to the tree below. */
export const Photos = PhotosContext.Provider;

/** The key of a photo in its shape, among the generated photos. */
export const photoKey = ({ address, shape }: PhotoSource) =>
  `${address} ${shape.width}x${shape.height}`;

/**
 * A responsive photo with reserved space; `sizes` is the HTML attribute. It shows the original file if
 * the build generated none, as during development.
 */
export function Photo({
  address,
  shape,
  sizes,
  alt,
  ...styleProps
}: PhotoSource & { sizes: string; alt: string } & HTMLChakraProps<'img'>) {
  const made = useContext(PhotosContext)[photoKey({ address, shape })];
  const { width, height } = shape;
  return (
    <picture>
      {made?.sources.map((source) => (
        <source key={source.type} {...source} sizes={sizes} />
      ))}
      <Image
        {...styleProps}
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
