import { expect, test } from 'vitest';
import { site } from '../../site.config.ts';
import { seoHead } from './head.ts';

const picture = '/assets/share-1.png';

const legal = { address: [] as string[], phone: '', vatId: '' };

/** The tags for the origin https://a.co, as HTML and parsed. */
function headOf(config: typeof site, facts = legal) {
  const html = seoHead({ config, legal: facts, picture, portrait: '/assets/me-960.jpg' });
  expect(html).toMatch(/^\{\{#origin\}\}.*\{\{\/origin\}\}$/s);
  const filled = html.replace(/\{\{[#/]origin\}\}/g, '').replaceAll('{{origin}}', 'https://a.co');
  return { html: filled, page: new DOMParser().parseFromString(filled, 'text/html') };
}

interface Entity {
  '@type': string;
  '@id'?: string;
  [field: string]: unknown;
}

function graphOf(config: typeof site, facts = legal): Record<string, Entity> {
  const { page } = headOf(config, facts);
  const script = page.querySelector('script[type="application/ld+json"]');
  const { '@context': context, '@graph': entities } = JSON.parse(script?.textContent ?? '');
  expect(context).toBe('https://schema.org');
  return Object.fromEntries((entities as Entity[]).map((entity) => [entity['@type'], entity]));
}

const contents = (config: typeof site) => {
  const { page } = headOf(config);
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
  about: { ...site.about, photo: '/me.jpg' },
};

test('the head has Open Graph tags, a Twitter card and a canonical URL', () => {
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

test('the JSON-LD graph has the organization, its services, the person and the website', () => {
  const facts = {
    address: ['1 High St', 'London'],
    phone: '+44 20 7946 0000',
    vatId: 'GB123456789',
  };
  const { Organization, Person, WebSite } = graphOf(real, facts);
  expect(Organization).toMatchObject({
    '@id': 'https://a.co/#business',
    name: site.brand.name,
    description: site.seo.description,
    url: 'https://a.co/',
    logo: 'https://a.co/icon-512.png',
    image: 'https://a.co/assets/share-1.png',
    address: '1 High St, London',
    email: 'rowan@halesystems.com',
    telephone: '+44 20 7946 0000',
    vatID: 'GB123456789',
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'sales',
      email: 'rowan@halesystems.com',
      telephone: '+44 20 7946 0000',
    },
    founder: { '@id': Person?.['@id'] },
    sameAs: ['https://instagram.com/rowan', 'https://linkedin.com/in/rowan'],
  });
  expect(Person).toMatchObject({
    '@id': 'https://a.co/#person',
    name: site.about.name,
    image: 'https://a.co/assets/me-960.jpg',
    worksFor: { '@id': Organization?.['@id'] },
  });
  expect(WebSite).toMatchObject({ publisher: { '@id': Organization?.['@id'] } });
  const { management, consulting, infrastructure } = site.services;
  const offer = ({ name, summary }: typeof management, url: string) => ({
    itemOffered: { '@type': 'Service', name, description: summary, url },
  });
  expect(Organization?.hasOfferCatalog).toMatchObject({
    itemListElement: [
      offer(management, 'https://a.co/#management'),
      offer(consulting, 'https://a.co/#consulting'),
      offer(infrastructure, 'https://a.co/#infrastructure'),
    ],
  });
});

test('the JSON-LD graph has no type for which search engines require an address', () => {
  expect(Object.keys(graphOf(real))).toEqual(['Organization', 'Person', 'WebSite']);
});

test('every URL in the head is absolute', () => {
  const { html } = headOf(real);
  expect(html).not.toContain('{{');
  for (const [, url = ''] of html.matchAll(/"(?:@id|url|logo)":"([^"]*)"/g)) {
    expect(url).toMatch(/^https:\/\/a\.co\//);
  }
});

test('the head omits placeholders', () => {
  const placeholders: typeof site = {
    ...site,
    brand: { ...site.brand, email: 'hello@rowanhale.example' },
    links: { ...site.links, instagram: '', linkedin: 'https://linkedin.example/in/rowan' },
  };
  const { Organization, Person } = graphOf(placeholders);
  const fields = Object.keys({ ...Person, ...Organization });
  for (const field of ['email', 'telephone', 'vatID', 'contactPoint', 'sameAs']) {
    expect(fields).not.toContain(field);
  }
  expect(Person).not.toHaveProperty('image');
  expect(headOf(placeholders).html).not.toContain('.example');
});

test('text from the config cannot close the script or an attribute', () => {
  const nasty = '</script><script>alert(1)</script> "quoted" & more';
  const config: typeof site = {
    ...site,
    seo: { ...site.seo, description: nasty },
    services: { ...site.services, management: { ...site.services.management, name: nasty } },
  };
  const { html, page } = headOf(config);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(page.querySelectorAll('script')).toHaveLength(1);
  expect(contents(config)['og:description']).toBe(nasty);
  expect(graphOf(config).Organization?.description).toBe(nasty);
});
