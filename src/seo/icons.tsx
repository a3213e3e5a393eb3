/** The site's icons for browser tabs, bookmarks and home screens. */
import { renderToStaticMarkup } from 'react-dom/server';
import type { Drawing, Pictures } from '../../server/contract/pictures.ts';
import { site } from '../../site.config.ts';
import { iconOf } from '../../site.defaults.ts';
import { mark } from '../ui/brand.tsx';
import { colour } from './colours.ts';
import { versionOf } from './pictures.ts';

/** SVG attributes that centre the logo in a square. */
const square = {
  xmlns: 'http://www.w3.org/2000/svg',
  viewBox: `0 ${(mark.height - mark.width) / 2} ${mark.width} ${mark.width}`,
  fill: 'none',
  strokeWidth: '4',
} as const;

/** The icon of browser tabs, which follows the browser's colour scheme. */
function TabIcon() {
  const style =
    `path{stroke:${colour('line-blue')}}circle{stroke:${colour('fg')}}` +
    `@media(prefers-color-scheme:dark){path{stroke:${colour('on-inverted-blue')}}circle{stroke:${colour('bg')}}}`;
  return (
    <svg {...square} role="presentation">
      <style>{style}</style>
      <path d={mark.line} strokeLinecap="round" />
      <circle {...mark.station} />
    </svg>
  );
}

/**
 * The icon on its own background, for any surface. `size` is the logo's width and `corner` the
 * background's corner radius, both as a fraction of the icon's width.
 */
function TileIcon({ size, corner }: { size: number; corner: number }) {
  const scale = (size * 100) / mark.width;
  const [x, y] = [(100 - mark.width * scale) / 2, (100 - mark.height * scale) / 2];
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 100 100"
      fill="none"
      strokeWidth="4"
      role="presentation"
    >
      <rect width="100" height="100" rx={corner * 100} fill={colour('bg-inverted')} />
      <g transform={`translate(${x} ${y}) scale(${scale})`}>
        <path d={mark.line} stroke={colour('on-inverted-blue')} strokeLinecap="round" />
        <circle {...mark.station} stroke={colour('bg')} fill={colour('bg-inverted')} />
      </g>
    </svg>
  );
}

/** The owner's picture, to be embedded by what draws. `size` is its width, as a fraction of the icon's. */
const OwnIcon = ({ href, size, isOpaque }: { href: string; size: number; isOpaque: boolean }) => (
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" role="presentation">
    {isOpaque && <rect width="100" height="100" fill={colour('bg')} />}
    <image
      href={href}
      x={50 - size * 50}
      y={50 - size * 50}
      width={size * 100}
      height={size * 100}
    />
  </svg>
);

const own = iconOf(site);

/** `ownSize` is that of the owner's picture, which stands on the background of an icon without a corner. */
const tile =
  (width: number, size: number, corner: number, ownSize = 1) =>
  (): Drawing => ({
    svg: renderToStaticMarkup(
      own === '' ? (
        <TileIcon size={size} corner={corner} />
      ) : (
        <OwnIcon href={own} size={ownSize} isOpaque={corner === 0} />
      ),
    ),
    width,
  });

/** Sizes of the icons in the manifest, in pixels. */
export const manifestSizes = [192, 512] as const;

const tabIcon = (): Drawing => ({ svg: renderToStaticMarkup(<TabIcon />), width: mark.width });

/** Every icon. */
export const icons: Pictures = {
  '/favicon.svg': tabIcon,
  '/favicon.ico': tile(32, 0.8, 0.18),
  // iOS rounds the corners itself.
  '/apple-touch-icon.png': tile(180, 0.66, 0),
  // Launchers mask the icon with their own shape; only the central 80% is always visible.
  '/icon-maskable.png': tile(512, 0.54, 0, 0.8),
  ...Object.fromEntries(
    manifestSizes.map((width) => [`/icon-${width}.png`, tile(width, 0.7, 0.18)]),
  ),
};

const tabIconPath = own === '' ? '/favicon.svg' : '/icon-192.png';

/** The tab icon in a page's head. Browsers keep the icon of an address for days, so another icon has another one. */
export const tabIconLink = {
  href: `${tabIconPath}?v=${versionOf(icons[tabIconPath] ?? tabIcon)}`,
  type: own === '' ? 'image/svg+xml' : 'image/png',
};
