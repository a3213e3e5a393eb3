/** Helpers for the landing page: loading, scroll position and overflow. */
import type { Page, Response } from '@playwright/test';
import { expect } from './site.ts';

/** Waits until the page has stopped scrolling; returns its scroll position in px. */
export const restingScroll = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let last = Number.NaN;
        let unchangedFrames = 0;
        const check = () => {
          unchangedFrames = scrollY === last ? unchangedFrames + 1 : 0;
          last = scrollY;
          if (unchangedFrames > 15) resolve(scrollY);
          else requestAnimationFrame(check);
        };
        check();
      }),
  );

/** Expects the page to stop scrolling with `#id` 80 px below the top of the window. */
export async function expectAtOffset(page: Page, id: string): Promise<void> {
  await expect(async () => {
    await restingScroll(page);
    const top = await page.locator(`#${id}`).evaluate((el) => el.getBoundingClientRect().top);
    expect(Math.abs(top - 80), `#${id} is at ${top} px`).toBeLessThanOrEqual(1);
  }).toPass({ timeout: 10_000 });
}

/** Resolves when the page has evaluated the module in this response. */
export const evaluated = async (page: Page, script: Promise<Response>) =>
  page.evaluate((url) => import(url), (await script).url());

/** Opens a page and waits until its boot script has run, after which forms are not submitted natively. */
export async function openBooted(page: Page, path = '/'): Promise<void> {
  const boot = page.waitForResponse(/\/assets\/boot-/);
  await page.goto(path);
  await evaluated(page, boot);
}

/** Opens a page, moves the mouse and waits until all scripts for an interacting visitor have run. */
export async function openAndInteract(page: Page, path = '/'): Promise<void> {
  await openBooted(page, path);
  const visit = page.waitForResponse(/\/assets\/visit-/);
  await page.mouse.move(300, 300);
  await evaluated(page, visit);
}

/** Expects that the page does not scroll horizontally. */
export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect(content).toBeLessThanOrEqual(window);
}
