import type { Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { expectAtOffset, hasRun, restingScroll } from './landing.ts';
import { banner, dialog, narrow, wide } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

const entries = [
  ['System Optimization', 'management'],
  ['Digital Experience Builds', 'consulting'],
  ['Infrastructure Streamlining', 'infrastructure'],
] as const;

const services = (page: Page) => banner(page).getByRole('button', { name: 'Services' });
const entry = (page: Page, name: string) => banner(page).getByRole('link', { name });

test.describe('the menu of wide screens', () => {
  test.use({ viewport: wide });

  test.beforeEach(async ({ page }) => {
    await page.goto('/');
  });

  test('has brand, Home, Services, About, Contact and Get Started', async ({ page }) => {
    const head = banner(page);
    await expect(head.getByRole('link', { name: words.brand.name })).toHaveAttribute('href', '/');
    await expect(head.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
    await expect(services(page)).toHaveAttribute('aria-expanded', 'false');
    await expect(head.getByRole('link', { name: 'About' })).toHaveAttribute('href', '/#about');
    await expect(head.getByRole('button', { name: 'Contact' })).toBeVisible();
    await expect(head.getByRole('button', { name: 'Get Started' })).toBeVisible();
  });

  test('Home and the brand go to the top of the page', async ({ page }) => {
    for (const name of ['Home', words.brand.name]) {
      await page.evaluate(() => scrollTo({ top: 1200, behavior: 'instant' }));
      await banner(page).getByRole('link', { name }).click();
      await expect.poll(() => restingScroll(page)).toBe(0);
      await expect(page).toHaveURL('/');
    }
  });

  test('Contact opens the contact dialog, Get Started the strategy call', async ({ page }) => {
    await banner(page).getByRole('button', { name: 'Contact' }).click();
    await expect(dialog(page, 'contact')).toBeVisible();
    await page.keyboard.press('Escape');
    await banner(page).getByRole('button', { name: 'Get Started' }).click();
    await expect(dialog(page, 'strategyCall')).toBeVisible();
  });

  for (const [name, id] of entries) {
    test(`the entry ${name} scrolls to its section`, async ({ page }) => {
      await services(page).click();
      await entry(page, name).click();
      await expectAtOffset(page, id);
      await expect(page).toHaveURL(`/#${id}`);
      await expect(entry(page, name)).toBeHidden();
    });
  }

  test('About scrolls to the bio', async ({ page }) => {
    await banner(page).getByRole('link', { name: 'About' }).click();
    await expectAtOffset(page, 'about');
  });

  test('the mouse opens and closes the Services menu', async ({ page }) => {
    await services(page).click();
    await expect(services(page)).toHaveAttribute('aria-expanded', 'true');
    for (const [name] of entries) await expect(entry(page, name)).toBeVisible();
    await services(page).click();
    await expect(services(page)).toHaveAttribute('aria-expanded', 'false');
    await expect(entry(page, 'System Optimization')).toBeHidden();
  });

  for (const key of ['Enter', 'Space']) {
    test(`${key} opens it, Tab reaches its first entry, Esc gives the focus back`, async ({
      page,
    }) => {
      await services(page).focus();
      await page.keyboard.press(key);
      await expect(services(page)).toHaveAttribute('aria-expanded', 'true');
      await page.keyboard.press('Tab');
      await expect(entry(page, 'System Optimization')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(entry(page, 'System Optimization')).toBeHidden();
      await expect(services(page)).toBeFocused();
      await expect(services(page)).toHaveAttribute('aria-expanded', 'false');
    });
  }

  test('it says that it is open to whose focus was there before the script', async ({ page }) => {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const boot = page.waitForResponse(/\/assets\/boot-/);
    await page.route(/\/assets\/boot-/, async (route) => {
      await arrived;
      await route.continue();
    });
    await page.reload();
    await services(page).focus();
    arrive();
    await hasRun(page, boot);
    await page.keyboard.press('Enter');
    await expect(services(page)).toHaveAttribute('aria-expanded', 'true');
  });

  test('it closes when the focus goes on', async ({ page }) => {
    await services(page).focus();
    await page.keyboard.press('Enter');
    for (let i = 0; i < entries.length; i++) await page.keyboard.press('Tab');
    await expect(entry(page, 'Infrastructure Streamlining')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(entry(page, 'Infrastructure Streamlining')).toBeHidden();
    await expect(services(page)).toHaveAttribute('aria-expanded', 'false');
    await expect(banner(page).getByRole('link', { name: 'About' })).toBeFocused();
  });

  test('it closes on a click elsewhere', async ({ page }) => {
    await services(page).click();
    await expect(entry(page, 'System Optimization')).toBeVisible();
    await page.getByRole('heading', { level: 1 }).click();
    await expect(entry(page, 'System Optimization')).toBeHidden();
    await expect(services(page)).toHaveAttribute('aria-expanded', 'false');
  });

  test('the first Tab leads past the menu', async ({ page }) => {
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
  });
});

test.describe('on another path', () => {
  test.use({ viewport: wide });

  test.afterEach(({ complaints }) => expectComplaint(complaints, /status of 404/));

  for (const [name, id] of entries) {
    test(`the menu entry ${name} leads to its section of /`, async ({ page }) => {
      await page.goto('/nowhere');
      await services(page).click();
      await entry(page, name).click();
      await expect(page).toHaveURL(`/#${id}`);
      await expectAtOffset(page, id);
    });
  }
});

test.describe('the menu of narrow screens', () => {
  test.use({ viewport: narrow, hasTouch: true });

  const open = async (page: Page) => {
    await page.goto('/');
    const button = banner(page).getByRole('button', { name: 'Menu' });
    await button.tap();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    return page.getByRole('navigation', { name: 'Menu' });
  };

  test('has every entry, each large enough for a finger', async ({ page }) => {
    const menu = await open(page);
    for (const name of ['Home', ...entries.map(([name]) => name), 'About']) {
      await expect(menu.getByRole('link', { name })).toBeVisible();
    }
    await expect(menu.getByRole('button', { name: 'Contact' })).toBeVisible();
    await expect(menu.getByRole('button', { name: 'Get Started' })).toBeVisible();
    const heights = await menu
      .getByRole('link')
      .or(menu.getByRole('button'))
      .evaluateAll((targets) => targets.map((target) => target.getBoundingClientRect().height));
    for (const height of heights) expect(height).toBeGreaterThanOrEqual(44);
  });

  test('its button says that it is open to one who was faster than every script', async ({
    page,
  }) => {
    let letCome = () => {};
    const tapped = new Promise<void>((resolve) => {
      letCome = resolve;
    });
    await page.route(/\/assets\/boot-/, async (route) => {
      await tapped;
      await route.continue();
    });
    await page.goto('/');
    const button = banner(page).getByRole('button', { name: 'Menu' });
    await button.tap();
    await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible();
    letCome();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
  });

  test('an entry scrolls to its section and closes the menu', async ({ page }) => {
    const menu = await open(page);
    await menu.getByRole('link', { name: 'Digital Experience Builds' }).tap();
    await expect(menu).toBeHidden();
    await expectAtOffset(page, 'consulting');
  });

  test('Get Started opens the strategy call, Contact the contact form', async ({ page }) => {
    const menu = await open(page);
    await menu.getByRole('button', { name: 'Get Started' }).tap();
    await expect(dialog(page, 'strategyCall')).toBeVisible();
    await expect(menu).toBeHidden();
    await page.keyboard.press('Escape');
    await banner(page).getByRole('button', { name: 'Menu' }).tap();
    await menu.getByRole('button', { name: 'Contact' }).tap();
    await expect(dialog(page, 'contact')).toBeVisible();
  });

  test('a tap elsewhere closes it', async ({ page }) => {
    const menu = await open(page);
    await page.touchscreen.tap(narrow.width / 2, narrow.height - 20);
    await expect(menu).toBeHidden();
  });
});
