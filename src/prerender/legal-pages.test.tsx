import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { SiteVariables } from '../../server/contract/pages.ts';
import { fillTemplate } from '../../server/http/pages/template.ts';
import { filled } from '../../server/testing/filled-config.ts';
import { site as sample } from '../../server/testing/sample-config.ts';

/** Shows a page of a site with this config, as the server sends it with these variables. */
async function show(
  page: 'Imprint' | 'Privacy',
  site: object,
  variables: Partial<SiteVariables> = {},
) {
  vi.resetModules();
  vi.doMock('../../site.config.ts', () => ({ site }));
  const { Imprint } = await import('./imprint.tsx');
  const { Privacy } = await import('./privacy.tsx');
  const { rendered } = await import('../testing/rendered.tsx');
  const html = rendered(page === 'Imprint' ? <Imprint /> : <Privacy />);
  document.body.innerHTML = fillTemplate(html, variables);
}

const main = () => document.querySelector('main')?.textContent ?? '';
const parts = () => [...document.querySelectorAll('main h2')].map((h2) => h2.textContent);
const { legal: _, currency: __, ...older } = filled;

beforeEach(() => {
  document.body.innerHTML = '';
});

describe('imprint', () => {
  test('the imprint has every field of legal', async () => {
    await show('Imprint', filled);
    const { name, address, phone, register, vatId, responsible } = filled.legal;
    for (const text of [name, ...address, phone, register, vatId, responsible]) {
      expect(main()).toContain(text);
    }
    expect(document.querySelector(`main a[href="mailto:${filled.brand.email}"]`)).not.toBeNull();
  });

  test('the imprint omits the labels of empty fields', async () => {
    await show('Imprint', sample);
    expect([...document.querySelectorAll('main dt')].map((dt) => dt.textContent)).toEqual([
      'Responsible',
      'Email',
    ]);
  });

  test('both pages work with a site.config.ts of an older release', async () => {
    await show('Imprint', older);
    expect(main()).toBe(`ImprintResponsible${filled.brand.name}Email${filled.brand.email}`);
    await show('Privacy', older);
    expect(parts()).toContain('Your rights');
  });
});

describe('privacy page', () => {
  const periods = { keepMessages: '60 days', keepSpam: '30 days' };
  const links = { instagram: '', linkedin: '', quiz: 'https://quiz.example/a', checkout: '' };
  const unconnected = { ...sample, links, legal: { ...sample.legal, providers: [] } };

  test('the privacy page has the retention periods of the settings', async () => {
    await show('Privacy', sample, periods);
    expect(main()).toContain('60 days. Spam: 30 days.');
    expect(main()).toContain('For as long as the site exists.');
    expect(main()).not.toContain('{{');
  });

  test('the privacy page names the owner and the providers', async () => {
    await show('Privacy', filled);
    const { name, address, providers } = filled.legal;
    for (const text of [name, ...address, filled.brand.email, ...providers]) {
      expect(main()).toContain(text);
    }
  });

  test('the privacy page names each third party that the config connects', async () => {
    await show('Privacy', { ...filled, optInScript: 'https://opt-in.convertkit.com/index.js' });
    for (const host of [
      'cal.com',
      'buy.stripe.com',
      'adabrook.typeform.com',
      'opt-in.convertkit.com',
    ]) {
      expect(main()).toContain(host);
    }
    expect(main()).toContain('For 30 days: the first and the last site');
    expect(parts()).toContain('When you buy');
    expect(parts()).not.toContain('When you book a call');
  });

  test('the privacy page names what a calendar receives of the visit when its webhook is connected', async () => {
    const passedOn =
      'the button that you pressed and the site or campaign that sent you, and reports';
    await show('Privacy', filled, { calWebhook: 'cal' });
    expect(main()).toContain(passedOn);
    await show('Privacy', filled, { calendlyWebhook: 'calendly' });
    expect(main()).not.toContain(passedOn);
  });

  test('the privacy page names the receiver of webhooks when there is one, also without other receivers', async () => {
    for (const site of [filled, unconnected]) {
      await show('Privacy', site);
      expect(main()).not.toContain('automates my work');
      await show('Privacy', site, { sendsEvents: true });
      expect(main()).toContain('automates my work');
      expect(parts()).toContain('Who else receives data');
    }
  });

  test('the privacy page names no third party when none is connected', async () => {
    await show('Privacy', unconnected);
    expect(parts()).toEqual([
      'Who is responsible',
      'When you visit',
      'When you write to me',
      'When you book a call',
      'When somebody signs in',
      'In your browser',
      'Your rights',
    ]);
    expect(main()).not.toMatch(/\w\.(com|example\/)/);
  });

  test('the privacy page mentions emails, sales and shared limits when the settings have them', async () => {
    await show('Privacy', sample);
    expect(main()).not.toMatch(/mailbox|confirmation|hashed/);
    expect(parts()).not.toContain('When you buy');
    await show('Privacy', sample, { sendsEmail: true, storesSales: true, sharesLimits: true });
    expect(main()).toMatch(/mailbox.*confirmation.*hashed/s);
    expect(parts()).toContain('When you buy');
  });
});
