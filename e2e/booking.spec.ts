/** What a visitor sees of a calendar that works, hangs, is stopped, or does not let itself be framed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type APIRequestContext, chromium, type Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { expectAccessible } from './axe.ts';
import { findBrowser } from './browser.ts';
import { test } from './connected-site.ts';
import { banner, dialog, dialogTitles, narrow, wide } from './screens.ts';
import { expect, expectComplaint } from './site.ts';

// One build serves them all, and one calendar.
test.describe.configure({ mode: 'default' });
test.use({ viewport: wide, reducedMotion: 'reduce' });

const getStarted = (page: Page) => banner(page).getByRole('button', { name: 'Get Started' });
const strategyCall = (page: Page) => dialog(page, 'strategyCall');
const frameOf = (page: Page) => strategyCall(page).frameLocator('iframe');
const welcome = (page: Page) => frameOf(page).getByRole('heading', { name: 'Welcome to /' });
const notice = (page: Page) => strategyCall(page).getByRole('status');

async function open(page: Page) {
  await page.goto('/');
  await getStarted(page).click();
  await expect(strategyCall(page)).toBeVisible();
}

/**
 * Waits until the site sends both calendars as frames, or none: it looks at one after the other, and
 * of two instances each for itself.
 */
async function sends(request: APIRequestContext, wanted: 'frames' | 'links') {
  const frames = async () => (await (await request.get('/')).text()).split('<iframe').length - 1;
  const n = wanted === 'frames' ? 2 : 0;
  await expect
    .poll(async () => [await frames(), await frames()], { timeout: 15_000 })
    .toEqual([n, n]);
}

test.afterEach(async ({ request, connected: { thirdParty } }) => {
  thirdParty.calendarsWill('show');
  await sends(request, 'frames');
});

/** Keeps the opt-in script out of it: it comes from the same server. */
const withoutOptIn = (page: Page) =>
  page.route('**/opt-in.js', (route) => route.fulfill({ contentType: 'text/javascript' }));

/** Expects the dialog in words, with ways to a time that need no frame. */
async function expectLinks(page: Page, origin: string) {
  const opened = strategyCall(page);
  await expect(opened.getByText(words.dialogs.unframed)).toBeVisible();
  await expect(opened.getByRole('link', { name: words.dialogs.newTab })).toHaveAttribute(
    'href',
    `${origin}/strategy-call`,
  );
  await expect(opened.getByRole('link', { name: words.dialogs.orEmail })).toHaveAttribute(
    'href',
    `mailto:${words.brand.email}?subject=${encodeURIComponent(dialogTitles.strategyCall)}`,
  );
  await expect(page.locator('iframe')).toHaveCount(0);
  const box = await opened.boundingBox();
  expect(box?.width).toBeLessThanOrEqual(36 * 16);
  expect(box?.height).toBeLessThan(400);
}

test('a calendar that starts to refuse frames is a link in its dialog, and a frame again later', async ({
  page,
  request,
  connected: { thirdParty },
}) => {
  await open(page);
  await expect(welcome(page)).toBeVisible();

  thirdParty.calendarsWill('refuse');
  await sends(request, 'links');
  thirdParty.asked.length = 0;
  await open(page);
  await expectLinks(page, thirdParty.origin);
  await expect(
    strategyCall(page).getByRole('heading', { name: dialogTitles.strategyCall }),
  ).toBeFocused();
  expect(thirdParty.asked).not.toContain('/strategy-call');
  const tab = page.context().waitForEvent('page');
  await strategyCall(page).getByRole('link', { name: words.dialogs.newTab }).click();
  expect((await tab).url()).toBe(`${thirdParty.origin}/strategy-call`);

  thirdParty.calendarsWill('show');
  await sends(request, 'frames');
  await open(page);
  await expect(welcome(page)).toBeVisible();
});

test('a calendar that fails again and again is a link too', async ({
  page,
  request,
  connected: { thirdParty },
}) => {
  thirdParty.calendarsWill('fail');
  await sends(request, 'links');
  await open(page);
  await expectLinks(page, thirdParty.origin);
});

test('axe finds nothing in the dialog without a frame', async ({
  page,
  request,
  connected: { thirdParty },
}) => {
  test.slow();
  thirdParty.calendarsWill('refuse');
  await sends(request, 'links');
  for (const width of [360, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await open(page);
      await expectAccessible(page, `at ${width} px in ${colorScheme} colours`);
    }
  }
});

/** Browsers connect ahead only in a profile that they keep: not in one of a usual test. */
async function keptProfile(baseURL: string) {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-profile-'));
  const context = await chromium.launchPersistentContext(folder, {
    ...(await findBrowser()),
    baseURL,
    viewport: wide,
  });
  const close = async () => {
    await context.close();
    rmSync(folder, { recursive: true });
  };
  return { page: await context.newPage(), close };
}

