import { absoluteUrl, ifOriginKnown } from './address.ts';
import { asScript, type GraphSource, jsonLd } from './json-ld.ts';
import { shareAlt, shareSize } from './share-card.tsx';

/**
 * The tags of the landing page's head for search engines and link previews. The server omits them
 * when the origin is not known, since they need absolute URLs. They are markup, not elements, since
 * React would hoist elements out of the template section. `picture` is the path of the share picture.
 */
export function seoHead({ config, picture, ...source }: GraphSource) {
  const home = absoluteUrl('/');
  const openGraph = {
    type: 'website',
    site_name: config.brand.name,
    title: config.seo.title,
    description: config.seo.description,
    url: home,
    image: absoluteUrl(picture),
    'image:width': shareSize.width,
    'image:height': shareSize.height,
    'image:alt': shareAlt(config),
  };
  const tags = [
    `<link rel="canonical" href="${home}"/>`,
    ...Object.entries(openGraph).map(
      ([name, content]) => `<meta property="og:${name}" content="${escaped(content)}"/>`,
    ),
    // The card's other fields fall back to Open Graph.
    '<meta name="twitter:card" content="summary_large_image"/>',
    `<script type="application/ld+json">${asScript(jsonLd({ config, picture, ...source }))}</script>`,
  ];
  return ifOriginKnown(tags.join(''));
}

/** The tag that names the absolute URL of another page. */
export const canonicalTag = (path: string) =>
  ifOriginKnown(`<link rel="canonical" href="${absoluteUrl(path)}"/>`);

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const escaped = (value: string | number) =>
  String(value).replace(/[&<"]/g, (character) => escapes[character] ?? character);
