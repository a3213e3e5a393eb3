import { site as config } from '../site.config.ts';
import { expect, test } from './site.ts';

test.use({ reducedMotion: 'reduce' });

const none = { question: '', answer: '' };

const meanings = [
  /^No\. .*a full-stack digital business lens/,
  /For basic tasks, yes.*expert to build.*customized optimization plans/,
  /find the problems together/,
  /Close to all the major ones.*Similar platforms.*quickly learned/,
  /no fixed pricing.*tailored.*affordable/,
];

test('the FAQ has the five answers of the specification', async ({ page }) => {
  await page.goto('/');
  await test.step('one answer is open at a time', async () => {
    expect(config.faq.items).toHaveLength(5);
    for (const [index, { question, answer }] of config.faq.items.entries()) {
      await expect(page.getByText(answer)).toBeHidden();
      await page.getByRole('heading', { name: question }).click();
      expect(answer).toMatch(meanings[index] ?? /^$/);
      for (const other of config.faq.items) {
        const isOpen = other.answer === answer;
        await expect(page.getByText(other.answer)).toBeVisible({ visible: isOpen });
      }
    }
  });

  await test.step('an open answer can be closed by mouse and by keyboard', async () => {
    const [{ question, answer } = none] = config.faq.items;
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
});
