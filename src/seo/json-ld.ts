/** Structured data of the landing page (schema.org): the business, the person and their services. */

import { withWords } from '../../server/contract/words/words.ts';
import type { site } from '../../site.config.ts';
import type { Legal } from '../../site.defaults.ts';
import { absoluteUrl, realEmail, withoutPlaceholders } from './address.ts';

type Config = typeof site;

const business = { '@id': absoluteUrl('/#business') };
const person = { '@id': absoluteUrl('/#person') };

/** What the graph is made of. */
export interface GraphSource {
  config: Config;
  legal: Pick<Legal, 'address' | 'phone' | 'vatId'>;
  /** The path of the share picture. */
  picture: string;
  /** The path of the owner's portrait as it is served; empty without one. */
  portrait: string;
}

/**
 * A JSON-LD graph of the business, its person and the website, without placeholders. The business is an
 * `Organization`, because search engines require the street address of a more specific type.
 */
export function jsonLd({ config, legal, picture, portrait }: GraphSource) {
  const { brand, seo, links, services, about } = config;
  const { language } = withWords(config);
  const email = realEmail(brand.email);
  const telephone = legal.phone || undefined;
  const home = absoluteUrl('/');
  const profiles = withoutPlaceholders([links.instagram, links.linkedin]);
  const sameAs = profiles.length > 0 ? profiles : undefined;
  const { management, consulting, infrastructure } = services;
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        ...business,
        name: brand.name,
        description: seo.description,
        url: home,
        logo: absoluteUrl('/icon-512.png'),
        image: absoluteUrl(picture),
        address: legal.address.join(', ') || undefined,
        email,
        telephone,
        vatID: legal.vatId || undefined,
        contactPoint:
          email || telephone
            ? { '@type': 'ContactPoint', contactType: 'sales', email, telephone }
            : undefined,
        founder: person,
        sameAs,
        hasOfferCatalog: {
          '@type': 'OfferCatalog',
          name: services.title,
          itemListElement: Object.entries({ management, consulting, infrastructure }).map(
            ([id, { name, summary }]) => ({
              '@type': 'Offer',
              itemOffered: {
                '@type': 'Service',
                name,
                description: summary,
                url: absoluteUrl(`/#${id}`),
              },
            }),
          ),
        },
      },
      {
        '@type': 'Person',
        ...person,
        name: about.name,
        url: absoluteUrl('/#about'),
        image: portrait && !about.photo.startsWith('/sample-') ? absoluteUrl(portrait) : undefined,
        worksFor: business,
        sameAs,
      },
      {
        '@type': 'WebSite',
        '@id': absoluteUrl('/#website'),
        name: brand.name,
        url: home,
        inLanguage: language,
        publisher: business,
      },
    ],
  };
}

/** JSON for a `<script>` element, with every `<` escaped so that it cannot close the element. */
export const asScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');
