/** Structured data of the landing page (schema.org): the business, the person and their services. */
import type { site } from '../../site.config.ts';
import { absoluteUrl, realEmail, withoutPlaceholders } from './address.ts';

type Config = typeof site;

const business = { '@id': absoluteUrl('/#business') };
const person = { '@id': absoluteUrl('/#person') };

/**
 * A JSON-LD graph of the business, its person and the website, without placeholders. `picture` is the
 * path of the share picture.
 */
export function jsonLd({ brand, seo, links, services, about }: Config, picture: string) {
  const home = absoluteUrl('/');
  const profiles = withoutPlaceholders([links.instagram, links.linkedin]);
  const sameAs = profiles.length > 0 ? profiles : undefined;
  const { management, consulting, infrastructure } = services;
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'ProfessionalService',
        ...business,
        name: brand.name,
        description: seo.description,
        url: home,
        logo: absoluteUrl('/icon-512.png'),
        image: absoluteUrl(picture),
        email: realEmail(brand.email),
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
        sameAs,
      },
      {
        '@type': 'WebSite',
        '@id': absoluteUrl('/#website'),
        name: brand.name,
        url: home,
        inLanguage: 'en',
        publisher: business,
      },
    ],
  };
}

/** JSON for a `<script>` element, with every `<` escaped so that it cannot close the element. */
export const asScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');
