import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { MadePhotos, PhotoShape } from '../../server/contract/photos.ts';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { Photo, Photos, photoKey } from './photo.tsx';

const shape: PhotoShape = { width: 480, height: 600, widths: [480, 720] };

/** What stands in the page for the photo /me.jpg, as elements. */
function pictureWith(made: MadePhotos) {
  const page = document.createElement('div');
  page.innerHTML = renderToStaticMarkup(
    <AppProviders cache={styleCache()}>
      <Photos value={made}>
        <Photo address="/me.jpg" shape={shape} sizes="28rem" alt="Me" />
      </Photos>
    </AppProviders>,
  );
  const attributes = (element: Element) =>
    Object.fromEntries(
      element
        .getAttributeNames()
        .filter((name) => name !== 'class')
        .map((name) => [name, element.getAttribute(name)]),
    );
  return {
    sources: [...page.querySelectorAll('picture > source')].map(attributes),
    image: [...page.querySelectorAll('picture > img')].map(attributes),
  };
}

const room = { alt: 'Me', width: '480', height: '600', loading: 'lazy', decoding: 'async' };

it('offers what was made of a photo, and keeps room for it', () => {
  const made = {
    src: '/assets/me-480.jpg',
    sources: [{ type: 'image/avif', srcSet: '/assets/me-480.avif 480w' }],
  };
  expect(pictureWith({ [photoKey({ address: '/me.jpg', shape })]: made })).toEqual({
    sources: [{ type: 'image/avif', srcset: '/assets/me-480.avif 480w', sizes: '28rem' }],
    image: [{ ...room, src: '/assets/me-480.jpg' }],
  });
});

it('shows the file itself where nothing was made of it', () => {
  expect(pictureWith({})).toEqual({ sources: [], image: [{ ...room, src: '/me.jpg' }] });
});
