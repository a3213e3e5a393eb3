import type { Page } from '@playwright/test';
import { openDashboard, wide } from './screens.ts';
import { expect, test } from './site.ts';

test.use({ viewport: wide });

const tooltip = (page: Page) => page.getByRole('tooltip');
const hint = (page: Page, card: string) => page.getByRole('button', { name: `About ${card}` });

test.beforeEach(async ({ page, site }) => {
  await page.clock.install();
  await openDashboard(page, site);
  await page.mouse.move(5, 5);
  await page.clock.pauseAt(Date.now() + 20_000);
});

test('a tooltip opens after the pointer has rested for 700 ms', async ({ page }) => {
  await hint(page, 'Page Views').hover();
  await page.clock.runFor(690);
  await expect(tooltip(page)).toBeHidden();
  await page.clock.runFor(20);
  await expect(tooltip(page)).toBeVisible();
});

for (const [wait, outcome] of [
  [200, 'opens at once'],
  [400, 'has to be waited for again'],
] as const) {
  test(`${wait} ms after one closed, the next ${outcome}`, async ({ page }) => {
    await hint(page, 'Page Views').hover();
    await page.clock.runFor(800);
    await expect(tooltip(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.clock.runFor(50);
    await expect(tooltip(page)).toBeHidden();
    await page.mouse.move(5, 5);
    await page.clock.runFor(wait);
    await hint(page, 'Revenue').hover();
    await page.clock.runFor(60);
    await expect(tooltip(page)).toBeVisible({ visible: wait < 300 });
    await page.clock.runFor(800);
    await expect(tooltip(page)).toBeVisible();
  });
}

test('the keyboard opens it, and Esc closes it', async ({ page }) => {
  await page.clock.resume();
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(hint(page, 'Revenue')).toBeFocused({ timeout: 100 });
  }).toPass({ intervals: [0] });
  await expect(tooltip(page)).toHaveText(/US dollars/);
  await expect(hint(page, 'Revenue')).toHaveAccessibleDescription(/US dollars/);
  await page.keyboard.press('Escape');
  await expect(tooltip(page)).toBeHidden();
  await expect(hint(page, 'Revenue')).toBeFocused();
});

test('it is seen nowhere before it is in its place', async ({ page }) => {
  await page.clock.resume();
  const seen = await hint(page, 'Revenue').evaluate(async (button) => {
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
    (button as HTMLElement).focus();
    const near = button.getBoundingClientRect();
    const isNear = ({ left, right }: DOMRect) => left < near.right && right > near.left;
    return (await opened).filter((place) => place.bottom > 0 && !isNear(place));
  });
  expect(seen).toEqual([]);
  await expect(tooltip(page)).toHaveText(/US dollars/);
});

test('it stays when the page scrolls to what the keyboard reached, and goes with what the pointer left', async ({
  page,
}) => {
  await page.clock.resume();
  await page.setViewportSize({ ...wide, height: 400 });
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await hint(page, 'Revenue').evaluate((button) => {
    // As the keyboard does: the browser scrolls what has the focus into sight.
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));
    (button as HTMLElement).focus();
  });
  await expect(hint(page, 'Revenue')).toBeInViewport();
  await page.waitForTimeout(500);
  await expect(tooltip(page)).toHaveText(/US dollars/);
  await page.keyboard.press('Escape');

  await hint(page, 'Page Views').hover();
  await expect(tooltip(page)).toBeVisible();
  await page.mouse.wheel(0, 600);
  await expect(tooltip(page)).toBeHidden();
});
