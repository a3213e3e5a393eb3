import type { Page } from '@playwright/test';
import { site as config } from '../site.config.ts';
import { expectAtOffset, openBooted, restingScroll } from './landing.ts';
import { banner, footer, wide } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce' });

const about = (page: Page) => page.locator('#about');

const footerLinks = [
  ['System Optimization', 'management'],
  ['Digital Experience Builds', 'consulting'],
  ['Infrastructure Streamlining', 'infrastructure'],
  ['About', 'about'],
] as const;

const setHash = (page: Page, hash: string) =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, hash);

const scrollTo = (page: Page, top: number) =>
  page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), top);

test('a hash on load scrolls to its section, 80 px below the top', async ({ page }) => {
  await page.goto('/#infrastructure');
  await expectAtOffset(page, 'infrastructure');

  await test.step('a hash of an FAQ item opens its answer', async () => {
    await page.goto('about:blank');
    await page.goto('/#faq-cost');
    await expect(page.getByText('There is no fixed pricing')).toBeVisible();
    await expectAtOffset(page, 'faq-cost');
  });

  await test.step('a navigation from /admin to a hash scrolls to its section', async () => {
    await page.goto('/admin');
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await page.evaluate(() => location.assign('/#about'));
    await expectAtOffset(page, 'about');
  });
});

test('a hash change scrolls to its section', async ({ page }) => {
  await test.step('an unknown or invalid hash does not scroll', async () => {
    await page.goto('/#/x%');
    expect(await restingScroll(page)).toBe(0);
    for (const hash of ['nowhere', '']) {
      await setHash(page, hash);
      expect(await restingScroll(page)).toBe(0);
    }
  });

  await test.step('a hash change scrolls, and back and forward scroll accordingly', async () => {
    await setHash(page, 'about');
    await expectAtOffset(page, 'about');
    await setHash(page, 'management');
    await expectAtOffset(page, 'management');
    await page.goBack();
    await expectAtOffset(page, 'about');
    await page.goForward();
    await expectAtOffset(page, 'management');
  });

  await test.step('a link scrolls each time it is clicked', async () => {
    for (let i = 0; i < 2; i++) {
      await banner(page).getByRole('link', { name: 'About' }).click();
      await expectAtOffset(page, 'about');
      await scrollTo(page, 0);
    }
  });

  await test.step("the footer's links scroll to their sections", async () => {
    for (const [name, id] of footerLinks) {
      await footer(page).getByRole('link', { name }).click();
      await expectAtOffset(page, id);
      await expect(page).toHaveURL(`/#${id}`);
    }
  });

  await test.step('the target has the focus without an outline', async () => {
    await expect(about(page)).toBeFocused();
    expect(await about(page).evaluate((el) => getComputedStyle(el).outlineStyle)).toBe('none');
    await page.keyboard.press('Tab');
    await expect(about(page).getByRole('button', { name: config.about.action })).toBeFocused();
  });
});

test('a hash change opens its answer before the first interaction', async ({ page }) => {
  await openBooted(page);
  await setHash(page, 'faq-cost');
  await expect(page.getByText('There is no fixed pricing')).toBeVisible();
  await expectAtOffset(page, 'faq-cost');
});

test('a hash change opens its dialog before the first interaction', async ({ page }) => {
  await openBooted(page);
  await setHash(page, 'contact');
  await expect(page.locator('dialog#contact')).toBeVisible();
});

interface ScrollRecord {
  /** Time and scroll position of each frame. */
  frames: [ms: number, top: number][];
  /** When the page was parsed, or its hash changed. */
  startedAt: number;
}
declare global {
  interface Window {
    scrollRecord: ScrollRecord;
  }
}

/** Records the scroll position of each frame of the page from its start on. */
const recordScroll = (page: Page) =>
  page.addInitScript(() => {
    const record: ScrollRecord = { frames: [], startedAt: Number.NaN };
    window.scrollRecord = record;
    addEventListener('DOMContentLoaded', () => {
      record.startedAt = performance.now();
    });
    const onFrame = () => {
      record.frames.push([performance.now(), scrollY]);
      requestAnimationFrame(onFrame);
    };
    onFrame();
  });

