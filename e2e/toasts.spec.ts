import type { Page } from '@playwright/test';
import { fillIn, messageOf, send, thanks } from './contact.ts';
import { openBooted } from './landing.ts';
import { openContact, wide } from './screens.ts';
import { expect, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce' });

const toast = (page: Page) => page.getByRole('alert');

/** Sends a message, so that a toast appears. */
async function sendMessage(page: Page) {
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Toast Reader'));
  await send(contact).click();
  await expect(toast(page)).toHaveText(thanks);
}

/** Drags the toast sideways by `way` px and releases it. */
async function drag(page: Page, way: number) {
  const box = await toast(page).boundingBox();
  const x = (box?.x ?? 0) + 10;
  const y = (box?.y ?? 0) + (box?.height ?? 0) / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + way / 2, y);
  await page.mouse.move(x + way, y);
  await page.mouse.up();
}

test('a toast disappears by itself, by a swipe and by its Close button', async ({ page }) => {
  await page.clock.install();
  await openBooted(page);
  await test.step('it stays while the pointer rests on it, and disappears after five seconds', async () => {
    await sendMessage(page);
    await toast(page).hover();
    await page.clock.fastForward(60_000);
    await expect(toast(page)).toBeVisible();
    await page.mouse.move(10, 10);
    await page.clock.fastForward(5000);
    await page.clock.fastForward(1000);
    await expect(toast(page)).toBeHidden();
  });

  await test.step('a short swipe or one to the left leaves it, a swipe to the right removes it', async () => {
    await sendMessage(page);
    await drag(page, 50);
    await expect(toast(page)).toBeVisible();
    await drag(page, -80);
    await expect(toast(page)).toBeVisible();
    await drag(page, 52);
    await expect(toast(page)).toBeHidden();
  });

  await test.step('its Close button removes it, and the next toast is shown', async () => {
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
