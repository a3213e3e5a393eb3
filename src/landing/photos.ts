/** The photos of the landing page: their place in `site.config.ts`. */
import { photoShapes } from '../../server/contract/photos.ts';
import type { Quote } from '../../site.defaults.ts';
import { photoKey, type WantedPhoto } from '../ui/photo.tsx';

const { portrait, face } = photoShapes;

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