/** The time from the recorded start to the first frame that has scrolled, in ms. */
const delayOfScroll = (page: Page) =>
  page.evaluate(() => {
    const { frames, startedAt } = window.scrollRecord;
    const [, start = 0] = frames.findLast(([ms]) => ms <= startedAt) ?? [];
    const moved = frames.find(([ms, top]) => ms > startedAt && Math.abs(top - start) >= 1);
    return (moved?.[0] ?? 0) - startedAt;
  });

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`a hash begins to scroll after 100 ms, not at once, with ${reducedMotion} of motion`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await recordScroll(page);

    await test.step('on load', async () => {
      await page.goto('/#infrastructure');
      await expectAtOffset(page, 'infrastructure');
      expect(await delayOfScroll(page)).toBeGreaterThanOrEqual(100);
      await expect(page).toHaveURL('/#infrastructure');
    });

    await test.step('on change, without an interaction before', async () => {
      await openBooted(page);
      await page.evaluate(() => {
        window.scrollRecord.startedAt = performance.now();
        location.hash = 'about';
      });
      await expectAtOffset(page, 'about');
      expect(await delayOfScroll(page)).toBeGreaterThanOrEqual(100);
    });
  });
}

test('a URL with a hash scrolls to its section when the boot script cannot be loaded', async ({
  page,
  consoleErrors,
}) => {
  await page.route(/\/assets\/boot-/, (route) => route.abort());
  await page.goto('/#about');
  await expectAtOffset(page, 'about');
  await expectConsoleError(consoleErrors, /net::ERR_FAILED/);
});

test('Tab inside the sticky header does not scroll the page', async ({ page }) => {
  await openBooted(page);
  await scrollTo(page, 3000);
  await banner(page).getByRole('link').first().focus();
  for (let presses = 0; presses < 5; presses++) {
    expect(await page.evaluate(() => scrollY)).toBe(3000);
    await page.keyboard.press('Tab');
  }

  await test.step('Shift+Tab shows each element below the header', async () => {
    await setHash(page, 'faq');
    await expectAtOffset(page, 'faq');
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press('Shift+Tab');
      await restingScroll(page);
      const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(76);
    }
  });
});

/** Counts the distinct scroll positions from a click on a link until the page has scrolled to `#about`. */
async function countScrollPositions(page: Page): Promise<number> {
  await scrollTo(page, 0);
  await restingScroll(page);
  const count = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const positions = new Set<number>();
        let hasEnded = false;
        const record = () => {
          positions.add(scrollY);
          if (hasEnded) resolve(positions.size);
          else requestAnimationFrame(record);
        };
        document.addEventListener('scrollend', () => (hasEnded = true), { once: true });
        record();
      }),
  );
  await banner(page).getByRole('link', { name: 'About' }).click();
  await expectAtOffset(page, 'about');
  return count;
}

test('a link scrolls smoothly, and instantly with reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  // Instant scrolling has two positions; a busy browser paints few in between.
  expect(await countScrollPositions(page)).toBeGreaterThan(2);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await countScrollPositions(page)).toBeLessThanOrEqual(2);
});

test('footer links on another path lead to /', async ({ page, consoleErrors }) => {
  await test.step('each footer link leads to its section', async () => {
    await page.goto('/nowhere');
    for (const [name, id] of footerLinks) {
      await expect(footer(page).getByRole('link', { name })).toHaveAttribute('href', `/#${id}`);
    }
    await footer(page).getByRole('link', { name: 'Digital Experience Builds' }).click();
    await expect(page).toHaveURL('/#consulting');
    await expectAtOffset(page, 'consulting');
  });

  await test.step('the brand leads to /', async () => {
    await page.goto('/nowhere');
    await footer(page).getByRole('link', { name: config.brand.name }).click();
    await expect(page).toHaveURL('/');
  });

  await test.step('a reload restores the scroll position', async () => {
    await scrollTo(page, 5000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(5000);
    await page.reload();
    // A web font that loads late changes the height of the text above slightly.
    await expect.poll(() => page.evaluate(() => scrollY)).toBeCloseTo(5000, -2);
  });
  await expectConsoleError(consoleErrors, /status of 404/);
});
