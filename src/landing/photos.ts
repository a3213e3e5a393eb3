/** The photos of the landing page: their shapes and their place in `site.config.ts`. */
import type { Quote } from '../../site.defaults.ts';
import { type PhotoShape, photoKey, type WantedPhoto } from '../ui/photo.tsx';

/** The owner's portrait beside the bio. */
export const portrait: PhotoShape = { width: 480, height: 600, widths: [480, 960] };

/** A client's photo beside the quote. */
export const face: PhotoShape = { width: 64, height: 64, widths: [128] };

/** Every photo that the site's config names; an empty path means no photo. */
export const photosOf = ({
  about,
  testimonials,
}: {
  about: Pick<Quote, 'photo'>;
  testimonials: { quotes: Pick<Quote, 'photo'>[] };
}): WantedPhoto[] =>
  [
    { path: ['about', 'photo'], address: about.photo, shape: portrait },
    ...testimonials.quotes.map(({ photo }, i) => ({
      path: ['testimonials', 'quotes', i, 'photo'],
      address: photo,
      shape: face,
    })),
  ]
    .filter(({ address }) => address !== '')
    .map((photo) => ({ ...photo, key: photoKey(photo) }));
