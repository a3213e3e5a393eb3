/** What the page says, for machines: the business, the person and their services (schema.org). */
import type { site } from '../../site.config.ts';
import { addressOf, filledIn, realEmail } from './address.ts';

type Words = typeof site;

const business = { '@id': addressOf('/#business') };
const person = { '@id': addressOf('/#person') };

/**
 * One graph of the business, its person and the website. What the owner has not filled in is left
 * out. `picture` is the address of the share picture on the site.
 */
export function jsonLd({ brand, seo, links, services, about }: Words, picture: string) {
  const home = addressOf('/');
  const profiles = filledIn([links.instagram, links.linkedin]);
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
        logo: addressOf('/icon-512.png'),
        image: addressOf(picture),
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
                url: addressOf(`/#${id}`),
              },
            }),
          ),
        },
      },
      {
        '@type': 'Person',
        ...person,
        name: about.name,
        url: addressOf('/#about'),
        sameAs,
      },
      {
        '@type': 'WebSite',
        '@id': addressOf('/#website'),
        name: brand.name,
        url: home,
        inLanguage: 'en',
        publisher: business,
      },
    ],
  };
}

/** JSON that can stand in a `<script>`: nothing in it closes the element. */
export const asScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');
