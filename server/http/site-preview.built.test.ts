import { expect, it, onTestFinished } from 'vitest';
import { site as built } from '../../site.config.ts';
import { sitePages } from '../app/site-pages.ts';
import { fieldsIn } from '../content/document.ts';
import { withWords } from '../contract/words/words.ts';
import { createLog } from '../log.ts';
import { pictureOf } from '../testing/picture.ts';
import { openTestSite, signIn } from '../testing/site.ts';
import { previewNames } from './site-preview.ts';

async function open() {
  const site = await openTestSite({
    config: built,
    pages: sitePages('dist', {
      built,
      settings: () => ({}),
      log: createLog('silent', { pretty: false }),
    }),
  });
  onTestFinished(site.close);
  const headers = { cookie: await signIn(site) };
  const preview = (name: string, others = {}) =>
    site.fetch(`/api/site/preview/${name}`, { headers: { ...headers, ...others } });
  return { site, headers, preview };
}

it('a preview shows the draft, on which each text leads to its field', async () => {
  const { site, headers, preview } = await open();
  const patches = [
    { path: 'tagline', from: built.tagline, to: 'A draft & <b>more</b>' },
    { path: 'faq.title', from: built.faq.title, to: 'Asked' },
  ];
  expect((await site.post('/api/site/draft', { patches }, headers)).status).toBe(200);
  const html = await (await preview('home')).text();
  expect(html).toMatch(/ data-field="tagline">A draft &amp; &lt;b&gt;more/);
  expect(html).toMatch(/<h2[^>]* data-field="faq\.title"[^>]*>Asked<\/h2>/);
  expect(html).not.toMatch(/[\u{e0100}-\u{e01ef}]/u);
  expect(await (await site.fetch('/')).text()).not.toContain('A draft');
  const fields = new Set([...html.matchAll(/ data-field="([\w.-]+)"/g)].map(([, field]) => field));
  const texts = new Set(fieldsIn(withWords(built), 'text'));
  // Icons are on no page.
  const photos = new Set(fieldsIn(built, 'photo').filter((field) => field !== 'seo.icon'));
  expect(new Set([...fields].filter((field) => !texts.has(field ?? '')))).toEqual(photos);
  const sections = /^(hero|pains|costs|services|about|steps|faq|testimonials|freedom)\./;
  const missing = [...texts].filter((text) => sections.test(text) && !fields.has(text));
  // Two texts in one element, and descriptions of pictures.
  expect(missing.length).toBeLessThan(20);
});

it('a preview shows an uploaded photo of the draft, which leads to its field', async () => {
  const { site, headers, preview } = await open();
  const upload = async (bytes: Buffer, query = '') => {
    const path = `/api/site/photos${query}`;
    const response = await site.fetch(path, {
      ...{ method: 'POST', headers, body: new Uint8Array(bytes) },
    });
    return ((await response.json()) as { address: string }).address;
  };
  const address = await upload(await pictureOf('jpeg', 480, 600));
  const webp = await upload(await pictureOf('webp', 480, 600), `?of=${address}`);
  const [quote] = built.testimonials.quotes;
  const patches = [
    { path: 'about.photo', from: built.about.photo, to: address },
    { path: 'testimonials.quotes.0.photo', from: quote?.photo, to: '' },
  ];
  await site.post('/api/site/draft', { patches }, headers);
  const html = await (await preview('home')).text();
  expect(html).toContain(`srcSet="${webp} 480w"`);
  const [image] = new RegExp(`<img[^>]*${address}[^>]*>`).exec(html) ?? [];
  expect(image).toContain(' data-field="about.photo"');
  // The initials in its place lead to what they stand for.
  expect(html).toMatch(/<text[^>]* data-field="testimonials\.quotes\.0\.name"/);
});

