import type { Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { fillIn, messageOf } from './contact.ts';
import { openAndMove } from './landing.ts';
import {
  banner,
  dialog,
  leaveByTheTop,
  narrow,
  openContact,
  scrollToShare,
  standInForOtherHosts,
  wide,
} from './screens.ts';
import { expect, test } from './site.ts';

test.use({ viewport: wide, hasSeenQuiz: false });

const quiz = (page: Page) => dialog(page, 'quiz');

/** Opens `/` and stops its clock. */
async function openWithStoppedClock(page: Page) {
  await page.clock.install();
  await openAndMove(page);
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Expects the quiz exactly 1000 ms of the page's time from now. */
async function expectQuizInOneSecond(page: Page) {
  await page.clock.runFor(999);
  await expect(quiz(page)).toBeHidden();
  await page.clock.runFor(1);
  await expect(quiz(page)).toBeVisible();
}

test('leaving by the top edge opens it 1000 ms later', async ({ page }) => {
  await openWithStoppedClock(page);
  await leaveByTheTop(page);
  await expectQuizInOneSecond(page);
  await expect(quiz(page)).toHaveAccessibleName(words.dialogs.quiz.title);
});

test('scrolling beyond half of the page opens it 1000 ms later, half of it does not', async ({
  page,
}) => {
  await openWithStoppedClock(page);
  await scrollToShare(page, 0.49);
  await page.clock.runFor(5000);
  await expect(quiz(page)).toBeHidden();
  await scrollToShare(page, 0.51);
  await expectQuizInOneSecond(page);
});

test('leaving by another edge does not open it', async ({ page }) => {
  await openWithStoppedClock(page);
  await page.mouse.move(300, 300);
  await page.mouse.move(-5, 300);
  await page.mouse.move(300, 300);
  await page.mouse.move(300, wide.height + 5);
  await page.clock.runFor(5000);
  await expect(quiz(page)).toBeHidden();
});

test('once shown, no trigger shows it again', async ({ page }) => {
  await openWithStoppedClock(page);
  await scrollToShare(page, 0.6);
  await page.clock.runFor(1000);
  await expect(quiz(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(quiz(page)).toBeHidden();
  await leaveByTheTop(page);
  await scrollToShare(page, 0.1);
  await scrollToShare(page, 0.9);
  await page.clock.runFor(10_000);
  await expect(quiz(page)).toBeHidden();
});

test('a reload lets it show again', async ({ page }) => {
  await page.goto('/');
  await page.reload();
  await scrollToShare(page, 0.6);
  await expect(quiz(page)).toBeVisible();
});

test('going to /admin and back does not show it again', async ({ page }) => {
  await openWithStoppedClock(page);
  await scrollToShare(page, 0.6);
  await page.clock.runFor(1000);
  await quiz(page).getByRole('button', { name: 'Close' }).click();
  await expect(quiz(page)).toBeHidden();
  await page.goto('/admin');
  await page.clock.runFor(1000);
  await page.getByRole('link', { name: 'Back to Sales Page' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.hero.title);
  await scrollToShare(page, 0.6);
  await leaveByTheTop(page);
  await page.clock.runFor(5000);
  await expect(quiz(page)).toBeHidden();
});

test('it waits for another dialog to close', async ({ page }) => {
  await openWithStoppedClock(page);
  await scrollToShare(page, 0.6);
  await banner(page).getByRole('button', { name: 'Get Started' }).click();
  await expect(dialog(page, 'strategyCall')).toBeVisible();
  await page.clock.runFor(5000);
  await expect(quiz(page)).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(dialog(page, 'strategyCall')).toBeHidden();
  await page.clock.runFor(100);
  await expect(quiz(page)).toBeVisible();
});

test('it does not disturb somebody who is writing', async ({ page }) => {
  await openWithStoppedClock(page);
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Busy Writer'));
  await contact.getByRole('button', { name: 'Cancel' }).click();
  await scrollToShare(page, 0.6);
  await page.clock.runFor(5000);
  await expect(quiz(page)).toBeHidden();
});

test('Close hides it, and so does Esc', async ({ page }) => {
  for (const close of [
    () => quiz(page).getByRole('button', { name: 'Close' }).click(),
    () => page.keyboard.press('Escape'),
  ]) {
    await page.goto('/');
    await page.reload();
    await scrollToShare(page, 0.6);
    await expect(quiz(page)).toBeVisible();
    await close();
    await expect(quiz(page)).toBeHidden();
  }
});

test('Take the Quiz opens the quiz in a new tab and closes the popup', async ({
  page,
  context,
}) => {
  await standInForOtherHosts(context);
  await page.goto('/');
  await scrollToShare(page, 0.6);
  const opened = context.waitForEvent('page');
  await quiz(page).getByRole('link', { name: 'Take the Quiz' }).click();
  const tab = await opened;
  expect(tab.url()).toBe(words.links.quiz);
  expect(await tab.evaluate(() => opener)).toBeNull();
  await expect(quiz(page)).toBeHidden();
  await expect(page).toHaveURL('/');
});

test('on a small screen it is a sheet at the foot that leaves most of the page in sight', async ({
  page,
}) => {
  await page.setViewportSize(narrow);
  await page.goto('/');
  await scrollToShare(page, 0.6);
  await expect(quiz(page)).toBeVisible();
  await expect(async () => {
    const box = await quiz(page).boundingBox();
    expect(box?.height).toBeLessThanOrEqual(0.4 * narrow.height);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(narrow.height, 0);
  }).toPass();
});
