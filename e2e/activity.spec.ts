import type { Page } from '@playwright/test';
import { site as config } from '../site.config.ts';
import { openBooted } from './landing.ts';
import { banner, dialog, signIn, strategyCalls, wide } from './screens.ts';
import { expect, expectConsoleError, type RunningSite, test, testOnEmptySite } from './site.ts';

test.use({ viewport: wide });

/** Records the bodies of the page's beacons in order; Playwright does not expose them. */
async function recordBeacons(page: Page) {
  const beacons: unknown[] = [];
  await page.exposeFunction('recordBeacon', (text: string) => beacons.push(JSON.parse(text)));
  await page.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (url, body) => {
      if (url === '/api/activity' && body instanceof Blob) {
        void body.text().then((text) => Reflect.get(window, 'recordBeacon')(text));
      }
      return send(url, body);
    };
  });
  return beacons;
}

const controlsIn = async (site: RunningSite) =>
  (await site.rows('event')).map(({ button }) => button);

const direct = { search: '', referrer: '' };
const view = { type: 'page_view', ...direct };
const click = (button: string) => ({ type: 'cta_click', button, ...direct });

testOnEmptySite('a visitor is counted once a day', async ({ page, emptySite }) => {
  const beacons = await recordBeacons(page);

  await test.step('the first view and click are stored, with the name of the button', async () => {
    await page.goto('/');
    await expect.poll(() => beacons).toEqual([view]);
    await expect.poll(() => controlsIn(emptySite)).toEqual([null]);
    await page.getByRole('main').getByRole('button', { name: config.hero.action }).click();
    await expect.poll(() => beacons).toEqual([view, click('hero')]);
    await expect.poll(() => controlsIn(emptySite)).toEqual([null, 'hero']);
  });

  await test.step('another view and click are sent but not counted', async () => {
    await page.goto('/');
    await expect.poll(() => beacons.length).toBe(3);
    const response = page.waitForResponse(/\/api\/activity$/);
    await page.getByRole('main').getByRole('button', { name: config.hero.action }).click();
    await response;
    await expect.poll(() => beacons).toEqual([view, click('hero'), view, click('hero')]);
    expect(await controlsIn(emptySite)).toEqual([null, 'hero']);
  });
});

test('every call-to-action sends its own name', async ({ page }) => {
  const beacons = await recordBeacons(page);
  await page.goto('/');
  await expect.poll(() => beacons).toEqual([view]);
  const actions = [
    ...strategyCalls,
    [config.header.contact, 'banner', 'contact'],
    [config.faq.action, 'main', 'faq'],
    [config.assessment.review.action, 'main', 'inbox-review'],
    [config.footer.email, 'contentinfo', 'contact'],
  ] as const;
  for (const [name, landmark] of actions) {
    await page.getByRole(landmark).getByRole('button', { name, exact: true }).click();
    await expect(page.locator('dialog[open]')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.locator('dialog[open]')).toHaveCount(0);
  }
  await expect.poll(() => beacons).toEqual([view, ...actions.map(([, , button]) => click(button))]);
});

testOnEmptySite(
  'excluded visits are stored only as counts',
  async ({ page, context, emptySite, consoleErrors }) => {
    const beacons = await recordBeacons(page);

    await test.step('the 404 page and the login page send no page view', async () => {
      await page.goto('/nowhere', { waitUntil: 'networkidle' });
      await page.goto('/admin', { waitUntil: 'networkidle' });
      await expectConsoleError(consoleErrors, /status of 404/);
      expect(beacons).toEqual([]);
      expect(await emptySite.rows('event')).toEqual([]);
    });

    await test.step('the signed-in owner is not counted', async () => {
      await signIn(page, emptySite);
      await openBooted(page);
      const response = page.waitForResponse(/\/api\/activity$/);
      await banner(page).getByRole('button', { name: 'Get Started' }).click();
      expect((await response).status()).toBe(204);
      // The page view and the click.
      await expect.poll(() => beacons.length).toBe(2);
      expect(await emptySite.rows('event')).toEqual([]);
    });

    await test.step('a visit with Global Privacy Control is only added to a total', async () => {
      await context.clearCookies();
      await page.evaluate(() => localStorage.clear());
      await page.addInitScript(() =>
        Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true }),
      );
      beacons.length = 0;
      await page.goto('/', { waitUntil: 'networkidle' });
      await banner(page).getByRole('button', { name: 'Get Started' }).click();
      await expect(dialog(page, 'strategyCall')).toBeVisible();
      await expect.poll(() => beacons).toEqual([{ type: 'page_view', privacy: true }]);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);

      // The server honors the header, too, for pages that do not check.
      const response = await context.request.post('/api/activity', {
        data: view,
        headers: { 'Sec-GPC': '1', Origin: emptySite.origin },
      });
      expect(response.status()).toBe(204);
      await expect
        .poll(() => emptySite.rows('excluded_count'))
        .toMatchObject([
          { reason: 'owner', n: 2 },
          { reason: 'privacy', n: 2 },
        ]);
      expect(await emptySite.rows('event')).toEqual([]);
    });
  },
);

testOnEmptySite(
  'a visit has its source, and an automated browser is excluded',
  async ({ page, emptySite }) => {
    await page.goto('/?utm_source=Podcast');
    await expect.poll(async () => (await emptySite.rows('event')).length).toBe(1);
    expect((await emptySite.rows('source')).map(({ name }) => name)).toEqual([
      null,
      'other',
      'podcast',
    ]);
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'webdriver', { value: true }),
    );
    await page.goto('/');
    await expect
      .poll(() => emptySite.rows('excluded_count'))
      .toMatchObject([{ reason: 'automated', n: 1 }]);
  },
);

test('no beacon is sent before the page is visible', async ({ page }) => {
  const beacons = await recordBeacons(page);
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'hidden', {
      configurable: true,
      get: () => document.documentElement.dataset.seen === undefined,
    });
  });
  await page.clock.install();
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.clock.runFor(60_000);
  expect(beacons).toEqual([]);
  await page.evaluate(() => {
    document.documentElement.dataset.seen = '';
    document.dispatchEvent(new Event('visibilitychange'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => beacons).toEqual([view]);
});
