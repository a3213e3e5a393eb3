import type { Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { banner, dialog, signIn, wide } from './screens.ts';
import { expect, expectComplaint, type RunningSite, test, testOnEmptySite } from './site.ts';

test.use({ viewport: wide });

/** What the page's beacons say, in order; a beacon's body never shows on the wire's own record. */
async function beaconsOf(page: Page) {
  const beacons: unknown[] = [];
  await page.exposeFunction('told', (text: string) => beacons.push(JSON.parse(text)));
  await page.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (address, body) => {
      if (address === '/api/activity' && body instanceof Blob) {
        void body.text().then((text) => Reflect.get(window, 'told')(text));
      }
      return send(address, body);
    };
  });
  return beacons;
}

const controlsIn = async (site: RunningSite) =>
  (await site.rows('mark')).map(({ control }) => control);

const fromNowhere = { search: '', referrer: '' };
const view = { type: 'page_view', ...fromNowhere };
const click = (control: string) => ({ type: 'cta_click', control, ...fromNowhere });

testOnEmptySite('the same visitor counts once a day', async ({ page, emptySite }) => {
  const beacons = await beaconsOf(page);

  await test.step('a view and the first click are kept, with the name of the control', async () => {
    await page.goto('/');
    await expect.poll(() => beacons).toEqual([view]);
    await expect.poll(() => controlsIn(emptySite)).toEqual([null]);
    await page.getByRole('main').getByRole('button', { name: words.hero.action }).click();
    await expect.poll(() => beacons).toEqual([view, click('hero')]);
    await expect.poll(() => controlsIn(emptySite)).toEqual([null, 'hero']);
  });

  await test.step('another view and another click are sent, and not counted', async () => {
    await page.goto('/');
    await expect.poll(() => beacons.length).toBe(3);
    const answered = page.waitForResponse(/\/api\/activity$/);
    await page.getByRole('main').getByRole('button', { name: words.hero.action }).click();
    await answered;
    await expect.poll(() => beacons).toEqual([view, click('hero'), view, click('hero')]);
    expect(await controlsIn(emptySite)).toEqual([null, 'hero']);
  });
});

test('every call-to-action says its own name', async ({ page }) => {
  const beacons = await beaconsOf(page);
  await page.goto('/');
  await expect.poll(() => beacons).toEqual([view]);
  const press = async (name: string, place: 'banner' | 'main' | 'contentinfo' = 'main') => {
    await page.getByRole(place).getByRole('button', { name, exact: true }).click();
    await expect(page.locator('dialog[open]')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.locator('dialog[open]')).toHaveCount(0);
  };
  await press('Get Started', 'banner');
  await press('Contact', 'banner');
  await press(words.hero.action);
  await press(words.pains.action);
  await press(words.freedom.action);
  await press(words.costs.action);
  await press(words.services.management.action);
  await press(words.services.consulting.action);
  await press(words.services.infrastructure.action);
  await press(words.about.action);
  await press(words.steps.action);
  await press(words.faq.action);
  await press(words.assessment.review.action);
  await press(words.footer.action, 'contentinfo');
  await press(words.footer.email, 'contentinfo');
  expect(beacons).toEqual([
    view,
    ...[
      'header',
      'contact',
      'hero',
      'pains',
      'freedom',
      'costs',
      'service-management',
      'service-consulting',
      'service-infrastructure',
      'about',
      'steps',
      'faq',
      'inbox-review',
      'footer',
      'contact',
    ].map(click),
  ]);
});

testOnEmptySite(
  'visits that are not counted leave no event',
  async ({ page, context, emptySite, complaints }) => {
    const beacons = await beaconsOf(page);

    await test.step('the 404 page is no page view, nor is the login', async () => {
      await page.goto('/nowhere', { waitUntil: 'networkidle' });
      await page.goto('/admin', { waitUntil: 'networkidle' });
      await expectComplaint(complaints, /status of 404/);
      expect(beacons).toEqual([]);
      expect(await emptySite.rows('mark')).toEqual([]);
    });

    await test.step('the signed-in owner is not counted', async () => {
      await signIn(page, emptySite);
      await page.goto('/');
      const answer = page.waitForResponse(/\/api\/activity$/);
      await banner(page).getByRole('button', { name: 'Get Started' }).click();
      expect((await answer).status()).toBe(204);
      await expect.poll(() => beacons.length).toBeGreaterThan(0);
      expect(await emptySite.rows('mark')).toEqual([]);
    });

    await test.step('of a visitor who asked for privacy a bare number is kept', async () => {
      await context.clearCookies();
      await page.evaluate(() => localStorage.clear());
      await page.addInitScript(() =>
        Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true }),
      );
      beacons.length = 0;
      await page.goto('/', { waitUntil: 'networkidle' });
      await banner(page).getByRole('button', { name: 'Get Started' }).click();
      await expect(dialog(page, 'strategyCall')).toBeVisible();
      expect(beacons).toEqual([{ type: 'page_view', privacy: true }]);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);

      // So does the server, should a page not know of it.
      const answer = await context.request.post('/api/activity', {
        data: view,
        headers: { 'Sec-GPC': '1', Origin: emptySite.origin },
      });
      expect(answer.status()).toBe(204);
      await expect
        .poll(() => emptySite.rows('uncounted'))
        .toMatchObject([
          { reason: 'owner', n: 2 },
          { reason: 'privacy', n: 2 },
        ]);
      expect(await emptySite.rows('mark')).toEqual([]);
    });
  },
);

testOnEmptySite(
  'a visit has its source, and a browser driven by a program is none',
  async ({ page, emptySite }) => {
    await page.goto('/?utm_source=Podcast');
    await expect.poll(async () => (await emptySite.rows('mark')).length).toBe(1);
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
      .poll(() => emptySite.rows('uncounted'))
      .toMatchObject([{ reason: 'automated', n: 1 }]);
  },
);

test('nothing is told before somebody can see the page', async ({ page }) => {
  const beacons = await beaconsOf(page);
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
