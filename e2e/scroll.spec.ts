import type { Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { expectAtOffset, openBooted, restingScroll } from './landing.ts';
import { banner, footer, wide } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

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

  await test.step('the link to an answer opens it', async () => {
    await page.goto('about:blank');
    await page.goto('/#faq-cost');
    await expect(page.getByText('There is no fixed pricing')).toBeVisible();
    await expectAtOffset(page, 'faq-cost');
  });

  await test.step('a hash leads from /admin to its section', async () => {
    await page.goto('/admin');
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await page.evaluate(() => location.assign('/#about'));
    await expectAtOffset(page, 'about');
  });
});

test('a change of the hash scrolls to its section', async ({ page }) => {
  await test.step('an unknown or broken hash changes nothing', async () => {
    await page.goto('/#/x%');
    expect(await restingScroll(page)).toBe(0);
    for (const hash of ['nowhere', '']) {
      await setHash(page, hash);
      expect(await restingScroll(page)).toBe(0);
    }
  });

  await test.step('a change of the hash scrolls, and back scrolls back', async () => {
    await setHash(page, 'about');
    await expectAtOffset(page, 'about');
    await setHash(page, 'management');
    await expectAtOffset(page, 'management');
    await page.goBack();
    await expectAtOffset(page, 'about');
    await page.goForward();
    await expectAtOffset(page, 'management');
  });

  await test.step('the same link scrolls each time it is pressed', async () => {
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

  await test.step('the target has the focus, and shows no outline', async () => {
    await expect(about(page)).toBeFocused();
    expect(await about(page).evaluate((el) => getComputedStyle(el).outlineStyle)).toBe('none');
    await page.keyboard.press('Tab');
    await expect(about(page).getByRole('button', { name: words.about.action })).toBeFocused();
  });
});

test('a hash opens its answer before the first move of the visitor', async ({ page }) => {
  await openBooted(page);
  await setHash(page, 'faq-cost');
  await expect(page.getByText('There is no fixed pricing')).toBeVisible();
  await expectAtOffset(page, 'faq-cost');
});

test('a hash opens its dialog before the first move of the visitor', async ({ page }) => {
  await openBooted(page);
  await setHash(page, 'contact');
  await expect(page.locator('dialog#contact')).toBeVisible();
});

/** How many places the page is at from the press of a link until it has scrolled to `#about`. */
async function placesOnTheWay(page: Page): Promise<number> {
  await scrollTo(page, 0);
  await restingScroll(page);
  const count = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const places = new Set<number>();
        let isOver = false;
        const look = () => {
          places.add(scrollY);
          if (isOver) resolve(places.size);
          else requestAnimationFrame(look);
        };
        document.addEventListener('scrollend', () => (isOver = true), { once: true });
        look();
      }),
  );
  await banner(page).getByRole('link', { name: 'About' }).click();
  await expectAtOffset(page, 'about');
  return count;
}

test('a link scrolls smoothly, and jumps with reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  expect(await placesOnTheWay(page)).toBeGreaterThan(5);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await placesOnTheWay(page)).toBeLessThanOrEqual(2);
});

test('on another path the links of the footer lead to /', async ({ page, complaints }) => {
  await test.step('each leads to its section', async () => {
    await page.goto('/nowhere');
    for (const [name, id] of footerLinks) {
      await expect(footer(page).getByRole('link', { name })).toHaveAttribute('href', `/#${id}`);
    }
    await footer(page).getByRole('link', { name: 'Digital Experience Builds' }).click();
    await expect(page).toHaveURL('/#consulting');
    await expectAtOffset(page, 'consulting');
  });

  await test.step('the brand leads to the top', async () => {
    await page.goto('/nowhere');
    await footer(page).getByRole('link', { name: words.brand.name }).click();
    await expect(page).toHaveURL('/');
  });

  await test.step('a reload comes back to where the reader was', async () => {
    await scrollTo(page, 5000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(5000);
    await page.reload();
    // A typeface that arrives late makes the words above a little higher.
    await expect.poll(() => page.evaluate(() => scrollY)).toBeCloseTo(5000, -2);
  });
  await expectComplaint(complaints, /status of 404/);
});
