import type { Locator, Page } from '@playwright/test';
import { openDashboard, wide } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce' });

const code = /\/assets\/tooltip-popup-/;

const tooltip = (page: Page) => page.getByRole('tooltip');
const hint = (page: Page, card: string) => page.getByRole('button', { name: `About ${card}` });

/** Waits until the code of a control's tooltip has run, which sets this attribute. */
const expectCodeRan = (control: Locator) => expect(control).toHaveAttribute('data-part', 'trigger');

function recordRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  return requests;
}

/** Holds back the tooltip's code from now on; returns a function that lets it arrive. */
async function holdCode(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(code, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('the first tooltip opens 700 ms after the pointer arrived, although its code came later', async ({
  page,
  site,
}) => {
  const requests = recordRequests(page);
  const release = await holdCode(page);
  await page.clock.install();
  await openDashboard(page, site);
  await page.waitForLoadState('networkidle');
  await page.mouse.move(5, 5);
  await page.clock.pauseAt(Date.now() + 20_000);
  expect(requests.filter((url) => code.test(url))).toEqual([]);

  const requested = page.waitForRequest(code);
  await hint(page, 'Page Views').hover();
  await requested;
  await page.clock.runFor(500);
  release();
  await expectCodeRan(hint(page, 'Page Views'));
  await page.clock.runFor(190);
  await expect(tooltip(page)).toBeHidden();
  await page.clock.runFor(20);
  await expect(tooltip(page)).toBeVisible();
});

test('a tooltip stays closed when the pointer left its control before the code arrived', async ({
  page,
  site,
}) => {
  const release = await holdCode(page);
  await page.clock.install();
  await openDashboard(page, site);
  await page.mouse.move(5, 5);
  await page.clock.pauseAt(Date.now() + 20_000);

  const requested = page.waitForRequest(code);
  await hint(page, 'Page Views').hover();
  await requested;
  await page.mouse.move(5, 5);
  await page.clock.runFor(1_000);
  release();
  await hint(page, 'Revenue').hover();
  // React delays what arrives within 300 ms of a fallback.
  await page.clock.runFor(400);
  await expectCodeRan(hint(page, 'Revenue'));
  await page.clock.runFor(200);
  await expect(tooltip(page)).toBeHidden();
  await page.clock.runFor(200);
  await expect(tooltip(page)).toHaveText(/Sales in USD/);
});

test('a control works when the code of its tooltip cannot be loaded', async ({
  page,
  site,
  consoleErrors,
}) => {
  await page.route(code, (route) => route.abort());
  await openDashboard(page, site);
  const refresh = page.getByRole('button', { name: 'Refresh' });
  await refresh.hover();
  await expectConsoleError(consoleErrors, /ERR_FAILED/);
  await expectConsoleError(consoleErrors, /dynamically imported module/);
  const refreshed = page.waitForResponse(/\/api\/analytics\/dashboard/);
  await refresh.click();
  await refreshed;
  await expect(refresh).toBeFocused();
});

test.describe('with a touch screen', () => {
  test.use({ hasTouch: true });

  test('a tap on a control neither opens its tooltip nor requests the code', async ({
    page,
    site,
  }) => {
    const requests = recordRequests(page);
    await page.clock.install();
    await openDashboard(page, site);
    const refresh = page.getByRole('button', { name: 'Refresh' });
    await refresh.tap();
    await expect(refresh).toBeFocused();
    await page.clock.runFor(2_000);
    await expect(tooltip(page)).toBeHidden();
    expect(requests.filter((url) => code.test(url))).toEqual([]);
  });
});

test('a tooltip opens after a delay on hover, and the next one at once', async ({ page, site }) => {
  await page.clock.install();
  await openDashboard(page, site);
  await page.mouse.move(5, 5);
  await page.clock.pauseAt(Date.now() + 20_000);

  await hint(page, 'Page Views').hover();
  await page.clock.runFor(600);
  await expectCodeRan(hint(page, 'Page Views'));
  await expect(tooltip(page)).toBeHidden();
  await page.clock.runFor(200);
  await expect(tooltip(page)).toBeVisible();

  await page.keyboard.press('Escape');
  await page.clock.runFor(50);
  await expect(tooltip(page)).toBeHidden();
  await hint(page, 'Revenue').hover();
  await page.clock.runFor(60);
  await expect(tooltip(page)).toBeVisible();

  await test.step('a tooltip closes when the page scrolls away from the pointer', async () => {
    await page.clock.resume();
    await page.keyboard.press('Escape');
    await expect(tooltip(page)).toBeHidden();
    await page.setViewportSize({ ...wide, height: 400 });
    await hint(page, 'Page Views').hover();
    await expect(tooltip(page)).toBeVisible();
    await page.mouse.wheel(0, 600);
    await expect(tooltip(page)).toBeHidden();
  });
});

test('a tooltip opens on keyboard focus', async ({ page, site }) => {
  await page.clock.install();
  await openDashboard(page, site);
  await test.step('the first focus opens a tooltip, whose code takes no focus away', async () => {
    const refresh = page.getByRole('button', { name: 'Refresh' });
    await page.getByRole('radio', { name: 'Last 30 days' }).focus();
    await page.keyboard.press('Tab');
    await expect(tooltip(page)).toHaveText(/refresh automatically/);
    await expect(refresh).toBeFocused();
    await expect(refresh).toHaveAccessibleDescription(/refresh automatically/);
    await page.keyboard.press('Escape');
    await expect(tooltip(page)).toBeHidden();
  });

  await test.step('Tab opens a tooltip, and Esc closes it', async () => {
    await hint(page, 'Revenue').focus();
    await page.keyboard.press('Shift+Tab');
    await expect(hint(page, 'Revenue')).not.toBeFocused();
    await expect(tooltip(page)).toBeHidden();
    await page.keyboard.press('Tab');
    await expect(hint(page, 'Revenue')).toBeFocused();
    await expect(tooltip(page)).toHaveText(/Sales in USD/);
    await expect(hint(page, 'Revenue')).toHaveAccessibleDescription(/Sales in USD/);
    await page.keyboard.press('Escape');
    await expect(tooltip(page)).toBeHidden();
    await expect(hint(page, 'Revenue')).toBeFocused();
  });

  await test.step('a tooltip is never visible away from its control', async () => {
    expect(await misplacedFrames(page)).toEqual([]);
    await expect(tooltip(page)).toHaveText(/Sales in USD/);
  });

  await test.step('a tooltip stays open when the page scrolls to its control', async () => {
    await page.keyboard.press('Escape');
    await page.setViewportSize({ ...wide, height: 400 });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(hint(page, 'Revenue')).not.toBeInViewport();
    await page.clock.pauseAt(Date.now() + 20_000);
    await focusByKeyboard(page);
    await page.clock.runFor(500);
    await expect(hint(page, 'Revenue')).toBeInViewport();
    await expect(tooltip(page)).toHaveText(/Sales in USD/);
  });
});

/** Simulates keyboard focus on the control, and waits until the browser has scrolled to it. */
const focusByKeyboard = (page: Page) =>
  hint(page, 'Revenue').evaluate((button: HTMLElement) => {
    const scrolled = new Promise((resolve) =>
      document.addEventListener('scroll', resolve, { once: true }),
    );
    button.blur();
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));
    button.focus();
    return scrolled;
  });

/** Positions of the tooltip in its first ten frames that are on screen but not at its control. */
const misplacedFrames = (page: Page) =>
  hint(page, 'Revenue').evaluate(async (button: HTMLElement) => {
    button.blur();
    const opened = new Promise<DOMRect[]>((resolve) => {
      const positions: DOMRect[] = [];
      const record = () => {
        const bubble = document.querySelector('[role=tooltip]:not([hidden])');
        if (bubble) positions.push(bubble.getBoundingClientRect());
        if (positions.length < 10) requestAnimationFrame(record);
        else resolve(positions);
      };
      new MutationObserver(record).observe(document.body, { subtree: true, attributes: true });
    });
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));
    button.focus();
    const control = button.getBoundingClientRect();
    const isNear = ({ left, right }: DOMRect) => left < control.right && right > control.left;
    return (await opened).filter((position) => position.bottom > 0 && !isNear(position));
  });
