import type { Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { fillIn, messageOf, nothing } from './contact.ts';
import { openAndMove } from './landing.ts';
import {
  dialog,
  leaveByTheTop,
  narrow,
  openContact,
  scrollToShare,
  standInForOtherHosts,
  wide,
} from './screens.ts';
import { expect, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce', hasSeenQuiz: false });

const quiz = (page: Page) => dialog(page, 'quiz');

/** Opens `/` and stops its clock. */
async function openWithStoppedClock(page: Page) {
  await page.clock.install();
  await openAndMove(page);
  await page.clock.pauseAt(Date.now() + 60_000);
}

test('the quiz opens once when the mouse leaves by the top edge', async ({ page }) => {
  await openWithStoppedClock(page);
  await test.step('leaving by another edge does not open it', async () => {
    await page.mouse.move(300, 300);
    await page.mouse.move(-5, 300);
    await page.mouse.move(300, 300);
    await page.mouse.move(300, wide.height + 5);
    await page.clock.runFor(5000);
    await expect(quiz(page)).toBeHidden();
  });

  await test.step('leaving by the top edge opens it after a second', async () => {
    await leaveByTheTop(page);
    await expect(quiz(page)).toBeHidden();
    await page.clock.runFor(1000);
    await expect(quiz(page)).toBeVisible();
    await expect(quiz(page)).toHaveAccessibleName(words.dialogs.quiz.title);
  });

  await test.step('Close hides it, and no trigger shows it again', async () => {
    await quiz(page).getByRole('button', { name: 'Close' }).click();
    await expect(quiz(page)).toBeHidden();
    await leaveByTheTop(page);
    await scrollToShare(page, 0.1);
    await scrollToShare(page, 0.9);
    await page.clock.runFor(10_000);
    await expect(quiz(page)).toBeHidden();
  });

  await test.step('going to /admin and back does not show it again', async () => {
    await page.goto('/admin');
    await page.clock.runFor(1000);
    await page.getByRole('link', { name: 'Back to Sales Page' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.hero.title);
    await scrollToShare(page, 0.6);
    await leaveByTheTop(page);
    await page.clock.runFor(5000);
    await expect(quiz(page)).toBeHidden();
  });
});

test('the quiz opens when more than half of the page is scrolled', async ({ page }) => {
  await openWithStoppedClock(page);
  await test.step('half of the page does not open it', async () => {
    await scrollToShare(page, 0.49);
    await page.clock.runFor(5000);
    await expect(quiz(page)).toBeHidden();
  });

  await test.step('it waits for a draft to be emptied and for another dialog to close', async () => {
    const contact = await openContact(page);
    await fillIn(contact, messageOf('Busy Writer'));
    await contact.getByRole('button', { name: 'Cancel' }).click();
    await scrollToShare(page, 0.51);
    await page.clock.runFor(5000);
    await expect(quiz(page)).toBeHidden();
    await openContact(page);
    await fillIn(contact, nothing);
    await page.clock.runFor(5000);
    await expect(quiz(page)).toBeHidden();
    await page.keyboard.press('Escape');
    await page.clock.runFor(100);
    await expect(quiz(page)).toBeVisible();
  });
});

// Without a fake clock: it would hide from the page that it was reloaded.
test('a reload lets the quiz show again', async ({ page, context }) => {
  await standInForOtherHosts(context);
  await page.setViewportSize(narrow);
  await page.goto('/');
  await scrollToShare(page, 0.6);
  await expect(quiz(page)).toBeVisible();
  await test.step('on a small screen it is a sheet at the foot that leaves most of the page in sight', async () => {
    await expect(async () => {
      const box = await quiz(page).boundingBox();
      expect(box?.height).toBeLessThanOrEqual(0.4 * narrow.height);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(narrow.height, 0);
    }).toPass();
  });

  await test.step('Esc hides it until the page is reloaded', async () => {
    await page.keyboard.press('Escape');
    await expect(quiz(page)).toBeHidden();
    await scrollToShare(page, 0);
    await page.reload();
    await scrollToShare(page, 0.6);
    await expect(quiz(page)).toBeVisible();
  });

  await test.step('Take the Quiz opens the quiz in a new tab and closes the popup', async () => {
    const opened = context.waitForEvent('page');
    await quiz(page).getByRole('link', { name: 'Take the Quiz' }).click();
    const tab = await opened;
    expect(tab.url()).toBe(words.links.quiz);
    expect(await tab.evaluate(() => opener)).toBeNull();
    await expect(quiz(page)).toBeHidden();
    await expect(page).toHaveURL('/');
  });
});
