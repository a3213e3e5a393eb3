import { expect, test } from 'vitest';
import type { TextName } from '../../server/contract/pages.ts';
import { site } from '../../site.config.ts';
import { icons } from './icons.tsx';
import { texts } from './texts.ts';

/** The text as the server sends it, with or without a known origin. */
function send(name: TextName, config = site, origin?: string): string {
  return texts[name](config)
    .replace(/\{\{#origin\}\}(.*?)\{\{\/origin\}\}/gs, origin ? '$1' : '')
    .replaceAll('{{origin}}', origin ?? '');
}

const real: typeof site = {
  ...site,
  brand: { ...site.brand, email: 'rowan@halesystems.com' },
  links: {
    instagram: 'https://instagram.com/rowan',
    linkedin: '',
    quiz: 'https://quiz.halesystems.com/email',
    checkout: '',
  },
  schedulers: { ...site.schedulers, strategyCall: 'https://cal.com/rowan/strategy' },
};

test('robots.txt lets crawlers read the noindex of private pages, and links to the sitemap', () => {
  expect(send('robots.txt', site, 'https://a.co')).toBe(
    'User-agent: *\nDisallow: /api/\n\nSitemap: https://a.co/sitemap.xml\n',
  );
  expect(send('robots.txt')).not.toContain('Sitemap');
});

test('the sitemap has the public pages, without lastmod', () => {
  const sitemap = new DOMParser().parseFromString(
    send('sitemap.xml', site, 'https://a.co'),
    'application/xml',
  );
  expect([...sitemap.querySelectorAll('loc')].map((loc) => loc.textContent)).toEqual([
    'https://a.co/',
    'https://a.co/privacy',
    'https://a.co/imprint',
  ]);
  expect(sitemap.querySelector('lastmod')).toBeNull();
});

test('the manifest refers to existing icons with their sizes', () => {
  const manifest = JSON.parse(send('manifest.webmanifest'));
  expect(manifest).toMatchObject({ name: site.brand.name, start_url: '/' });
  expect(manifest.icons).toHaveLength(3);
  for (const { src, sizes, type } of manifest.icons) {
    const drawing = icons[src]?.(() => 0);
    expect([sizes, type]).toEqual([`${drawing?.width}x${drawing?.width}`, 'image/png']);
  }
});

test('llms.txt has the services, the FAQ and the booking links', () => {
  const text = send('llms.txt', real, 'https://a.co');
  expect(text).toMatch(new RegExp(`^# ${site.brand.name}\n\n> `));
  for (const { name, points } of [
    site.services.management,
    site.services.consulting,
    site.services.infrastructure,
  ]) {
    expect(text).toContain(`[${name}](https://a.co/#`);
    for (const point of points) expect(text).toContain(`  - ${point}`);
  }
  for (const { question, answer } of site.faq.items) {
    expect(text).toContain(question);
    expect(text).toContain(answer);
  }
  expect(text).toContain('(https://cal.com/rowan/strategy)');
  expect(text).toContain('(mailto:rowan@halesystems.com)');
  expect(text).toContain('<https://instagram.com/rowan>');
  expect(text).toContain('(https://quiz.halesystems.com/email)');
});

test('llms.txt omits placeholders', () => {
  const placeholders: typeof site = {
    ...site,
    brand: { ...site.brand, email: 'hello@rowanhale.example' },
    links: {
      instagram: '',
      linkedin: 'https://linkedin.example/a',
      quiz: 'https://quiz.example/b',
      checkout: 'https://buy.stripe.example/c',
    },
    schedulers: { strategyCall: 'https://scheduler.example/a', inboxReview: '' },
  };
  const text = send('llms.txt', placeholders, 'https://a.co');
  expect(text).not.toMatch(/\.example|mailto|<>|\(\)/);
  expect(text).toContain(`[${site.dialogs.strategyCall.title}](https://a.co/)`);
});
