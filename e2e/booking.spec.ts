/** Booking dialogs with a calendar that works, hangs, is blocked, or forbids framing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './axe.ts';
import { findBrowser, installedBrowser } from './browser.ts';
import { config } from './config.ts';
import { test, withoutOptIn } from './connected-site.ts';
import { evaluated, openAndInteract, openBooted } from './landing.ts';
import { banner, dialog, dialogTitles, narrow, wide } from './screens.ts';
import { expect, expectConsoleError } from './site.ts';

test.use({ viewport: wide });

const getStarted = (page: Page) => banner(page).getByRole('button', { name: 'Get Started' });
const strategyCall = (page: Page) => dialog(page, 'strategyCall');
const frameOf = (page: Page) => strategyCall(page).frameLocator('iframe');
const welcome = (page: Page) => frameOf(page).getByRole('heading', { name: 'Welcome to /' });
const notice = (page: Page) => strategyCall(page).getByRole('status');

async function open(page: Page, url = '/') {
  await page.goto(url);
  await getStarted(page).click();
  await expect(strategyCall(page)).toBeVisible();
}

test.afterEach(({ connected: { thirdParty } }) => thirdParty.setCalendars('load'));

test('a calendar that forbids framing leaves its link and the email below the frame', async ({
  page,
  consoleErrors,
  connected: { thirdParty },
}) => {
  await withoutOptIn(page);
  thirdParty.setCalendars('forbid');
  await open(page);
  const link = strategyCall(page).getByRole('link', { name: config.dialogs.newTab });
  await expectConsoleError(consoleErrors, /X-Frame-Options/);
  await expect(link).toBeInViewport({ ratio: 1 });
  await expect(
    strategyCall(page).getByRole('link', { name: config.dialogs.orEmail }),
  ).toBeInViewport({ ratio: 1 });
  const tab = page.context().waitForEvent('page');
  await link.click();
  await expect(await tab).toHaveURL(`${thirdParty.origin}/strategy-call`);
});

test('a calendar whose webhook counts the calls gets the source and the button of the visit', async ({
  page,
  connected: { thirdParty, startAnother },
}) => {
  await withoutOptIn(page);
  const { site, stop } = await startAnother({ CAL_WEBHOOK_SECRET: '8d2f61c0b7e94a35' });
  const url = `${site.origin}/?utm_source=newsletter&utm_medium=email`;
  const query = new URLSearchParams({
    'metadata[utm_source]': 'newsletter',
    'metadata[utm_medium]': 'email',
    'metadata[utm_content]': 'header',
  });
  await test.step('the first request of its frame has them', async () => {
    await openAndInteract(page, url);
    thirdParty.requested.length = 0;
    await getStarted(page).click();
    await expect(welcome(page)).toBeVisible();
    expect(thirdParty.requested).toEqual([`/strategy-call?${query}`]);
  });

  await test.step('a frame that is loading when the visit’s code arrives gets them, without an entry in the history', async () => {
    await openBooted(page, url);
    const entries = await page.evaluate(() => history.length);
    // Only the address without them hangs.
    thirdParty.setCalendars('hang');
    await getStarted(page).click();
    await expect(welcome(page)).toBeVisible();
    expect(thirdParty.requested.at(-1)).toBe(`/strategy-call?${query}`);
    expect(await page.evaluate(() => history.length)).toBe(entries);
  });

  await expect(
    strategyCall(page).getByRole('link', { name: config.dialogs.newTab }),
  ).toHaveAttribute('href', `${thirdParty.origin}/strategy-call?${query}`);
  await page.close();
  await stop();
});

/** A page in a persistent profile, since browsers do not preconnect in the ephemeral profile of a test. */
async function openPersistentProfile(baseURL: string, executablePath: string | undefined) {
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

test('the page preconnects to a calendar on hover and requests it when its dialog opens', async ({
  connected: { site, thirdParty },
}) => {
  const fullBrowser = installedBrowser();
  const { page, close } = await openPersistentProfile(site.origin, fullBrowser);
  await withoutOptIn(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  thirdParty.requested.length = 0;
  // The preconnect code is loaded on the first interaction.
  const visit = page.waitForResponse(/\/assets\/visit-/);
  await page.mouse.move(300, 700);
  await evaluated(page, visit);
  await expect(page.locator('head link[rel=preconnect]')).toHaveCount(0);
  await expect.poll(() => thirdParty.idle.size).toBe(0);

  await getStarted(page).hover();
  await expect(page.locator('head link[rel=preconnect]')).toHaveAttribute(
    'href',
    thirdParty.origin,
  );
  // A headless shell does not preconnect.
  if (fullBrowser) await expect.poll(() => thirdParty.idle.size).toBeGreaterThan(0);
  expect(thirdParty.requested).toEqual([]);
  await getStarted(page).click();
  await expect(welcome(page)).toBeVisible();
  expect(thirdParty.requested).toContain('/strategy-call');
  await close();
});

test('a calendar that hangs keeps its space, and a notice appears after eight seconds', async ({
  page,
  connected: { thirdParty },
}) => {
  await withoutOptIn(page);
  await page.clock.install();
  await openAndInteract(page);
  thirdParty.setCalendars('hang');
  await page.evaluate(() => {
    Reflect.set(window, 'shifts', 0);
    new PerformanceObserver((list) => {
      Reflect.set(window, 'shifts', Reflect.get(window, 'shifts') + list.getEntries().length);
    }).observe({ type: 'layout-shift' });
  });
  await page.clock.pauseAt(Date.now() + 60_000);
  await getStarted(page).click();
  await expect(strategyCall(page).getByText(config.dialogs.loading)).toBeVisible();
  const box = await strategyCall(page).boundingBox();
  expect(box?.height).toBeGreaterThan(560);
  await page.clock.runFor(7900);
  await expect(notice(page)).toBeEmpty();
  await page.clock.resume();
  await expect(notice(page)).toHaveText(config.dialogs.late);
  await expect(notice(page)).toBeInViewport();
  expect(await strategyCall(page).boundingBox()).toEqual(box);
  expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toBe(0);
  await expectAccessibleInBothSchemes(page, 'the notice');

  await page.keyboard.press('Escape');
  thirdParty.setCalendars('load');
  await getStarted(page).click();
  await expect(welcome(page)).toBeVisible();
  await expect(notice(page)).toBeEmpty();
});

test('a calendar that sends a message counts as loaded before its images have loaded', async ({
  page,
  connected: { thirdParty },
}) => {
  thirdParty.setCalendars('message first');
  await open(page);
  await expect(strategyCall(page).locator('iframe')).toHaveAttribute('data-loaded', '');
  await expect(strategyCall(page).getByText(config.dialogs.loading)).toBeHidden();
});

/** The notice's code is loaded on the first interaction, possibly after the frame was blocked. */
for (const [delayed, when] of [
  [/nothing/, 'at once'],
  [/\/assets\/visit-/, 'once its code has loaded'],
  [/\/assets\/boot-/, 'when the dialog opens before every script'],
] as const) {
  test(`the notice about a blocked calendar appears ${when}`, async ({ page, consoleErrors }) => {
    await withoutOptIn(page);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(delayed, async (route) => {
      await released;
      await route.continue();
    });
    await page.route('/', async (route) => {
      // The dialog asks for the network by HEAD.
      if (route.request().method() === 'HEAD') return route.continue();
      const response = await route.fetch();
      const policy = response.headers()['content-security-policy'] ?? '';
      const headers = {
        ...response.headers(),
        'content-security-policy': policy.replace(/frame-src [^;]*/, "frame-src 'none'"),
      };
      await route.fulfill({ response, headers });
    });
    await open(page);
    release();
    await expect(notice(page)).toHaveText(config.dialogs.late);
    await expectConsoleError(consoleErrors, /frame-src/);
  });
}

test('the browser blocks a calendar that redirects to another host', async ({
  page,
  consoleErrors,
  connected: { thirdParty },
}) => {
  await page.goto('/');
  thirdParty.setCalendars('redirect');
  await getStarted(page).click();
  await expect(notice(page)).toHaveText(config.dialogs.late);
  await expectConsoleError(consoleErrors, /frame-src/);
});

test('the dialog of a working calendar', async ({ page }) => {
  await open(page);
  await expect(welcome(page)).toBeVisible();

  await test.step('the frame has a title and few permissions', async () => {
    const frame = strategyCall(page).locator('iframe');
    for (const [name, value] of [
      ['title', dialogTitles.strategyCall],
      ['loading', 'lazy'],
      ['referrerpolicy', 'strict-origin-when-cross-origin'],
      ['allow', 'payment'],
    ] as const) {
      await expect(frame).toHaveAttribute(name, value);
    }
    await expect(strategyCall(page).getByText(config.dialogs.loading)).toBeHidden();
    await expect(notice(page)).toBeEmpty();
  });

  await test.step('Tab moves from the title through the frame to the links, and Close is before the frame', async () => {
    const title = strategyCall(page).getByRole('heading', { name: dialogTitles.strategyCall });
    const inside = frameOf(page).getByRole('button', { name: 'Tuesday' });
    await expect(title).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(inside).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(
      strategyCall(page).getByRole('link', { name: config.dialogs.newTab }),
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

  await test.step('on a small screen the dialog fills the height and its links stay visible', async () => {
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
