/** What a visitor sees of a calendar that works, hangs, is stopped, or does not let itself be framed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { expectAccessibleInBothSchemes, expectAccessibleOnAllScreens } from './axe.ts';
import { findBrowser, installedBrowser } from './browser.ts';
import { test } from './connected-site.ts';
import { hasRun, openAndMove } from './landing.ts';
import { banner, dialog, dialogTitles, narrow, wide } from './screens.ts';
import { expect, expectComplaint } from './site.ts';

test.use({ viewport: wide });

const getStarted = (page: Page) => banner(page).getByRole('button', { name: 'Get Started' });
const strategyCall = (page: Page) => dialog(page, 'strategyCall');
const frameOf = (page: Page) => strategyCall(page).frameLocator('iframe');
const welcome = (page: Page) => frameOf(page).getByRole('heading', { name: 'Welcome to /' });
const notice = (page: Page) => strategyCall(page).getByRole('status');

async function open(page: Page, address = '/') {
  await page.goto(address);
  await getStarted(page).click();
  await expect(strategyCall(page)).toBeVisible();
}

test.afterEach(({ connected: { thirdParty } }) => thirdParty.calendarsWill('show'));

/** Keeps the opt-in script out of it: it comes from the same server. */
const withoutOptIn = (page: Page) =>
  page.route('**/opt-in.js', (route) => route.fulfill({ contentType: 'text/javascript' }));

/** Expects the dialog in words, with ways to a time that need no frame. */
async function expectLinks(
  page: Page,
  { name, address }: { name: keyof typeof dialogTitles; address: string },
) {
  const opened = dialog(page, name);
  await expect(opened.getByText(words.dialogs.unframed)).toBeVisible();
  await expect(opened.getByRole('link', { name: words.dialogs.newTab })).toHaveAttribute(
    'href',
    address,
  );
  await expect(opened.getByRole('link', { name: words.dialogs.orEmail })).toHaveAttribute(
    'href',
    `mailto:${words.brand.email}?subject=${encodeURIComponent(dialogTitles[name])}`,
  );
  await expect(page.locator('iframe')).toHaveCount(0);
  const box = await opened.boundingBox();
  expect(box?.width).toBeLessThanOrEqual(36 * 16);
  expect(box?.height).toBeLessThan(400);
}

test('calendars that cannot be framed when the server checks them are links in their dialogs', async ({
  page,
  request,
  connected: { thirdParty, startAnother },
}) => {
  thirdParty.calendarsWill('refuse', 'lead away');
  const { site, stop } = await startAnother();
  const frames = async () =>
    (await (await request.get(site.origin)).text()).split('<iframe').length - 1;
  // Of two instances each checks for itself.
  await expect.poll(async () => [await frames(), await frames()]).toEqual([0, 0]);

  await test.step('one that refuses frames', async () => {
    thirdParty.asked.length = 0;
    await open(page, site.origin);
    const address = `${thirdParty.origin}/strategy-call`;
    await expectLinks(page, { name: 'strategyCall', address });
    await expect(
      strategyCall(page).getByRole('heading', { name: dialogTitles.strategyCall }),
    ).toBeFocused();
    await expectAccessibleOnAllScreens(page, 'the dialog without a frame');
    expect(thirdParty.asked).not.toContain('/strategy-call');
    thirdParty.calendarsWill('show');
    const tab = page.context().waitForEvent('page');
    await strategyCall(page).getByRole('link', { name: words.dialogs.newTab }).click();
    expect((await tab).url()).toBe(address);
    await page.keyboard.press('Escape');
  });

  await test.step('one that leads to another host', async () => {
    await page.getByRole('button', { name: words.assessment.review.action }).click();
    await expectLinks(page, { name: 'inboxReview', address: `${thirdParty.origin}/inbox-review` });
  });
  await stop();
});

