/** Accessibility rules, run in the page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Page, test } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { expect } from './site.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules whose results depend on colors. Targets need an edge that is seen. */
const ofColors = ['color-contrast', 'target-size'];

/** Expects that axe finds nothing on the page as it is now. */
export async function expectAccessible(page: Page, state: string, rules = all): Promise<void> {
  // Animations are finished rather than waited for: a browser on a busy machine may paint nothing for a
  // minute.
  await page.evaluate(async () => {
    // A change of the colors or of the size applies with a frame, and may start animations.
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    for (const animation of moving) animation.finish();
    return Promise.all(moving.map(({ finished }) => finished.catch(() => {})));
  });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults, RunOptions>(
    (options) => Reflect.get(window, 'axe').run(document, options),
    {
      runOnly: rules,
      resultTypes: ['violations'],
      // What another company's calendar is like is not ours; one that hangs would be waited for.
      iframes: false,
    },
  );
  const findings = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
  expect(findings, state).toEqual([]);
}

/** Expects that axe finds nothing in light colors, and nothing that depends on colors in dark ones. */
export async function expectAccessibleInBothSchemes(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, `${state}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, `${state}, dark`, ofColors);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Expects the same on a small and on a large screen. The page stays as large as it is. */
export async function expectAccessibleOnAllScreens(page: Page, state: string): Promise<void> {
  const before = page.viewportSize();
  for (const width of [360, 1280]) {
    await test.step(`axe finds nothing: ${state}, ${width} px`, async () => {
      await page.setViewportSize({ width, height: 800 });
      await expectAccessibleInBothSchemes(page, `${state}, ${width} px`);
    });
  }
  if (before) await page.setViewportSize(before);
}
