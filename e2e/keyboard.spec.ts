import { narrow, wide } from './screens.ts';
import { expect, test } from './site.ts';

for (const viewport of [wide, narrow]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport, reducedMotion: 'reduce' });

    test('Tab reaches every control of the page, and none of them is covered', async ({ page }) => {
      await page.goto('/');
      const hidden: string[] = [];
      let reached = 0;
      for (; reached < 80; reached++) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(() => {
          // Reduced motion leaves transitions of a few frames.
          for (const animation of document.getAnimations()) animation.finish();
          const el = document.activeElement;
          if (!el || el === document.body) return undefined;
          const { left, right, top, bottom } = el.getBoundingClientRect();
          const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          const name = el.textContent?.trim() ?? '';
          return { name, isVisible: hit !== null && (el.contains(hit) || hit.contains(el)) };
        });
        if (!focused) break;
        if (!focused.isVisible) hidden.push(focused.name);
      }
      expect(hidden).toEqual([]);
      expect(reached).toBeGreaterThan(25);
      expect(reached).toBeLessThan(80);
    });
  });
}

test('at 400% zoom the header covers at most a quarter of the window', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto('/');
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300);
  const box = await page.getByRole('banner').boundingBox();
  const covered = Math.max(0, (box?.y ?? 0) + (box?.height ?? 0));
  expect(covered).toBeLessThanOrEqual(64);
});
