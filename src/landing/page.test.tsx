import type { ReactElement } from 'react';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { buttonNames } from '../../server/contract/button-names.ts';
import { fillTemplate } from '../../server/http/pages/template.ts';
import { site as sample } from '../../server/testing/sample-config.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { dialogIds } from '../ui/invoker.ts';

const { site: own } =
  await vi.importActual<typeof import('../../site.config.ts')>('../../site.config.ts');

const ids = ['services', 'management', 'consulting', 'infrastructure', 'about'];

/** The sample config with connected calendars and a checkout. */
const connected: typeof sample = {
  ...sample,
  links: { ...sample.links, checkout: 'https://buy.stripe.com/audit' },
  schedulers: {
    strategyCall: 'https://cal.com/rowan/call',
    inboxReview: 'https://cal.com/rowan/review',
  },
};

/** The landing page and the not-found page for a config, as the server sends them. */
async function pagesOf(site: typeof own) {
  vi.resetModules();
  vi.doMock('../../site.config.ts', () => ({ site }));
  const { LandingPage } = await import('./page.tsx');
  const { NotFound } = await import('../prerender/not-found.tsx');
  const { rendered } = await import('../testing/rendered.tsx');
  const send = (element: ReactElement) => fillTemplate(rendered(element), {});
  return { landing: send(<LandingPage />), notFound: send(<NotFound />) };
}

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
const text = (el: Element | null | undefined) => el?.textContent ?? '';

