import type { Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { hold } from './contact.ts';
import { expectAtOffset, hasRun, openAndMove, restingScroll } from './landing.ts';
import { banner, dialog, narrow, wide } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

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
  const head = banner(page);
  await test.step('has brand, Home, Services, About, Contact and Get Started', async () => {
    await expect(head.getByRole('link', { name: words.brand.name })).toHaveAttribute('href', '/');
    await expect(head.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
    await expect(services(page)).toHaveAttribute('aria-expanded', 'false');
    await expect(head.getByRole('link', { name: 'About' })).toHaveAttribute('href', '/#about');
    await expect(head.getByRole('button', { name: 'Contact' })).toBeVisible();
    await expect(head.getByRole('button', { name: 'Get Started' })).toBeVisible();
  });

  await test.step('a click on Services or elsewhere closes the Services menu', async () => {
    for (const outside of [services(page), page.getByRole('heading', { level: 1 })]) {
      await services(page).click();
      await expect(services(page)).toHaveAttribute('aria-expanded', 'true');
      for (const [name] of entries) await expect(entry(page, name)).toBeVisible();
      await outside.click();
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
    await head.getByRole('link', { name: 'About' }).click();
    await expectAtOffset(page, 'about');
  });

  await test.step('Home and the brand go to the top of the page', async () => {
    for (const name of ['Home', words.brand.name]) {
      await page.evaluate(() => scrollTo({ top: 1200, behavior: 'instant' }));
      await head.getByRole('link', { name }).click();
      await expect.poll(() => restingScroll(page)).toBe(0);
      await expect(page).toHaveURL('/');
    }
  });

  await test.step('Contact opens the contact dialog, Get Started the strategy call', async () => {
    await head.getByRole('button', { name: 'Contact' }).click();
    await expect(dialog(page, 'contact')).toBeVisible();
    await page.keyboard.press('Escape');
    await head.getByRole('button', { name: 'Get Started' }).click();
    await expect(dialog(page, 'strategyCall')).toBeVisible();
  });
});

test('the menu of wide screens works with the keyboard', async ({ page }) => {
  await openAndMove(page);
  await test.step('the first Tab leads past the menu', async () => {
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

  await test.step('Enter and Space open it, Tab reaches its first entry, Esc gives the focus back', async () => {
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

  await test.step('it closes when the focus goes on', async () => {
    await page.keyboard.press('Enter');
    for (let i = 0; i < entries.length; i++) await page.keyboard.press('Tab');
    await expect(entry(page, 'Infrastructure Streamlining')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(entry(page, 'Infrastructure Streamlining')).toBeHidden();
    await expect(services(page)).toHaveAttribute('aria-expanded', 'false');
    await expect(banner(page).getByRole('link', { name: 'About' })).toBeFocused();
  });
});

test('the Services button says that its menu is open when it had the focus before the script', async ({
  page,
}) => {
  const release = await hold(page, bootScript);
  const boot = page.waitForResponse(bootScript);
  await page.goto('/');
  await services(page).focus();
  release();
  await hasRun(page, boot);
  await page.keyboard.press('Enter');
  await expect(services(page)).toHaveAttribute('aria-expanded', 'true');
});

test('menu entries lead to the sections of / from another path', async ({ page, complaints }) => {
  await page.goto('/nowhere');
  await services(page).click();
  for (const [name, id] of entries) {
    await expect(entry(page, name)).toHaveAttribute('href', `/#${id}`);
  }
  await entry(page, 'System Optimization').click();
  await expect(page).toHaveURL('/#management');
  await expectAtOffset(page, 'management');
  await expectComplaint(complaints, /status of 404/);
});

test.describe('the menu of narrow screens', () => {
  test.use({ viewport: narrow, hasTouch: true });

  const menuButton = (page: Page) => banner(page).getByRole('button', { name: 'Menu' });
  const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Menu' });

  test('works by touch', async ({ page }) => {
    await page.goto('/');
    const menu = menuOf(page);
    const open = async () => {
      await menuButton(page).tap();
      await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'true');
    };
    await test.step('has every entry, each large enough for a finger', async () => {
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

    await test.step('a tap elsewhere closes it', async () => {
      await page.touchscreen.tap(narrow.width / 2, narrow.height - 20);
      await expect(menu).toBeHidden();
    });

    await test.step('an entry scrolls to its section and closes the menu', async () => {
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

  test('says that it is open when it was opened before the script', async ({ page }) => {
    const release = await hold(page, bootScript);
    await page.goto('/');
    await menuButton(page).tap();
    await expect(menuOf(page)).toBeVisible();
    release();
    await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'true');
  });
});