/** Browsers connect ahead only in a profile that they keep: not in one of a usual test. */
async function keptProfile(baseURL: string, executablePath: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-profile-'));
  const context = await chromium.launchPersistentContext(folder, {
    ...(await findBrowser()),
    ...(executablePath && { executablePath }),
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
  const whole = installedBrowser();
  const { page, close } = await keptProfile(site.origin, whole);
  await withoutOptIn(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  thirdParty.asked.length = 0;
  // The code for it comes with the first move, wherever that is.
  const visit = page.waitForResponse(/\/assets\/visit-/);
  await page.mouse.move(300, 700);
  await hasRun(page, visit);
  await expect(page.locator('head link[rel=preconnect]')).toHaveCount(0);
  expect(thirdParty.silent.size).toBe(0);

  await getStarted(page).hover();
  await expect(page.locator('head link[rel=preconnect]')).toHaveAttribute(
    'href',
    thirdParty.origin,
  );
  // A headless shell never connects ahead.
  if (whole) await expect.poll(() => thirdParty.silent.size).toBeGreaterThan(0);
  expect(thirdParty.asked).toEqual([]);
  await getStarted(page).click();
  await expect(welcome(page)).toBeVisible();
  expect(thirdParty.asked).toContain('/strategy-call');
  await close();
});

test('while a calendar hangs its place is kept, and after eight seconds the ways on are named', async ({
  page,
  connected: { thirdParty },
}) => {
  await page.clock.install();
  await openAndMove(page);
  thirdParty.calendarsWill('hang');
  await page.evaluate(() => {
    Reflect.set(window, 'shifts', 0);
    new PerformanceObserver((list) => {
      Reflect.set(window, 'shifts', Reflect.get(window, 'shifts') + list.getEntries().length);
    }).observe({ type: 'layout-shift' });
  });
  await page.clock.pauseAt(Date.now() + 60_000);
  await getStarted(page).click();
  await expect(strategyCall(page).getByText(words.dialogs.loading)).toBeVisible();
  const place = await strategyCall(page).boundingBox();
  expect(place?.height).toBeGreaterThan(560);
  await page.clock.runFor(7900);
  await expect(notice(page)).toBeEmpty();
  await page.clock.resume();
  await expect(notice(page)).toHaveText(words.dialogs.late);
  await expect(notice(page)).toBeInViewport();
  expect(await strategyCall(page).boundingBox()).toEqual(place);
  expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toBe(0);
  await expectAccessibleInBothSchemes(page, 'the notice');

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

test('a calendar that leads to another host is stopped by the browser', async ({
  page,
  complaints,
  connected: { thirdParty },
}) => {
  await page.goto('/');
  thirdParty.calendarsWill('lead away');
  await getStarted(page).click();
  await expect(notice(page)).toHaveText(words.dialogs.late);
  await expectComplaint(complaints, /frame-src/);
});

test('the dialog of a calendar that works', async ({ page }) => {
  await open(page);
  await expect(welcome(page)).toBeVisible();

  await test.step('the frame says what it is, and may do little', async () => {
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

  await test.step('Tab goes from the title into the frame and out to the links; Close comes before it', async () => {
    const title = strategyCall(page).getByRole('heading', { name: dialogTitles.strategyCall });
    const inside = frameOf(page).getByRole('button', { name: 'Tuesday' });
    await expect(title).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(inside).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(
      strategyCall(page).getByRole('link', { name: words.dialogs.newTab }),
    ).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(inside).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    const close = strategyCall(page).getByRole('button', { name: 'Close' });
    await expect(close).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(strategyCall(page)).toBeHidden();
    await expect(page.locator('iframe')).toHaveCount(0);
  });

  await test.step('on a small screen the dialog takes its height, and the links stay in sight', async () => {
    await getStarted(page).click();
    for (const viewport of [narrow, { width: 360, height: 640 }]) {
      await page.setViewportSize(viewport);
      await expect(welcome(page)).toBeVisible();
      const { x, y, height } = (await strategyCall(page).boundingBox()) ?? {};
      expect([x, y, height]).toEqual([0, 0, viewport.height]);
      const links = strategyCall(page).getByRole('link');
      for (const link of await links.all()) await expect(link).toBeInViewport({ ratio: 1 });
    }
  });
});
