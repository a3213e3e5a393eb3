/** The owner's screens while the browser translates them, as Chrome does. */
import type { Page } from '@playwright/test';
import { openDashboard, wide } from './screens.ts';
import { expect, testOnEmptySite as test } from './site.ts';
import { translate } from './translate.ts';

test.use({ viewport: wide });

/** What the screen shows once it is complete, without times of day and the results of earlier actions. */
async function textOf(page: Page) {
  let text = '';
  await expect(async () => {
    const last = text;
    const results = await page.getByRole('status').allInnerTexts();
    const shown = (await page.getByRole('main').innerText()).replace(/\s+/g, ' ');
    text = results
      .filter(Boolean)
      .reduce((rest, result) => rest.replace(result.replace(/\s+/g, ' '), ''), shown)
      .replace(/\d+:\d\d(:\d\d)? [AP]M/g, 'then')
      .replace(/\s+/g, ' ');
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0, { timeout: 1 });
    expect(text).toMatch(/Logout/);
    expect(text).toBe(last);
  }).toPass({ intervals: [300] });
  return text;
}

/**
 * A text as its words and its numbers, which are rounded: the period of the figures moves with the clock. Those
 * of another period differ by more.
 */
function wordsAndNumbers(text: string) {
  const [words = '', ...rest] = text.split(/(\d[\d,.]*)/);
  const numbers = rest
    .filter((_, i) => i % 2 === 0)
    .map((n) => Number.parseFloat(n.replaceAll(',', '')));
  return { words: [words, ...rest.filter((_, i) => i % 2 === 1)].join('#'), numbers };
}

/** Expects that the screen shows the same as after a reload, so that no text on it is old. */
async function expectUpToDate(page: Page, step: string) {
  const before = wordsAndNumbers(await textOf(page));
  await page.reload();
  await expect(async () => {
    const after = wordsAndNumbers(await textOf(page));
    expect(after.words, step).toBe(before.words);
    for (const [i, number] of before.numbers.entries()) {
      const difference = Math.abs(number - (after.numbers[i] ?? Number.NaN));
      expect(difference, `${step}: ${number}`).toBeLessThanOrEqual(2 + number / 100);
    }
  }).toPass();
}

test('a translated dashboard shows the figures of each choice', async ({ page, emptySite }) => {
  await emptySite.admin('demo');
  await page.addInitScript(translate);
  await openDashboard(page, emptySite);
  const press = (name: string | RegExp) =>
    page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click();
  // A text that React has lost stays as it was, also after the next choice.
  const choices: Record<string, () => Promise<void>> = {
    '90 days of revenue': async () => {
      await page.getByText('Last 90 days', { exact: true }).click();
      await press('Revenue');
    },
    newsletter: () => press('newsletter'),
    'a button, 7 days, no source': async () => {
      await press(/remove filter/);
      await press('Top of the page');
      await page.getByText('Last 7 days', { exact: true }).click();
    },
    'no button': () => press(/remove filter/),
    'the page before': async () => void (await page.goBack()),
    'sample data': async () => void (await page.goto('/analytics?sample=shown')),
    'own data': async () => {
      await page.getByText('Last 7 days', { exact: true }).click();
      await press('Back to your data');
    },
  };
  for (const [step, choose] of Object.entries(choices)) {
    await test.step(step, async () => {
      await choose();
      await expectUpToDate(page, step);
    });
  }

  await page.goto('/analytics');
  await test.step('rows and tables open and close', async () => {
    await press('All rows');
    const rows = page.getByRole('dialog');
    await expect(rows.getByRole('listitem').first()).toBeVisible();
    await rows.getByRole('button', { name: 'Show more' }).click();
    await expect(rows.getByText(/Showing the newest 200\./)).toBeVisible();
    await rows.getByRole('button', { name: 'Close' }).click();
    await expect(rows).toHaveCount(0);
    await press('Table');
    await expect(page.getByText('(partial)').first()).toBeVisible();
    await press('Chart');
    await press('Refresh');
    await expect(page.getByRole('status').filter({ hasText: 'Updated at' })).toBeAttached();
  });
});

test('translated messages, bookings and settings show what was done', async ({
  page,
  emptySite,
}) => {
  await emptySite.admin('demo');
  await page.addInitScript(translate);
  await openDashboard(page, emptySite);
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();

  await test.step('messages', async () => {
    await page.getByRole('link', { name: /^Messages/ }).click();
    await page.getByRole('heading', { level: 3 }).first().getByRole('button').click();
    await press('Archive');
    await expect(page.getByText(/was archived\./)).toBeVisible();
    await press('Undo');
    await expect(page.getByText(/was moved to the inbox\./)).toBeVisible();
    await page.getByRole('searchbox').fill('nothing like this');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No messages match “nothing like this”')).toBeVisible();
    await page.getByRole('link', { name: /^Spam/ }).click();
    await expectUpToDate(page, 'spam');
    await page.getByRole('link', { name: /^Inbox/ }).click();
    await expectUpToDate(page, 'inbox');
  });

  await test.step('bookings', async () => {
    await page.getByRole('link', { name: 'Bookings' }).click();
    for (const state of ['Past', 'Cancelled', 'Upcoming']) {
      await page.getByRole('link', { name: new RegExp(`^${state}`) }).click();
      await expectUpToDate(page, state);
    }
    await page
      .getByRole('link', { name: /strategy|review/i })
      .first()
      .click();
    await expectUpToDate(page, 'a call');
    await press('Block a time');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  });

  await test.step('settings', async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: /^Before you go live/ }).click();
    await press('Check again');
    await page.getByRole('link', { name: /^Webhooks and API keys/ }).click();
    await page.getByText('Create an API key').click();
    await page.getByLabel('Name of the program').fill('Translated program');
    await page.getByLabel('Read bookings').check();
    await press('Create key');
    await expect(page.getByText('Translated program').first()).toBeVisible();
  });
});
