import type { Page } from '@playwright/test';
import { site as config } from '../site.config.ts';
import { delayRequests } from './contact.ts';
import { evaluated, expectAtOffset, openAndInteract, restingScroll } from './landing.ts';
import { banner, dialog, narrow, wide } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

const entries = [
  ['System Optimization', 'management'],
  ['Digital Experience Builds', 'consulting'],
  ['Infrastructure Streamlining', 'infrastructure'],
] as const;

const services = (page: Page) => banner(page).getByRole('button', { name: 'Services' });
const entry = (page: Page, name: string) => banner(page).getByRole('link', { name });

const bootScript = /\/assets\/boot-/;

test.use({ viewport: wide, reducedMotion: 'reduce' });

test('the menu of wide screens works with the mouse', async ({ page }) => {
  await page.goto('/');
  const header = banner(page);
  await test.step('the header has brand, Home, Services, About, Contact and Get Started', async () => {
    await expect(header.getByRole('link', { name: config.brand.name })).toHaveAttribute(
      'href',
      '/',
    );
    await expect(header.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
    await expect(services(page)).toHaveAttribute('aria-expanded', 'false');
    await expect(header.getByRole('link', { name: 'About' })).toHaveAttribute('href', '/#about');
    await expect(header.getByRole('button', { name: 'Contact' })).toBeVisible();
    await expect(header.getByRole('button', { name: 'Get Started' })).toBeVisible();
  });

  await test.step('a click on Services or elsewhere closes the Services menu', async () => {
    for (const target of [services(page), page.getByRole('heading', { level: 1 })]) {
      await services(page).click();
      await expect(services(page)).toHaveAttribute('aria-expanded', 'true');
      for (const [name] of entries) await expect(entry(page, name)).toBeVisible();
      await target.click();
      await expect(services(page)).toHaveAttribute('aria-expanded', 'false');
      await expect(entry(page, 'System Optimization')).toBeHidden();
    }
  });

  await test.step('each entry of the Services menu scrolls to its section', async () => {
    for (const [name, id] of entries) {
      await services(page).click();
      await entry(page, name).click();
      await expectAtOffset(page, id);
      await expect(page).toHaveURL(`/#${id}`);
      await expect(entry(page, name)).toBeHidden();
    }
  });

  await test.step('About scrolls to the bio', async () => {
    await header.getByRole('link', { name: 'About' }).click();
    await expectAtOffset(page, 'about');
  });

  await test.step('Home and the brand scroll to the top of the page', async () => {
    for (const name of ['Home', config.brand.name]) {
      await page.evaluate(() => scrollTo({ top: 1200, behavior: 'instant' }));
      await header.getByRole('link', { name }).click();
      await expect.poll(() => restingScroll(page)).toBe(0);
      await expect(page).toHaveURL('/');
    }
  });

  await test.step('Contact opens the contact dialog, Get Started the strategy call', async () => {
    await header.getByRole('button', { name: 'Contact' }).click();
    await expect(dialog(page, 'contact')).toBeVisible();
    await page.keyboard.press('Escape');
    await header.getByRole('button', { name: 'Get Started' }).click();
    await expect(dialog(page, 'strategyCall')).toBeVisible();
  });
});

test('the menu of wide screens works with the keyboard', async ({ page }) => {
  await openAndInteract(page);
  await test.step('the first Tab focuses the skip link', async () => {
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    // The script focuses the target of a hash 100 ms later.
    await expect(page.getByRole('main')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
  });

  await test.step('Enter and Space open the Services menu, Tab reaches its first entry, Esc returns the focus', async () => {
    for (const key of ['Enter', 'Space']) {
      await services(page).focus();
      await page.keyboard.press(key);
      await expect(services(page)).toHaveAttribute('aria-expanded', 'true');
      await page.keyboard.press('Tab');
      await expect(entry(page, 'System Optimization')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(entry(page, 'System Optimization')).toBeHidden();
      await expect(services(page)).toBeFocused();
      await expect(services(page)).toHaveAttribute('aria-expanded', 'false');
    }
  });

  await test.step('the Services menu closes when the focus leaves it', async () => {
    await page.keyboard.press('Enter');
    for (let i = 0; i < entries.length; i++) await page.keyboard.press('Tab');
    await expect(entry(page, 'Infrastructure Streamlining')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(entry(page, 'Infrastructure Streamlining')).toBeHidden();
    await expect(services(page)).toHaveAttribute('aria-expanded', 'false');
    await expect(banner(page).getByRole('link', { name: 'About' })).toBeFocused();
  });
});

test('the Services button is expanded when it had the focus before the script loaded', async ({
  page,
}) => {
  const release = await delayRequests(page, bootScript);
  const boot = page.waitForResponse(bootScript);
  await page.goto('/');
  await services(page).focus();
  release();
  await evaluated(page, boot);
  await page.keyboard.press('Enter');
  await expect(services(page)).toHaveAttribute('aria-expanded', 'true');
});

test('menu entries link to the sections of / from another path', async ({
  page,
  consoleErrors,
}) => {
  await page.goto('/nowhere');
  await services(page).click();
  for (const [name, id] of entries) {
    await expect(entry(page, name)).toHaveAttribute('href', `/#${id}`);
  }
  await entry(page, 'System Optimization').click();
  await expect(page).toHaveURL('/#management');
  await expectAtOffset(page, 'management');
  await expectConsoleError(consoleErrors, /status of 404/);
});

test.describe('the menu of narrow screens', () => {
  test.use({ viewport: narrow, hasTouch: true });

  const menuButton = (page: Page) => banner(page).getByRole('button', { name: 'Menu' });
  const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Menu' });

  test('the menu of narrow screens works by touch', async ({ page }) => {
    await page.goto('/');
    const menu = menuOf(page);
    const open = async () => {
      await menuButton(page).tap();
      await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'true');
    };
    await test.step('the mobile menu has every entry, each at least 44 px high', async () => {
      await open();
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

    await test.step('a tap outside closes the mobile menu', async () => {
      await page.touchscreen.tap(narrow.width / 2, narrow.height - 20);
      await expect(menu).toBeHidden();
    });

    await test.step('an entry of the mobile menu scrolls to its section and closes the menu', async () => {
      await open();
      await menu.getByRole('link', { name: 'Digital Experience Builds' }).tap();
      await expect(menu).toBeHidden();
      await expectAtOffset(page, 'consulting');
    });

    await test.step('Get Started opens the strategy call, Contact the contact form', async () => {
      await open();
      await menu.getByRole('button', { name: 'Get Started' }).tap();
      await expect(dialog(page, 'strategyCall')).toBeVisible();
      await expect(menu).toBeHidden();
      await page.keyboard.press('Escape');
      await open();
      await menu.getByRole('button', { name: 'Contact' }).tap();
      await expect(dialog(page, 'contact')).toBeVisible();
    });
  });

  test('the Menu button is expanded when the menu was opened before the script loaded', async ({
    page,
  }) => {
    const release = await delayRequests(page, bootScript);
    await page.goto('/');
    await menuButton(page).tap();
    await expect(menuOf(page)).toBeVisible();
    release();
    await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'true');
  });
});

test.describe('a browser without popovers', () => {
  // The page's style, which the test changes, would violate the policy.
  test.use({ bypassCSP: true, hasTouch: true });

  test('menus are hidden without popover support, and open on focus, hover or touch', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover'] as const) {
        Reflect.deleteProperty(HTMLElement.prototype, name);
      }
    });
    await page.route('/', async (route) => {
      const response = await route.fetch();
      const html = (await response.text())
        .replaceAll(' popover=""', ' data-popover=""')
        .replaceAll('selector(:popover-open)', 'selector(:unknown-in-this-browser)');
      await route.fulfill({ response, body: html });
    });
    await openAndInteract(page);
    await expect(entry(page, 'System Optimization')).toBeHidden();
    await services(page).focus();
    await expect(services(page)).not.toHaveAttribute('aria-expanded', /./);
    await page.keyboard.press('Tab');
    await expect(entry(page, 'System Optimization')).toBeFocused();
    await page.keyboard.press('Enter');
    await expectAtOffset(page, 'management');
    await expect(entry(page, 'System Optimization')).toBeHidden();

    await page.setViewportSize(narrow);
    const menuButton = banner(page).getByRole('button', { name: 'Menu' });
    await expect(entry(page, 'About')).toBeHidden();
    await menuButton.tap();
    expect((await page.locator('#mobile-menu').boundingBox())?.x).toBe(0);
    await entry(page, 'About').tap();
    await expectAtOffset(page, 'about');
    await menuButton.tap();
    await banner(page).getByRole('button', { name: 'Contact' }).tap();
    await expect(dialog(page, 'contact')).toBeVisible();
  });
});
