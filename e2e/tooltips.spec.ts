import type { Page } from '@playwright/test';
import { openDashboard, wide } from './screens.ts';
import { expect, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce' });

const tooltip = (page: Page) => page.getByRole('tooltip');
const hint = (page: Page, card: string) => page.getByRole('button', { name: `About ${card}` });

test('a tooltip opens after the pointer has rested, and the next one at once', async ({
  page,
  site,
}) => {
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

  await test.step('it closes when the page scrolls away from the pointer', async () => {
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

test('a tooltip opens for the keyboard', async ({ page, site }) => {
  await page.clock.install();
  await openDashboard(page, site);
  await test.step('Tab opens it, and Esc closes it', async () => {
    await hint(page, 'Revenue').focus();
    await page.keyboard.press('Shift+Tab');
    await expect(hint(page, 'Revenue')).not.toBeFocused();
    await expect(tooltip(page)).toBeHidden();
    await page.keyboard.press('Tab');
    await expect(hint(page, 'Revenue')).toBeFocused();
    await expect(tooltip(page)).toHaveText(/US dollars/);
    await expect(hint(page, 'Revenue')).toHaveAccessibleDescription(/US dollars/);
    await page.keyboard.press('Escape');
    await expect(tooltip(page)).toBeHidden();
    await expect(hint(page, 'Revenue')).toBeFocused();
  });

  await test.step('it is visible only at its place', async () => {
    expect(await placesElsewhere(page)).toEqual([]);
    await expect(tooltip(page)).toHaveText(/US dollars/);
  });

  await test.step('it stays when the page scrolls to its control', async () => {
    await page.keyboard.press('Escape');
    await page.setViewportSize({ ...wide, height: 400 });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(hint(page, 'Revenue')).not.toBeInViewport();
    await page.clock.pauseAt(Date.now() + 20_000);
    await focusByKeyboard(page);
    await page.clock.runFor(500);
    await expect(hint(page, 'Revenue')).toBeInViewport();
    await expect(tooltip(page)).toHaveText(/US dollars/);
  });
});

/** Focuses the control as Tab does, and waits until the browser has scrolled to it. */
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

/** The places of the first ten frames in which the tooltip is on the screen but not at its control. */
const placesElsewhere = (page: Page) =>
  hint(page, 'Revenue').evaluate(async (button: HTMLElement) => {
    button.blur();
    const opened = new Promise<DOMRect[]>((resolve) => {
      const places: DOMRect[] = [];
      const look = () => {
        const bubble = document.querySelector('[role=tooltip]:not([hidden])');
        if (bubble) places.push(bubble.getBoundingClientRect());
        if (places.length < 10) requestAnimationFrame(look);
        else resolve(places);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, attributes: true });
    });
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));
    button.focus();
    const near = button.getBoundingClientRect();
    const isNear = ({ left, right }: DOMRect) => left < near.right && right > near.left;
    return (await opened).filter((place) => place.bottom > 0 && !isNear(place));
  });