it.each(previewNames)(
  'the page %s has a preview without scripts, for the owner alone',
  async (name) => {
    const { site, preview } = await open();
    const response = await preview(name);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect(policy).toContain("frame-ancestors 'self'");
    const html = await response.text();
    expect(html).toContain(' data-field="');
    expect(html).not.toContain('{{');
    expect(html).not.toMatch(/<script| autofocus/);
    expect((await site.fetch(`/api/site/preview/${name}`)).status).toBe(401);
  },
);

it('a preview has the asked colour scheme, whatever the browser prefers', async () => {
  const { preview } = await open();
  const dark = await (await preview('home?scheme=dark')).text();
  expect(dark).toContain('@media all{');
  expect(dark).toContain('name="color-scheme" content="dark"');
  expect(await (await preview('home?scheme=light')).text()).toContain('@media not all{');
  expect(await (await preview('home')).text()).toContain('@media (prefers-color-scheme: dark){');
});

it('a version of the history has a preview, and an unknown one has none', async () => {
  const { site, headers, preview } = await open();
  const patches = [{ path: 'tagline', from: built.tagline, to: 'Published' }];
  await site.post('/api/site/draft', { patches }, headers);
  expect((await site.post('/api/site/publish', { revision: 1 }, headers)).status).toBe(200);
  const { versions } = await (await site.fetch('/api/site/versions', { headers })).json();
  const [published, before] = versions as { version: number }[];
  expect(await (await preview(`home?version=${published?.version}`)).text()).toContain('Published');
  expect(await (await preview(`home?version=${before?.version}`)).text()).toContain(built.tagline);
  for (const version of ['99', 'x', '', '-1', '1e0']) {
    expect((await preview(`home?version=${version}`)).status).toBe(404);
  }
});

it('a draft with mistakes has a preview', async () => {
  const { site, headers, preview } = await open();
  const patches = [
    { path: 'links.quiz', from: built.links.quiz, to: 'quiz.my-domain.com/1' },
    { path: 'calls.timeZone', from: built.calls.timeZone, to: 'Nowhere' },
    { path: 'colours.primary.light', from: built.colours.primary.light, to: 'yellow' },
    { path: 'hero.title', from: built.hero.title, to: '' },
    { path: 'faq.items', from: built.faq.items, to: [] },
  ];
  await site.post('/api/site/draft', { patches }, headers);
  for (const name of ['home', 'privacy', 'book-strategy-call']) {
    expect((await preview(name)).status, name).toBe(200);
  }
});

it('an unknown page has no preview', async () => {
  const { preview } = await open();
  for (const name of ['', 'app', 'home/x', 'toString']) {
    expect((await preview(name)).status).toBe(404);
  }
});

it('the preview of a booking page shows it as a visitor sees it who opens it outside of a dialog', async () => {
  const { preview } = await open();
  for (const name of ['book-strategy-call', 'booking']) {
    const html = await (await preview(name, { 'sec-fetch-dest': 'iframe' })).text();
    expect(html, name).toContain('<header');
    expect(html, name).toContain('<h1');
    expect(html, name).toContain('<footer');
  }
});

it('the preview of the booking pages has the hours and the time zone of the draft', async () => {
  const { site, headers, preview } = await open();
  const { hours, timeZone } = built.calls;
  const free = async () =>
    (await (await preview('book-strategy-call')).text())
      .replace(/<(style|template)[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
  expect(await free()).toContain('Times in London');
  const save = async (path: string, from: unknown, to: unknown) => {
    const patches = [{ path, from, to }];
    expect((await site.post('/api/site/draft', { patches }, headers)).status).toBe(200);
  };
  await save('calls.timeZone', timeZone, 'Asia/Tokyo');
  const never = Object.fromEntries(Object.keys(hours).map((day) => [day, []]));
  await save('calls.hours', hours, { ...never, monday: ['09:00-10:00'] });
  const html = await free();
  expect(html).toContain('Times in Tokyo');
  expect(html).toContain('9:00 AM');
  expect(html).not.toContain('Tuesday');
  // One with a mistake has none.
  await save('calls.timeZone', 'Asia/Tokyo', 'Nowhere');
  expect(await free()).toContain('Times in London');
});
