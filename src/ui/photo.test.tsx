import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { PhotoShape } from '../../server/contract/photos.ts';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { type MadePhotos, Photo, Photos, photoKey } from './photo.tsx';

const shape: PhotoShape = { width: 480, height: 600, widths: [480, 720] };

/** The attributes of the elements that `Photo` renders for /me.jpg. */
function pictureWith(photos: MadePhotos) {
  const page = document.createElement('div');
  page.innerHTML = renderToStaticMarkup(
    <AppProviders cache={styleCache()}>
      <Photos value={photos}>
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

const imageAttributes = {
  alt: 'Me',
  width: '480',
  height: '600',
  loading: 'lazy',
  decoding: 'async',
};

it('a photo has its generated sources and reserves its space', () => {
  const generated = {
    src: '/assets/me-480.jpg',
    sources: [{ type: 'image/avif', srcSet: '/assets/me-480.avif 480w' }],
  };
  expect(pictureWith({ [photoKey({ address: '/me.jpg', shape })]: generated })).toEqual({
    sources: [{ type: 'image/avif', srcset: '/assets/me-480.avif 480w', sizes: '28rem' }],
    image: [{ ...imageAttributes, src: '/assets/me-480.jpg' }],
  });
});

it('a photo shows the original file when none was generated', () => {
  expect(pictureWith({})).toEqual({ sources: [], image: [{ ...imageAttributes, src: '/me.jpg' }] });
});
