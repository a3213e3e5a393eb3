import type { Page } from '@playwright/test';
import { fillIn, messageOf, send, thanks } from './contact.ts';
import { openBooted } from './landing.ts';
import { openContact, wide } from './screens.ts';
import { expect, test } from './site.ts';

test.use({ viewport: wide });

const toast = (page: Page) => page.getByRole('alert');

/** Sends a message, so that a toast says thank you. */
async function beThanked(page: Page) {
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Toast Lover'));
  await send(contact).click();
  await expect(toast(page)).toHaveText(thanks);
}

/** Drags the toast sideways by `way` px and lets it go. */
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

test('a toast is shown for 5000 ms', async ({ page }) => {
  await page.clock.install();
  await openBooted(page);
  await beThanked(page);
  await page.mouse.move(10, 10);
  await page.clock.fastForward(4000);
  await expect(toast(page)).toBeVisible();
  await page.clock.fastForward(1000);
  await page.clock.fastForward(1000);
  await expect(toast(page)).toBeHidden();
});

test('a toast waits while the pointer rests on it', async ({ page }) => {
  await page.clock.install();
  await openBooted(page);
  await beThanked(page);
  await toast(page).hover();
  await page.clock.fastForward(60_000);
  await expect(toast(page)).toBeVisible();
  await page.mouse.move(10, 10);
  await page.clock.fastForward(5000);
  await page.clock.fastForward(1000);
  await expect(toast(page)).toBeHidden();
});

test('swiped more than 50 px to the right it goes, less far or to the left it stays', async ({
  page,
}) => {
  await openBooted(page);
  await beThanked(page);
  await drag(page, 50);
  await expect(toast(page)).toBeVisible();
  await drag(page, -80);
  await expect(toast(page)).toBeVisible();
  await drag(page, 52);
  await expect(toast(page)).toBeHidden();
});

test('a toast can be closed, and the next one is shown', async ({ page }) => {
  await openBooted(page);
  await beThanked(page);
  await page
    .getByRole('button', { name: 'Close' })
    .and(page.locator(':not(dialog) > button'))
    .click();
  await expect(toast(page)).toBeHidden();
  await beThanked(page);
  await expect(toast(page)).toHaveCount(1);
});
