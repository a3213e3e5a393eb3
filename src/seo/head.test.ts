import { expect, test } from 'vitest';
import { site } from '../../site.config.ts';
import { seoHead } from './head.ts';

const picture = '/assets/share-1.png';

/** The head with its slots filled as for this origin, as a page. */
function headOf(words: typeof site) {
  const html = seoHead({ words, picture });
  expect(html).toMatch(/^\{\{#origin\}\}.*\{\{\/origin\}\}$/s);
  const filled = html.replace(/\{\{[#/]origin\}\}/g, '').replaceAll('{{origin}}', 'https://a.co');
  return { html: filled, page: new DOMParser().parseFromString(filled, 'text/html') };
}

interface Thing {
  '@type': string;
  '@id'?: string;
  [field: string]: unknown;
}

function graphOf(words: typeof site): Record<string, Thing> {
  const { page } = headOf(words);
  const script = page.querySelector('script[type="application/ld+json"]');
  const { '@context': context, '@graph': things } = JSON.parse(script?.textContent ?? '');
  expect(context).toBe('https://schema.org');
  return Object.fromEntries((things as Thing[]).map((thing) => [thing['@type'], thing]));
}

const contents = (words: typeof site) => {
  const { page } = headOf(words);
  return Object.fromEntries(
    [...page.querySelectorAll('meta')].map((meta) => [
      meta.getAttribute('property') ?? meta.getAttribute('name'),
      meta.getAttribute('content'),
    ]),
  );
};

const real: typeof site = {
  ...site,
  brand: { ...site.brand, email: 'rowan@halesystems.com' },
  links: {
    ...site.links,
    instagram: 'https://instagram.com/rowan',
    linkedin: 'https://linkedin.com/in/rowan',
  },
};

test('the page says what it is called, where it is and how a link to it looks', () => {
  expect(contents(site)).toEqual({
    'og:type': 'website',
    'og:site_name': site.brand.name,
    'og:title': site.seo.title,
    'og:description': site.seo.description,
    'og:url': 'https://a.co/',
    'og:image': 'https://a.co/assets/share-1.png',
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': expect.stringContaining(site.hero.title),
    'twitter:card': 'summary_large_image',
  });
  const canonical = headOf(site).page.querySelector('link[rel=canonical]');
  expect(canonical?.getAttribute('href')).toBe('https://a.co/');
});

test('machines read of the business, its person, its services and its site', () => {
  const { ProfessionalService: business, Person, WebSite } = graphOf(real);
  expect(business).toMatchObject({
    '@id': 'https://a.co/#business',
    name: site.brand.name,
    description: site.seo.description,
    url: 'https://a.co/',
    image: 'https://a.co/assets/share-1.png',
    email: 'rowan@halesystems.com',
    founder: { '@id': Person?.['@id'] },
    sameAs: ['https://instagram.com/rowan', 'https://linkedin.com/in/rowan'],
  });
  expect(Person).toMatchObject({ '@id': 'https://a.co/#person', name: site.about.name });
  expect(WebSite).toMatchObject({ publisher: { '@id': business?.['@id'] } });
  const { management, consulting, infrastructure } = site.services;
  const offer = (name: string, url: string) => ({ itemOffered: { '@type': 'Service', name, url } });
  expect(business?.hasOfferCatalog).toMatchObject({
    itemListElement: [
      offer(management.name, 'https://a.co/#management'),
      offer(consulting.name, 'https://a.co/#consulting'),
      offer(infrastructure.name, 'https://a.co/#infrastructure'),
    ],
  });
});

test('every address is whole', () => {
  const { html } = headOf(real);
  expect(html).not.toContain('{{');
  for (const [, address = ''] of html.matchAll(/"(?:@id|url|logo)":"([^"]*)"/g)) {
    expect(address).toMatch(/^https:\/\/a\.co\//);
  }
});

test('what the owner has not filled in is left out', () => {
  const placeholders: typeof site = {
    ...site,
    brand: { ...site.brand, email: 'hello@rowanhale.example' },
    links: { ...site.links, instagram: '', linkedin: 'https://linkedin.example/in/rowan' },
  };
  const { ProfessionalService: business, Person } = graphOf(placeholders);
  expect(Object.keys({ ...business, ...Person })).not.toContain('email');
  expect(Object.keys({ ...business, ...Person })).not.toContain('sameAs');
  expect(headOf(placeholders).html).not.toContain('.example');
});

test('no word of the owner’s ends the script or an attribute', () => {
  const nasty = '</script><script>alert(1)</script> "quoted" & more';
  const words: typeof site = {
    ...site,
    seo: { ...site.seo, description: nasty },
    services: { ...site.services, management: { ...site.services.management, name: nasty } },
  };
  const { html, page } = headOf(words);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(page.querySelectorAll('script')).toHaveLength(1);
  expect(contents(words)['og:description']).toBe(nasty);
  expect(graphOf(words).ProfessionalService?.description).toBe(nasty);
});
