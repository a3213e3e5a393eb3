/** Where things are on the landing page. */
import type { Page, Response } from '@playwright/test';
import { expect } from './site.ts';

/** Waits until the page has come to rest, and returns how far it is scrolled. */
export const restingScroll = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let last = Number.NaN;
        let still = 0;
        const look = () => {
          still = scrollY === last ? still + 1 : 0;
          last = scrollY;
          if (still > 15) resolve(scrollY);
          else requestAnimationFrame(look);
        };
        look();
      }),
  );

/** Expects the page to come to rest with the top of `#id` 80 px below the window's. */
export async function expectAtOffset(page: Page, id: string): Promise<void> {
  await expect(async () => {
    await restingScroll(page);
    const top = await page.locator(`#${id}`).evaluate((el) => el.getBoundingClientRect().top);
    expect(Math.abs(top - 80), `#${id} is at ${top} px`).toBeLessThanOrEqual(1);
  }).toPass({ timeout: 10_000 });
}

/** Resolves when the browser has run what this answer brought. */
export const hasRun = async (page: Page, script: Promise<Response>) =>
  page.evaluate((url) => import(url), (await script).url());

/** Opens `/`; answers when its boot script has run: from then on a form is not sent without script. */
export async function openBooted(page: Page): Promise<void> {
  const boot = page.waitForResponse(/\/assets\/boot-/);
  await page.goto('/');
  await hasRun(page, boot);
}

/** Opens `/` and moves the mouse; answers when the page does for a visitor all that it will. */
export async function openAndMove(page: Page): Promise<void> {
  await openBooted(page);
  const visit = page.waitForResponse(/\/assets\/visit-/);
  await page.mouse.move(300, 300);
  await hasRun(page, visit);
}

/** Expects that nothing reaches beyond the window's right edge. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect(content).toBeLessThanOrEqual(window);
}
