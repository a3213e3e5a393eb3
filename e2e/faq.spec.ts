import { site as words } from '../site.config.ts';
import { expect, test } from './site.ts';

const none = { question: '', answer: '' };

const meanings = [
  /^No\. .*full-stack digital/,
  /For basic tasks, yes.*expert to build.*customized optimization plans/,
  /find the problems together/,
  /Close to all the major ones.*Similar platforms.*quickly learned/,
  /no fixed pricing.*tailored.*affordable/,
];

test.beforeEach(async ({ page }) => {
  await page.goto('/');
});

test('the five questions are answered as the specification says', async ({ page }) => {
  expect(words.faq.items).toHaveLength(5);
  for (const [index, { question, answer }] of words.faq.items.entries()) {
    await expect(page.getByText(answer)).toBeHidden();
    await page.getByRole('heading', { name: question }).click();
    await expect(page.getByText(answer)).toBeVisible();
    expect(answer).toMatch(meanings[index] ?? /^$/);
  }
});

test('one answer is open at a time', async ({ page }) => {
  for (const { question, answer } of words.faq.items) {
    await page.getByRole('heading', { name: question }).click();
    for (const other of words.faq.items) {
      await expect(page.getByText(other.answer)).toBeVisible({ visible: other.answer === answer });
    }
  }
});

test('an open answer can be closed again, by mouse and by keyboard', async ({ page }) => {
  const [{ question, answer } = none] = words.faq.items;
  const heading = page.getByRole('heading', { name: question });
  await heading.click();
  await expect(page.getByText(answer)).toBeVisible();
  await heading.click();
  await expect(page.getByText(answer)).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.getByText(answer)).toBeVisible();
  await page.keyboard.press('Space');
  await expect(page.getByText(answer)).toBeHidden();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the answers open and close all the same', async ({ page }) => {
    const [first = none, second = none] = words.faq.items;
    await page.getByRole('heading', { name: first.question }).click();
    await expect(page.getByText(first.answer)).toBeVisible();
    await page.getByRole('heading', { name: second.question }).click();
    await expect(page.getByText(first.answer)).toBeHidden();
    await expect(page.getByText(second.answer)).toBeVisible();
  });
});
