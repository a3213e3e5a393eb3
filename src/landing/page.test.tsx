import { beforeAll, expect, test } from 'vitest';
import { controls } from '../../server/contract/controls.ts';
import { site } from '../../site.config.ts';
import { NotFound } from '../not-found.tsx';
import { LandingPage } from './page.tsx';
import { rendered } from './rendered.tsx';

const ids = ['services', 'management', 'consulting', 'infrastructure', 'about'];

beforeAll(() => {
  document.body.innerHTML = rendered(<LandingPage />);
});

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
const text = (el: Element | null | undefined) => el?.textContent?.trim() ?? '';

test('the twelve sections stand in their order', () => {
  const sections = all('main > section, footer');
  expect(sections).toHaveLength(12);
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
    'Email Marketing Health Checker',
    site.footer.title,
  ]);
});

test('the places that links lead to are there, once each, and have a heading', () => {
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

test('each service has four points and a call-to-action of its own', () => {
  for (const id of ['management', 'consulting', 'infrastructure']) {
    expect(all(`#${id} li`)).toHaveLength(4);
    expect(all(`#${id} [data-cta="service-${id}"][commandfor="strategy-call"]`)).toHaveLength(1);
  }
});

test('four pains, three testimonials, four steps, five questions of which one can be open', () => {
  expect(all('main > section:nth-of-type(3) li')).toHaveLength(4);
  expect(all('figure blockquote')).toHaveLength(3);
  expect(all('#how-it-works ol > li h3').map(text)).toEqual([
    "Let's Talk Strategy",
    'Share Your World',
    'Get the Game Plan',
    'Breathe Easier',
  ]);
  expect(all('details[name=faq][id^=faq-] > summary > h3')).toHaveLength(5);
  expect(all('details[open]')).toHaveLength(0);
});

test('every button of a dialog names one that exists, and every dialog can be closed first thing', () => {
  const buttons = all('[commandfor]');
  expect(buttons.length).toBeGreaterThan(12);
  for (const button of buttons) {
    expect(['show-modal', 'close']).toContain(button.getAttribute('command'));
    expect(all(`dialog[id="${button.getAttribute('commandfor')}"]`)).toHaveLength(1);
  }
  const dialogs = all('dialog');
  expect(dialogs.map(({ id }) => id)).toEqual(['strategy-call', 'inbox-review', 'contact', 'quiz']);
  for (const dialog of dialogs) {
    expect(dialog.getAttribute('closedby')).toBe('any');
    expect(text(document.getElementById(dialog.getAttribute('aria-labelledby') ?? ''))).not.toBe(
      '',
    );
    const first = dialog.querySelector('button, a, [tabindex]');
    expect(first?.getAttribute('aria-label')).toBe('Close');
    expect(first?.getAttribute('command')).toBe('close');
    const title = dialog.querySelector('h2');
    expect(title?.hasAttribute('autofocus')).toBe(dialog.id !== 'contact');
  }
});

test('calls-to-action name a control that is counted, and all of those are used', () => {
  const used = all('[data-cta]').map((el) => el.dataset.cta);
  expect(new Set(used)).toEqual(new Set(controls));
});

test('a button that needs a script has a link beside it for those without', () => {
  const html = rendered(<LandingPage />);
  const scripted = html.match(/data-scripted=""/g) ?? [];
  const links = html.match(/<noscript><a [^>]*href="(mailto:|https:)/g) ?? [];
  expect(scripted.length).toBeGreaterThan(9);
  expect(links).toHaveLength(scripted.length);
});

test('what opens in a new tab does so safely, and there is no frame and no inline style', () => {
  const outside = all('a[href^=http]');
  expect(outside.length).toBeGreaterThanOrEqual(4);
  for (const link of outside) {
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('rel')).toContain('noopener');
  }
  expect(all('iframe, [style], [onclick]')).toHaveLength(0);
});

test('the menus are disclosures of their lists', () => {
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
  expect(document.getElementById('services-menu')?.previousElementSibling?.tagName).toBe('BUTTON');
});

test('the not-found page has header, footer and dialogs, but no quiz', () => {
  const html = rendered(<NotFound />);
  expect(html).toContain('404 Page Not Found</h1>');
  expect(html).toContain('Did you forget to add the page to the router?');
  expect(html).toContain('href="/#management"');
  expect(html).toContain('© 2024');
  expect(html.match(/<dialog id="[\w-]+/g)).toEqual(
    ['strategy-call', 'inbox-review', 'contact'].map((id) => `<dialog id="${id}`),
  );
});
