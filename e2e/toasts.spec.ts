import type { Page } from '@playwright/test';
import { fillIn, messageOf, send, successText } from './contact.ts';
import { openBooted } from './landing.ts';
import { openContact, wide } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce' });

const toast = (page: Page) => page.getByRole('alert');

/** Sends a message, so that a toast appears. */
async function sendMessage(page: Page) {
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Toast Reader'));
  await send(contact).click();
  await expect(toast(page)).toHaveText(successText);
}

/** Drags the toast horizontally by `dx` px and releases it. */
async function drag(page: Page, dx: number) {
  const box = await toast(page).boundingBox();
  const x = (box?.x ?? 0) + 10;
  const y = (box?.y ?? 0) + (box?.height ?? 0) / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y);
  await page.mouse.move(x + dx, y);
  await page.mouse.up();
}

test('a toast disappears after a timeout, on a swipe and on its Close button', async ({ page }) => {
  await page.clock.install();
  await openBooted(page);
  await test.step('a toast stays while the pointer is on it, and disappears after five seconds', async () => {
    await sendMessage(page);
    await toast(page).hover();
    await page.clock.runFor(60_000);
    await expect(toast(page)).toBeVisible();
    await page.mouse.move(10, 10);
    await page.clock.runFor(5000);
    await page.clock.runFor(1000);
    await expect(toast(page)).toBeHidden();
  });

  await test.step('only a long swipe to the right removes a toast', async () => {
    await sendMessage(page);
    await drag(page, 50);
    await expect(toast(page)).toBeVisible();
    await drag(page, -80);
    await expect(toast(page)).toBeVisible();
    await drag(page, 52);
    await expect(toast(page)).toBeHidden();
  });

  await test.step('the Close button removes a toast, and the next toast is shown', async () => {
    await sendMessage(page);
    await page
      .getByRole('button', { name: 'Close' })
      .and(page.locator(':not(dialog) > button'))
      .click();
    await expect(toast(page)).toBeHidden();
    await sendMessage(page);
    await expect(toast(page)).toHaveCount(1);
  });
});

test('the not-found page shows one toast for a sent message', async ({ page, consoleErrors }) => {
  await openBooted(page, '/nowhere');
  await sendMessage(page);
  await expect(toast(page)).toHaveCount(1);
  await expect(page.locator('[role=alert], [aria-live], [role=region]')).toHaveCount(1);
  await expectConsoleError(consoleErrors, /status of 404/);
});
