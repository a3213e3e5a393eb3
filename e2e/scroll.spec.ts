import type { Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { expectAtOffset, openAndMove, restingScroll } from './landing.ts';
import { banner, footer, wide } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

test.use({ viewport: wide });

const about = (page: Page) => page.locator('#about');

test('a hash on load scrolls to its section, 80 px below the top', async ({ page }) => {
  for (const id of ['about', 'management', 'consulting', 'infrastructure']) {
    await page.goto('about:blank');
    await page.goto(`/#${id}`);
    await expectAtOffset(page, id);
  }
});

test('a hash leads from /admin to its section', async ({ page }) => {
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  await page.evaluate(() => location.assign('/#about'));
  await expectAtOffset(page, 'about');
});

test('a change of the hash scrolls, and back scrolls back', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => {
    location.hash = 'about';
  });
  await expectAtOffset(page, 'about');
  await page.evaluate(() => {
    location.hash = 'management';
  });
  await expectAtOffset(page, 'management');
  await page.goBack();
  await expectAtOffset(page, 'about');
  await page.goForward();
  await expectAtOffset(page, 'management');
});

test('the same link scrolls each time it is pressed', async ({ page }) => {
  await page.goto('/');
  for (let i = 0; i < 2; i++) {
    await banner(page).getByRole('link', { name: 'About' }).click();
    await expectAtOffset(page, 'about');
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  }
});

test('an unknown or broken hash changes nothing', async ({ page }) => {
  for (const hash of ['#nowhere', '#/x%', '#']) {
    await page.goto('about:blank');
    await page.goto(`/${hash}`);
    expect(await restingScroll(page)).toBe(0);
  }
});

test('the target has the focus 100 ms after the hash changed, and shows no outline', async ({
  page,
}) => {
  await page.clock.install();
  await openAndMove(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.evaluate(() => {
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve));
    location.hash = 'about';
    return changed;
  });
  await page.clock.runFor(99);
  await expect(about(page)).not.toBeFocused();
  await page.clock.runFor(1);
  await expect(about(page)).toBeFocused();
  expect(await about(page).evaluate((el) => getComputedStyle(el).outlineStyle)).toBe('none');
  await page.clock.resume();
  await page.keyboard.press('Tab');
  await expect(about(page).getByRole('button', { name: words.about.action })).toBeFocused();
});

test('the link to an answer opens it', async ({ page }) => {
  await page.goto('/#faq-cost');
  await expect(page.getByText('There is no fixed pricing')).toBeVisible();
  await expectAtOffset(page, 'faq-cost');
});

test('a hash typed by somebody who has not moved yet opens its answer too', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.evaluate(() => {
    location.hash = 'faq-cost';
  });
  await expect(page.getByText('There is no fixed pricing')).toBeVisible();
  await expectAtOffset(page, 'faq-cost');
});

/** How many places the page was seen at on its way to `#about`. */
async function placesOnTheWay(page: Page): Promise<number> {
  await page.goto('/');
  await page.evaluate(() => {
    const places = new Set<number>();
    const look = () => {
      places.add(scrollY);
      document.documentElement.dataset.places = String(places.size);
      requestAnimationFrame(look);
    };
    look();
  });
  await banner(page).getByRole('link', { name: 'About' }).click();
  await expectAtOffset(page, 'about');
  return Number(await page.evaluate(() => document.documentElement.dataset.places));
}

test('it scrolls smoothly', async ({ page }) => {
  expect(await placesOnTheWay(page)).toBeGreaterThan(5);
});

test('it jumps for whoever asked for less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await placesOnTheWay(page)).toBeLessThanOrEqual(2);
});

const footerLinks = [
  ['System Optimization', 'management'],
  ['Digital Experience Builds', 'consulting'],
  ['Infrastructure Streamlining', 'infrastructure'],
  ['About', 'about'],
] as const;

for (const [name, id] of footerLinks) {
  test(`the footer's ${name} scrolls to its section`, async ({ page }) => {
    await page.goto('/');
    await footer(page).getByRole('link', { name }).click();
    await expectAtOffset(page, id);
    await expect(page).toHaveURL(`/#${id}`);
  });
}

test('on another path the links of the footer lead to the sections of /', async ({
  page,
  complaints,
}) => {
  for (const [name, id] of footerLinks) {
    await page.goto('/nowhere');
    await footer(page).getByRole('link', { name }).click();
    await expect(page).toHaveURL(`/#${id}`);
    await expectAtOffset(page, id);
  }
  await expectComplaint(complaints, /status of 404/);
});

test('the brand of the footer leads to /', async ({ page, complaints }) => {
  await page.goto('/nowhere');
  await footer(page).getByRole('link', { name: words.brand.name }).click();
  await expect(page).toHaveURL('/');
  await expectComplaint(complaints, /status of 404/);
});

test('a reload comes back to where the reader was', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => scrollTo({ top: 5000, behavior: 'instant' }));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(5000);
  await page.reload();
  // The same words: a typeface that comes late makes those above them a little higher.
  await expect.poll(() => page.evaluate(() => scrollY)).toBeCloseTo(5000, -2);
});
