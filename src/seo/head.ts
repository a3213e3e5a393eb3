import type { site } from '../../site.config.ts';
import { addressOf, whenOriginIsKnown } from './address.ts';
import { asScript, jsonLd } from './json-ld.ts';
import { shareAlt, shareSize } from './share-card.tsx';

/**
 * What the head of the landing page says to search engines, and to whoever shows a link to it. It is
 * left out when the origin is not known: all of it needs whole addresses. Markup and not elements,
 * since React moves elements of the head about, out of what may be left out. `picture` is the address
 * of the share picture on the site.
 */
export function seoHead({ words, picture }: { words: typeof site; picture: string }) {
  const home = addressOf('/');
  const openGraph = {
    type: 'website',
    site_name: words.brand.name,
    title: words.seo.title,
    description: words.seo.description,
    url: home,
    image: addressOf(picture),
    'image:width': shareSize.width,
    'image:height': shareSize.height,
    'image:alt': shareAlt(words),
  };
  return [
    whenOriginIsKnown.from,
    `<link rel="canonical" href="${home}"/>`,
    ...Object.entries(openGraph).map(
      ([name, content]) => `<meta property="og:${name}" content="${escaped(content)}"/>`,
    ),
    // The rest of the card is taken from Open Graph.
    '<meta name="twitter:card" content="summary_large_image"/>',
    `<script type="application/ld+json">${asScript(jsonLd(words, picture))}</script>`,
    whenOriginIsKnown.to,
  ].join('');
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const escaped = (value: string | number) =>
  String(value).replace(/[&<"]/g, (letter) => escapes[letter] ?? letter);
