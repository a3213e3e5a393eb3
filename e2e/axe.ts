/** Accessibility checks with axe. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Page, test } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { expect } from './site.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules whose results depend on colors; a target's size includes its visible border. */
const colorRules = ['color-contrast', 'target-size'];

/** Expects no axe violations in the page's current state. */
export async function expectAccessible(page: Page, state: string, rules = all): Promise<void> {
  // Finish animations instead of waiting: on a busy machine the browser may not paint for a minute.
  await page.evaluate(async () => {
    // A change of color scheme or viewport applies in the next frame and may start animations.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const finite = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    for (const animation of finite) animation.finish();
    return Promise.all(finite.map(({ finished }) => finished.catch(() => {})));
  });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults, RunOptions>(
    (options) => Reflect.get(window, 'axe').run(document, options),
    {
      runOnly: rules,
      resultTypes: ['violations'],
      // Third-party calendars are out of scope, and axe would wait for one that hangs.
      iframes: false,
    },
  );
  const failures = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
  expect(failures, state).toEqual([]);
}

/** Expects no axe violations in light mode, and none of the color rules in dark mode. */
export async function expectAccessibleInBothSchemes(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, `${state}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, `${state}, dark`, colorRules);
  await page.emulateMedia({ colorScheme: 'light' });
}

type Scheme = 'light' | 'dark';
const both: readonly Scheme[] = ['light', 'dark'];

/** Each width and each scheme once; with TEST_LONG each scheme at each width. */
const screens: readonly { width: number; schemes: readonly Scheme[] }[] = process.env.TEST_LONG
  ? [360, 1280].map((width) => ({ width, schemes: both }))
  : [
      { width: 360, schemes: ['light'] },
      { width: 1280, schemes: ['dark'] },
    ];

/** Expects no axe violations on a small and a large screen, then restores the viewport and light mode. */
export async function expectAccessibleOnAllScreens(page: Page, state: string): Promise<void> {
  const before = page.viewportSize();
  for (const { width, schemes } of screens) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
      await test.step(`axe reports no violations: ${state}, ${width} px, ${colorScheme}`, async () => {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page, `${state}, ${width} px, ${colorScheme}`);
      });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
}
