import type { Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { banner, dialog, signIn, wide } from './screens.ts';
import { expect, type RunningSite, testOnEmptySite as test } from './site.ts';

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

test('a view and the first click are kept, with the name of the control', async ({
  page,
  emptySite,
}) => {
  const beacons = await beaconsOf(page);
  await page.goto('/');
  await expect.poll(() => beacons).toEqual([view]);
  await expect.poll(() => controlsIn(emptySite)).toEqual([null]);
  await page.getByRole('main').getByRole('button', { name: words.hero.action }).click();
  await expect.poll(() => beacons).toEqual([view, click('hero')]);
  await expect.poll(() => controlsIn(emptySite)).toEqual([null, 'hero']);
});

test('the same visitor counts once a day', async ({ page, emptySite }) => {
  const beacons = await beaconsOf(page);
  for (let visit = 0; visit < 2; visit++) {
    await page.goto('/');
    await expect.poll(() => beacons.length).toBe(visit * 2 + 1);
    await banner(page).getByRole('button', { name: 'Get Started' }).click();
    await expect.poll(() => beacons.length).toBe(visit * 2 + 2);
  }
  expect(beacons).toEqual([view, click('header'), view, click('header')]);
  await expect.poll(() => controlsIn(emptySite)).toEqual([null, 'header']);
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

test('the signed-in owner is not counted', async ({ page, emptySite }) => {
  const beacons = await beaconsOf(page);
  await page.goto('/admin');
  await signIn(page, emptySite);
  await page.goto('/');
  const answer = page.waitForResponse(/\/api\/activity$/);
  await banner(page).getByRole('button', { name: 'Get Started' }).click();
  expect((await answer).status()).toBe(204);
  await expect.poll(() => beacons.length).toBeGreaterThan(0);
  expect(await emptySite.rows('mark')).toEqual([]);
});

test('of a visitor who asked for privacy a bare number is kept', async ({
  page,
  emptySite,
  context,
}) => {
  const beacons = await beaconsOf(page);
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true }),
  );
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
  await expect.poll(() => emptySite.rows('uncounted')).toMatchObject([{ reason: 'privacy', n: 2 }]);
  expect(await emptySite.rows('mark')).toEqual([]);
});

test('a visit has its source, and a browser driven by a program is none', async ({
  page,
  emptySite,
}) => {
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
});

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

test('the 404 page is no page view', async ({ page, emptySite, complaints }) => {
  const beacons = await beaconsOf(page);
  await page.goto('/nowhere', { waitUntil: 'networkidle' });
  await page.goto('/admin', { waitUntil: 'networkidle' });
  expect(beacons).toEqual([]);
  expect(await emptySite.rows('mark')).toEqual([]);
  complaints.splice(0, complaints.length);
});
