/** Pages in another language, in which each word and each text of the owner is marked: the code has none of its own. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DocumentName } from '../../server/contract/pages.ts';
import { filled } from '../../server/testing/filled-config.ts';
import { markedConfig } from '../../server/testing/marked-config.ts';
import { site as sample } from '../../server/testing/sample-file.ts';

type Renderer = typeof import('./prerender.tsx');
type MarkedLanguage = typeof import('../../server/testing/marked-language.ts');

const assets = {
  ...{ boot: '/assets/boot.js', optIn: '/assets/opt-in.js', sharePicture: '/assets/share.png' },
  ...{ islands: {}, words: ['labels', 'contactPages'], photos: {} },
};

/** What visitors read beside the page's text. */
const spoken = ['aria-label', 'alt', 'title', 'placeholder', 'data-late', 'data-sending', 'label'];

/** Names of other companies, which are the same in each language. */
const companies = /Google|Outlook/g;

/** Tags of the head whose content is no text. */
const technical =
  /^(viewport|color-scheme|theme-color|robots|twitter:card|og:(type|url|image|image:width|image:height))$/;

const connected = {
  ...filled,
  optInScript: 'https://opt-in.convertkit.com/index.js',
  about: { ...filled.about, photo: '/me.jpg' },
  // With photos, in place of initials.
  testimonials: sample.testimonials,
};

describe.each([
  ['without connections', sample],
  ['with connections', connected],
])('a site %s', (_, config) => {
  let renderer: Renderer;
  let language: MarkedLanguage;

  beforeAll(async () => {
    vi.resetModules();
    language = await import('../../server/testing/marked-language.ts');
    vi.doMock('../../site.config.ts', () => ({ site: markedConfig(config) }));
    renderer = await import('./prerender.tsx');
  });

  /** Both branches of each condition, without variables. */
  const render = (name: DocumentName) => {
    const html = renderer.renderPage(name, assets);
    // React warns of the selected option in a template.
    vi.mocked(console.error).mockClear();
    return html.replace(/\{\{[^}]*\}\}/g, '');
  };

  const pages = [
    'home',
    'imprint',
    'privacy',
    'not-found',
    'contact-sent',
    'contact-failed',
  ].concat(['book-strategy-call', 'book-inbox-review', 'booking']) as DocumentName[];

  it.each(pages)('page %s has no word that is in no file of words or texts', (name) => {
    const html = render(name).replace(/<(\/?)(template|iframe)\b/g, '<$1div');
    const page = new DOMParser().parseFromString(html, 'text/html');
    expect(page.documentElement.lang).toBe(language.markedLanguage);
    const head = [...page.querySelectorAll('meta')]
      .filter((tag) => !technical.test(tag.getAttribute('property') ?? tag.name))
      .map(({ content }) => content);
    const attributes = spoken.flatMap((attribute) =>
      [...page.querySelectorAll(`[${attribute}]`)].map((el) => el.getAttribute(attribute) ?? ''),
    );
    const subjects = [...page.querySelectorAll('a[href*="?subject="], a[href*="?body="]')].map(
      (link) => decodeURIComponent(link.getAttribute('href')?.replace(/^.*=/, '') ?? ''),
    );
    const styles = [...page.querySelectorAll('style')].map((style) => style.textContent);
    const drawn = [...styles.join('').matchAll(/content:\s*["']([^"']*)["']/g)].map(([, t]) => t);
    const graph = page.querySelector('script[type="application/ld+json"]')?.textContent ?? '';
    if (name === 'home') {
      expect(graph).toContain(`"inLanguage":"${language.markedLanguage}"`);
      expect(graph).toContain('"name":"⟦');
    }
    for (const el of page.querySelectorAll('script, style')) el.remove();
    const text = page.body.textContent.replace(companies, '');
    expect(text).toContain('⟦');
    for (const part of [page.title, text, ...head, ...attributes, ...subjects, ...drawn]) {
      expect(unmarked(part)).toEqual([]);
    }
  });

  const unmarked = (text: string | undefined) => language.unmarked(text?.replace(addresses, ''));

  it('llms.txt and the manifest have no word that is in no file of words or texts', () => {
    expect(unmarked(render('llms.txt').replace(/\]\([^)]*\)|<[^>]*>/g, ''))).toEqual([]);
    const { lang, name, short_name, description } = JSON.parse(render('manifest.webmanifest'));
    expect(lang).toBe(language.markedLanguage);
    expect([name, short_name, description].flatMap(unmarked)).toEqual([]);
  });
});

/** Addresses of people and hosts. */
const addresses = /[\w.+-]+@[\w.-]+|\b[\w-]+(\.[\w-]+)+\b/g;
