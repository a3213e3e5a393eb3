import type { Page } from '@playwright/test';
import { openDashboard, wide } from './screens.ts';
import { expect, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce' });

const tooltip = (page: Page) => page.getByRole('tooltip');
const hint = (page: Page, card: string) => page.getByRole('button', { name: `About ${card}` });

test.describe('with a touch screen', () => {
  test.use({ hasTouch: true });

  test('a tap on a control does not open its tooltip', async ({ page, site }) => {
    await page.clock.install();
    await openDashboard(page, site);
    const refresh = page.getByRole('button', { name: 'Refresh' });
    await refresh.tap();
    await expect(refresh).toBeFocused();
    await page.clock.runFor(2_000);
    await expect(tooltip(page)).toBeHidden();
  });
});

test('a tooltip opens after a delay on hover, and the next one at once', async ({ page, site }) => {
  await page.clock.install();
  await openDashboard(page, site);
  await page.mouse.move(5, 5);
  await page.clock.pauseAt(Date.now() + 20_000);

  await hint(page, 'Page Views').hover();
  await page.clock.runFor(600);
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
  await test.step('the first focus opens a tooltip', async () => {
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