test('a calendar is connected to when a visitor reaches for it, and asked when it opens', async ({
  connected: { site, thirdParty },
}) => {
  const { page, close } = await keptProfile(site.origin);
  await withoutOptIn(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  thirdParty.asked.length = 0;
  // The code for it comes with the first move, wherever that is.
  const visit = page.waitForResponse(/\/assets\/visit-/);
  await page.mouse.move(300, 700);
  await visit;
  await page.waitForTimeout(500);
  expect(thirdParty.silent.size).toBe(0);

  await getStarted(page).hover();
  await expect.poll(() => thirdParty.silent.size).toBeGreaterThan(0);
  await expect(page.locator('head link[rel=preconnect]')).toHaveAttribute(
    'href',
    thirdParty.origin,
  );
  expect(thirdParty.asked).toEqual([]);
  await getStarted(page).click();
  await expect(welcome(page)).toBeVisible();
  expect(thirdParty.asked).toContain('/strategy-call');
  await close();
});

test('the frame says what it is, and may do little', async ({ page }) => {
  await open(page);
  await expect(welcome(page)).toBeVisible();
  const frame = strategyCall(page).locator('iframe');
  for (const [name, value] of [
    ['title', dialogTitles.strategyCall],
    ['loading', 'lazy'],
    ['referrerpolicy', 'strict-origin-when-cross-origin'],
    ['allow', 'payment'],
  ] as const) {
    await expect(frame).toHaveAttribute(name, value);
  }
  await expect(strategyCall(page).getByText(words.dialogs.loading)).toBeHidden();
  await expect(notice(page)).toBeEmpty();
});

test('while a calendar hangs its place is kept, and after eight seconds the ways on are named', async ({
  page,
  connected: { thirdParty },
}) => {
  test.slow();
  await page.goto('/');
  thirdParty.calendarsWill('hang');
  await page.evaluate(() => {
    Reflect.set(window, 'shifts', 0);
    new PerformanceObserver((list) => {
      Reflect.set(window, 'shifts', Reflect.get(window, 'shifts') + list.getEntries().length);
    }).observe({ type: 'layout-shift' });
  });
  await getStarted(page).click();
  const opened = Date.now();
  await expect(strategyCall(page).getByText(words.dialogs.loading)).toBeVisible();
  const place = await strategyCall(page).boundingBox();
  expect(place?.height).toBeGreaterThan(560);
  await page.waitForTimeout(7000 - (Date.now() - opened));
  await expect(notice(page)).toBeEmpty();
  await expect(notice(page)).toHaveText(words.dialogs.late);
  await expect(notice(page)).toBeInViewport();
  expect(Date.now() - opened).toBeGreaterThan(7500);
  expect(await strategyCall(page).boundingBox()).toEqual(place);
  expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toBe(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `the notice in ${colorScheme} colours`);
  }

  await page.keyboard.press('Escape');
  thirdParty.calendarsWill('show');
  await getStarted(page).click();
  await expect(welcome(page)).toBeVisible();
  await expect(notice(page)).toBeEmpty();
});

test('a calendar that speaks is there, however long its pictures take', async ({
  page,
  connected: { thirdParty },
}) => {
  thirdParty.calendarsWill('talk first');
  await open(page);
  await expect(strategyCall(page).locator('iframe')).toHaveAttribute('data-loaded', '');
  await expect(strategyCall(page).getByText(words.dialogs.loading)).toBeHidden();
});

/** The code that says so comes with the first move: the dialog may be faster. */
for (const [late, when] of [
  [/nothing/, 'at once'],
  [/\/assets\/visit-/, 'as soon as its code is there'],
  [/\/assets\/boot-/, 'to one who was faster than every script'],
] as const) {
  test(`what our own policy stops is said ${when}`, async ({ page, complaints }) => {
    await withoutOptIn(page);
    let letCome = () => {};
    const opened = new Promise<void>((resolve) => {
      letCome = resolve;
    });
    await page.route(late, async (route) => {
      await opened;
      await route.continue();
    });
    await page.route('/', async (route) => {
      const answer = await route.fetch();
      const policy = answer.headers()['content-security-policy'] ?? '';
      const headers = {
        ...answer.headers(),
        'content-security-policy': policy.replace(/frame-src [^;]*/, "frame-src 'none'"),
      };
      await route.fulfill({ response: answer, headers });
    });
    await open(page);
    letCome();
    await expect(notice(page)).toHaveText(words.dialogs.late);
    await expectComplaint(complaints, /frame-src/);
  });
}

test('a calendar that leads to another host is stopped by the browser, and becomes a link', async ({
  page,
  request,
  complaints,
  connected: { thirdParty },
}) => {
  await page.goto('/');
  thirdParty.calendarsWill('lead away');
  await getStarted(page).click();
  await expect(notice(page)).toHaveText(words.dialogs.late);
  await expectComplaint(complaints, /frame-src/);
  await sends(request, 'links');
  await open(page);
  await expectLinks(page, thirdParty.origin);
});

test('Tab goes from the title into the frame and out to the links; Close comes before it', async ({
  page,
}) => {
  await open(page);
  await expect(welcome(page)).toBeVisible();
  const title = strategyCall(page).getByRole('heading', { name: dialogTitles.strategyCall });
  const inside = frameOf(page).getByRole('button', { name: 'Tuesday' });
  await expect(title).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(inside).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(strategyCall(page).getByRole('link', { name: words.dialogs.newTab })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(inside).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  const close = strategyCall(page).getByRole('button', { name: 'Close' });
  await expect(close).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(strategyCall(page)).toBeHidden();
  await expect(page.locator('iframe')).toHaveCount(0);
});

test('on a small screen the dialog takes its height, and the links stay in sight', async ({
  page,
}) => {
  for (const viewport of [narrow, { width: 360, height: 640 }]) {
    await page.setViewportSize(viewport);
    await open(page);
    await expect(welcome(page)).toBeVisible();
    const { x, y, height } = (await strategyCall(page).boundingBox()) ?? {};
    expect([x, y, height]).toEqual([0, 0, viewport.height]);
    const links = strategyCall(page).getByRole('link');
    for (const link of await links.all()) await expect(link).toBeInViewport({ ratio: 1 });
  }
});
