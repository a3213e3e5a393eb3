import { chakra, Image, type ImageProps } from '@chakra-ui/react';
import { createContext, useContext } from 'react';
import type { MadePhoto, PhotoShape } from '../../server/contract/photos.ts';

/** A photo of the owner that a page shows. */
export interface WantedPhoto {
  /** Key in `MadePhotos`. One file may have two shapes, so its address is not unique. */
  key: string;
  /** Path of the field in `site.config.ts` that names the file. */
  path: readonly (string | number)[];
  /** Path below the folder `public`, such as `/me.jpg`. */
  address: string;
  shape: PhotoShape;
}

/** The files of photos: of those that the build made by `WantedPhoto.key`, of uploaded ones by their address. */
export type MadePhotos = Readonly<Record<string, MadePhoto>>;

type PhotoSource = Pick<WantedPhoto, 'address' | 'shape'>;

const PhotosContext = createContext<MadePhotos>({});

/** Provides the files of the owner's photos to the tree below. */
export const Photos = PhotosContext.Provider;

/** The key of a photo in its shape, among the generated photos. */
export const photoKey = ({ address, shape }: PhotoSource) =>
  `${address} ${shape.width}x${shape.height}`;

/** The files of a photo in its shape; undefined where there are none. */
export const madeOf = (photos: MadePhotos, source: PhotoSource): MadePhoto | undefined =>
  photos[photoKey(source)] ?? photos[source.address];

/**
 * A responsive photo with reserved space; `sizes` is the HTML attribute. It shows the original file if
 * there is no other, as during development.
 */
export function Photo({
  address,
  shape,
  sizes,
  alt,
  ...styleProps
}: PhotoSource & { sizes: string; alt: string } & ImageProps) {
  const made = madeOf(useContext(PhotosContext), { address, shape });
  const { width, height } = shape;
  return (
    // A lazy image far below the window is loaded all the same; one whose box is skipped is not.
    <chakra.picture
      display="block"
      flexShrink="0"
      w="full"
      maxW={`${width}px`}
      contentVisibility="auto"
      aspectRatio={`${width}/${height}`}
    >
      {made?.sources.map((source) => (
        <source key={source.type} {...source} sizes={sizes} />
      ))}
      <Image
        {...styleProps}
        src={made?.src ?? address}
        alt={alt}
        htmlWidth={width}
        htmlHeight={height}
        h="auto"
        loading="lazy"
        decoding="async"
      />
    </chakra.picture>
  );
}