describe.each<[name: string, site: typeof own]>([
  ['with the config of this repository', own],
  ['without connected calendars', sample],
  ['with connected calendars', connected],
])('a site %s', (_, site) => {
  let pages: Awaited<ReturnType<typeof pagesOf>>;

  beforeAll(async () => {
    pages = await pagesOf(site);
    document.body.innerHTML = pages.landing;
  });

  test('the landing page has its sections in order', () => {
    const sections = all('main > section, footer');
    expect(sections.map((s) => text(s.querySelector('h1, h2, p')))).toEqual([
      site.hero.title,
      site.tagline,
      site.pains.title,
      site.freedom.title,
      site.costs.title,
      site.testimonials.title,
      site.services.title,
      site.about.title,
      site.steps.title,
      site.faq.title,
      site.assessment.title,
      site.footer.title,
    ]);
  });

  test('the imprint and the privacy page are linked beside the copyright', () => {
    const line = all('footer p').at(-1)?.parentElement;
    expect([...(line?.querySelectorAll('a') ?? [])].map((a) => a.getAttribute('href'))).toEqual([
      '/privacy',
      '/imprint',
    ]);
  });

  test('every hash link has exactly one target, and ids are unique', () => {
    for (const id of ids) {
      expect(all(`#${id}`)).toHaveLength(1);
      expect(document.querySelector(`#${id} :is(h2, h3)`)).not.toBeNull();
    }
    for (const link of all('a[href^="/#"], a[href^="#"]')) {
      const id = link.getAttribute('href')?.replace(/^\/?#/, '');
      expect(all(`[id="${id}"]`), `#${id}`).toHaveLength(1);
    }
    const named = all('[id]').map((el) => el.id);
    expect(new Set(named).size).toBe(named.length);
  });

  test('each service has four points and its own call-to-action', () => {
    for (const id of ['management', 'consulting', 'infrastructure']) {
      expect(all(`#${id} li`)).toHaveLength(4);
      expect(all(`#${id} [data-cta="service-${id}"][commandfor="strategy-call"]`)).toHaveLength(1);
    }
  });

  test('the landing page has every pain, testimonial, step and FAQ item, with all FAQ items closed', () => {
    expect(all('section:has([data-cta=pains]) li')).toHaveLength(4);
    expect(all('figure blockquote').map(text)).toEqual(
      site.testimonials.quotes.map(({ quote }) => `“${quote}”`),
    );
    expect(all('#how-it-works ol > li h3').map(text)).toEqual(
      site.steps.steps.map(({ title }) => title),
    );
    expect(all('details[name=faq] > summary > h3').map(text)).toEqual(
      site.faq.items.map(({ question }) => question),
    );
    expect(all('details').map(({ id }) => id)).toEqual(site.faq.items.map(({ id }) => `faq-${id}`));
    expect(all('details[open]')).toHaveLength(0);
  });

  test('every dialog button refers to an existing dialog, and every dialog starts with its Close button', () => {
    const buttons = all('[commandfor]');
    expect(buttons.length).toBeGreaterThan(12);
    for (const button of buttons) {
      expect(['show-modal', 'close']).toContain(button.getAttribute('command'));
      expect(all(`dialog[id="${button.getAttribute('commandfor')}"]`)).toHaveLength(1);
    }
    const dialogs = all('dialog');
    expect(dialogs.map(({ id }) => id)).toEqual(
      dialogIds.filter((id) => id !== 'quiz' || !isPlaceholder(site.links.quiz)),
    );
    for (const dialog of dialogs) {
      expect(dialog.getAttribute('closedby')).toBe('any');
      expect(text(document.getElementById(dialog.getAttribute('aria-labelledby') ?? ''))).not.toBe(
        '',
      );
      const first = dialog.querySelector('button, a, [tabindex]');
      expect(first?.getAttribute('aria-label')).toBe(sample.labels.close);
      expect(first?.getAttribute('command')).toBe('close');
      const title = dialog.querySelector('h2');
      expect(title?.hasAttribute('autofocus')).toBe(dialog.id !== 'contact');
    }
  });

  test('the calls-to-action use every counted button, and no other', () => {
    const used = all('[data-cta]').map((el) => el.dataset.cta);
    const unused = [
      isPlaceholder(site.links.checkout) && 'audit',
      isPlaceholder(site.links.quiz) && 'quiz',
    ];
    expect(new Set(used)).toEqual(new Set(buttonNames.filter((name) => !unused.includes(name))));
  });

  test('every button that needs JavaScript has a link in <noscript>', () => {
    const scripted = pages.landing.match(/data-scripted=""/g) ?? [];
    const links = pages.landing.match(/<noscript><a [^>]*href="(\/book\/|mailto:|https?:)/g) ?? [];
    expect(scripted.length).toBeGreaterThan(9);
    expect(links).toHaveLength(scripted.length);
  });

  test('external links open in a new tab with rel=noopener, and there are no inline styles', () => {
    // Links in <noscript>, which replace buttons, open in the same tab.
    const external = all('a[href^=http]').filter((link) => !link.closest('noscript'));
    const profiles = [site.links.instagram, site.links.linkedin].filter(Boolean);
    expect(external.length).toBeGreaterThanOrEqual(profiles.length + 2);
    for (const link of external) {
      expect(link.getAttribute('target')).toBe('_blank');
      expect(link.getAttribute('rel')).toContain('noopener');
    }
    expect(all('[style], [onclick]')).toHaveLength(0);
  });

  test('each calendar has one frame, inside a template', () => {
    expect(pages.landing.match(/<template data-on-open=""><iframe /g)).toHaveLength(2);
    expect(pages.landing.match(/<iframe/g)).toHaveLength(2);
  });

  test('each menu button is a disclosure of its popover', () => {
    for (const menu of ['services-menu', 'mobile-menu']) {
      const [button] = all(`button[popovertarget=${menu}][aria-controls=${menu}]`);
      expect(button?.getAttribute('aria-expanded')).toBe('false');
      expect(all(`#${menu}[popover]`)).toHaveLength(1);
    }
    expect(all('#services-menu a').map((a) => a.getAttribute('href'))).toEqual([
      '/#management',
      '/#consulting',
      '/#infrastructure',
    ]);
    expect(document.getElementById('services-menu')?.previousElementSibling?.tagName).toBe(
      'BUTTON',
    );
  });

  test('the not-found page has the header, footer and dialogs, without the quiz', () => {
    const page = document.createElement('div');
    page.innerHTML = pages.notFound;
    expect(text(page.querySelector('h1'))).toBe(site.notFound.title);
    expect(text(page.querySelector('h1 + p'))).toBe(site.notFound.text);
    expect(page.querySelector('header a[href="/#management"]')).not.toBeNull();
    expect(text([...page.querySelectorAll('footer p')].at(-1))).toBe(site.footer.copyright);
    expect([...page.querySelectorAll('dialog')].map(({ id }) => id)).toEqual(
      dialogIds.filter((id) => id !== 'quiz'),
    );
  });
});

test('the landing page has no quiz popup while the quiz address is a placeholder', async () => {
  const links = { ...sample.links, quiz: 'https://quiz.example/email' };
  const { landing } = await pagesOf({ ...sample, links });
  expect(landing).not.toContain('id="quiz"');
  expect(landing).toContain('href="https://quiz.example/email"');
});

test('the landing page has no section of testimonials without a quote', async () => {
  const testimonials = { ...sample.testimonials, quotes: [] };
  const { landing } = await pagesOf({ ...sample, testimonials });
  expect(landing).not.toContain(testimonials.title);
  expect(landing).not.toContain('<blockquote');
});

test('the sample config renders the copy of the specification', async () => {
  const { landing, notFound } = await pagesOf(sample);
  document.body.innerHTML = landing;
  expect(all('figure blockquote')).toHaveLength(3);
  expect(all('details[name=faq][id^=faq-] > summary > h3')).toHaveLength(5);
  expect(all('#how-it-works ol > li h3').map(text)).toEqual([
    "Let's Talk Strategy",
    'Share Your World',
    'Get the Game Plan',
    'Breathe Easier',
  ]);
  expect(all('#assessment h2').map(text)).toEqual(['Email Marketing Health Checker']);
  expect(all('main > section:nth-of-type(2)').map(text).join()).toContain('digital entrepreneurs');
  expect(all('section:has([data-cta=costs]) h3').map(text)).toEqual([
    'Logistical costs',
    'Emotional costs',
  ]);
  expect(all('figure figcaption img')).toHaveLength(3);
  expect(all('#about img')).toHaveLength(1);
  const picture = document.querySelector('#assessment a[target=_blank] [role=img]');
  expect(picture?.getAttribute('aria-label')).toMatch(/^Email Marketing Health Checker/);
  expect(all('footer p').map(text)).toContain(
    'Strategic operations partner for scaling digital businesses.',
  );
  expect(all('footer p').map(text).at(-1)).toBe('© 2024');
  expect(notFound).toContain('404 Page Not Found</h1>');
  expect(notFound).toContain('Did you forget to add the page to the router?');
  expect(notFound).toContain('© 2024');
});
