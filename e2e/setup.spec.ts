/** A new owner sets a fresh site up in the browser. */
import type { Page } from '@playwright/test';
import { pictureOf } from '../server/testing/picture.ts';
import { expectAccessibleOnAllScreens } from './axe.ts';
import { narrow } from './screens.ts';
import { expect, expectConsoleError, testOnEmptySite as test } from './site.ts';

const code = 'a-code-of-this-host';
const password = 'fourteen quiet trams';

test.use({ siteEnv: { SETUP_CODE: code }, timezoneId: 'Asia/Tokyo' });

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name });
const button = (page: Page, name: string) => page.getByRole('button', { name });

/** Chooses the password and arrives at the step after it. */
async function claim(page: Page): Promise<void> {
  await page.goto(`/setup#${code}`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Save the password').click();
  await expect(heading(page, 'Who are you?')).toBeFocused();
}

/** The time zone of the hours that visitors book in. */
async function slotsZone(page: Page): Promise<string> {
  const slots = await page.request.get('/api/booking/slots?call=strategy-call');
  return ((await slots.json()) as { timeZone: string }).timeZone;
}

/** The page that visitors see. */
const home = async (page: Page) => (await page.request.get('/')).text();

/** Expects what visitors see within seconds at every instance. */
const expectLive = (page: Page, text: string) =>
  expect.poll(async () => (await home(page)).includes(text), { message: text }).toBe(true);

test('a site is set up from the code to its look, and visitors see each step at once', async ({
  page,
  consoleErrors,
}) => {
  await page.goto('/setup');
  await page.getByLabel('Code').fill('4F7K-29');
  await button(page, 'Continue').click();
  await expect(page.getByRole('alert')).toContainText('That is not the set-up code.');
  await expectConsoleError(consoleErrors, /401/);
  await expectAccessibleOnAllScreens(page, 'a wrong set-up code');
  await page.getByLabel('Code').fill(code);
  await button(page, 'Continue').click();
  await expect(heading(page, 'Choose a password.')).toBeFocused();
  await expectConsoleError(consoleErrors, /400/);

  const field = page.getByLabel('Password', { exact: true });
  await field.fill('rowanhale2026');
  await expect(page.getByText('Too easy to guess:')).toBeVisible();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expectAccessibleOnAllScreens(page, 'a weak password');
  await button(page, 'Make one for me').click();
  const made = await field.inputValue();
  await expect(page.getByText(made, { exact: true })).toBeVisible();
  await field.fill(password);
  await expect(page.getByText('Good. Long and easy to keep in mind.')).toBeVisible();
  await button(page, 'Save the password').click();

  await expect(heading(page, 'Who are you?')).toBeFocused();
  expect((await page.request.get('/setup')).status()).toBe(404);
  await page.getByLabel('Your name').fill('Maya Lindqvist');
  await page.getByLabel('What you do').fill('I calm inboxes.');
  await page.getByLabel('Email that').fill('maya@');
  await button(page, 'Next: hours').click();
  await expect(page.getByLabel('Email that')).toBeFocused();
  await expectAccessibleOnAllScreens(page, 'a mistake in the email address');
  await page.getByLabel('Email that').fill('maya@my-domain.com');
  await page.getByLabel('File of Photo').setInputFiles({
    ...{ name: 'me.jpg', mimeType: 'image/jpeg' },
    buffer: await pictureOf('jpeg', 960, 1200),
  });
  await expect(page.getByText('The photo is in your draft.')).toBeVisible();
  await button(page, 'Next: hours').click();

  await expect(heading(page, 'When do you take calls?')).toBeFocused();
  for (const text of ['Maya Lindqvist', 'I calm inboxes.', 'mailto:maya@my-domain.com', '/photos/'])
    await expectLive(page, text);
  await expect(page.getByText('Times are in Tokyo.')).toBeVisible();
  expect(await slotsZone(page)).toBe('Europe/London');
  await button(page, 'Add hours on Monday').click();
  await button(page, 'Remove').click();
  await expect(button(page, 'Add hours on Monday')).toBeFocused();
  await button(page, 'Not my city').click();
  await expect(page.getByLabel('Your time zone')).toHaveValue('Asia/Tokyo');
  await page.getByRole('radio', { name: 'My video link' }).check();
  await button(page, 'Next: look').click();
  await expect(page.getByRole('alert')).toContainText('Paste your video link');
  await expect(page.getByLabel('Your video link')).toBeFocused();
  await expectAccessibleOnAllScreens(page, 'a missing video link');
  await page.getByLabel('Your video link').fill('https://meet.example.com/maya');
  await button(page, 'Next: look').click();

  await expect(heading(page, 'Your colours')).toBeFocused();
  await expect.poll(() => slotsZone(page)).toBe('Asia/Tokyo');
  await page.getByRole('radio', { name: 'Plum' }).check();
  await expect(page.getByText(/^Readable: at least/)).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'a set of colours');
  await button(page, 'Finish').click();

  await expect(heading(page, 'Your site is ready.')).toBeFocused();
  await expectLive(page, '#6D28A8');
  await expectAccessibleOnAllScreens(page, 'the end of the set-up');
  await expect(page.getByText('still come from the sample')).toBeVisible();
  await page.getByRole('link', { name: 'Write my words' }).click();
  await expect(page).toHaveURL(/\/analytics\/site/);
  await expect(page.getByRole('group', { name: 'State of the draft' })).toContainText(
    'Nothing changed.',
  );
});

test('the set-up is done by keyboard alone, at 390 px, with Enter as the next step', async ({
  page,
}) => {
  await page.setViewportSize(narrow);
  await page.goto(`/setup#${code}`);
  await expect(heading(page, 'Choose a password.')).toBeFocused();
  const { keyboard } = page;
  const type = async (label: string, text: string) => {
    const field = page.getByLabel(label, { exact: true });
    for (let presses = 0; presses < 30; presses++) {
      await keyboard.press('Tab');
      if (await field.evaluate((element) => element === document.activeElement)) break;
    }
    await expect(field).toBeFocused();
    await keyboard.type(text);
  };
  await type('Password', password);
  await keyboard.press('Enter');
  await expect(heading(page, 'Who are you?')).toBeFocused();
  await type('Your name, or that of your business', 'Maya Lindqvist');
  await keyboard.press('Enter');
  await expect(heading(page, 'When do you take calls?')).toBeFocused();
  await expectLive(page, 'Maya Lindqvist');
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 150; presses++) {
      await keyboard.press('Tab');
      const text = await page.evaluate(() => document.activeElement?.textContent);
      if (text === name) return keyboard.press('Enter');
    }
    throw new Error(`Tab does not reach ${name}.`);
  };
  await tabTo('Skip');
  await expect(heading(page, 'Your colours')).toBeFocused();
  await tabTo('Finish');
  await expect(heading(page, 'Your site is ready.')).toBeFocused();
  expect(await slotsZone(page)).toBe('Europe/London');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(narrow.width);
});

test('a reload continues at the step with what was typed, and Back and Skip change nothing', async ({
  page,
}) => {
  await claim(page);
  await page.getByLabel('Your name').fill('Maya Lindq');
  await page.reload();
  await expect(page.getByLabel('Your name')).toHaveValue('Maya Lindq');
  expect(await home(page)).not.toContain('Maya Lindq');
  await button(page, 'Skip').click();
  await expect(heading(page, 'When do you take calls?')).toBeFocused();
  await page.reload();
  await expect(heading(page, 'When do you take calls?')).toBeVisible();
  await button(page, 'Back').click();
  await expect(page.getByLabel('Your name')).toHaveValue('Maya Lindq');
  expect(await home(page)).not.toContain('Maya Lindq');
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(stored).not.toContain(password);
});

test('the address with the code is taken in a tab that asks for the code', async ({ page }) => {
  await page.goto('/setup');
  await expect(heading(page, 'Enter the set-up code.')).toBeVisible();
  await page.goto(`/setup#${code}`);
  await expect(heading(page, 'Choose a password.')).toBeVisible();
});

test('a text that replaced the sample can be cleared and typed anew', async ({ page }) => {
  await claim(page);
  const name = page.getByLabel('Your name');
  await name.fill('Ada');
  await name.fill('');
  await name.pressSequentially('Bo');
  await button(page, 'Next: hours').click();
  await button(page, 'Back').click();
  await expect(name).toHaveValue('Bo');
  await name.press('End');
  for (const _ of 'Bo') await name.press('Backspace');
  await expect(name).toHaveValue('');
  await button(page, 'Next: hours').click();
  await expect(name).toBeFocused();
  await name.pressSequentially('Maya');
  await button(page, 'Next: hours').click();
  await expectLive(page, 'Maya');
});

test('a tab that is closed at the hours leaves no time zone in the draft', {
  tag: '@long',
}, async ({ page, context }) => {
  await claim(page);
  await page.goto('/analytics/setup?step=hours');
  await expect(page.getByText('Times are in Tokyo.')).toBeVisible();
  // Longer than the draft waits before it saves.
  await page.waitForTimeout(1500);
  await page.close();
  const response = await context.request.get('/api/site/draft');
  expect(await response.json()).toMatchObject({ changes: [] });
});

test('a time zone that was in the draft before stays there when the hours are skipped', {
  tag: '@long',
}, async ({ page }) => {
  await claim(page);
  const patch = { path: 'calls.timeZone', from: 'Europe/London', to: 'Europe/Berlin' };
  const headers = { origin: new URL(page.url()).origin };
  const data = { patches: [patch] };
  expect((await page.request.post('/api/site/draft', { data, headers })).status()).toBe(200);
  await page.goto('/analytics/setup?step=hours');
  await expect(page.getByText('Times are in Berlin.')).toBeVisible();
  await button(page, 'Skip').click();
  await expect(heading(page, 'Your colours')).toBeFocused();
  // Longer than the draft waits before it saves.
  await page.waitForTimeout(1500);
  const draft = await (await page.request.get('/api/site/draft')).json();
  expect(draft).toMatchObject({ changes: [patch] });
});

test('a step that cannot reach the server says so, and goes on when it can', async ({
  page,
  context,
  consoleErrors,
}) => {
  await claim(page);
  await context.setOffline(true);
  await page.getByLabel('Your name').fill('Maya Lindqvist');
  await button(page, 'Next: hours').click();
  await expect(page.getByRole('alert')).toContainText('No connection.');
  await expectConsoleError(consoleErrors, /ERR_INTERNET_DISCONNECTED/);
  await expect(page.getByLabel('Your name')).toHaveValue('Maya Lindqvist');
  await context.setOffline(false);
  await button(page, 'Next: hours').click();
  await expect(heading(page, 'When do you take calls?')).toBeFocused();
  await expectLive(page, 'Maya Lindqvist');
});

test('a step asks to sign in where the session has ended, and goes on', async ({
  page,
  emptySite,
  consoleErrors,
}) => {
  await claim(page);
  await emptySite.admin('sessions', '--end-all');
  await page.getByLabel('Your name').fill('Maya Lindqvist');
  await button(page, 'Next: hours').click();
  const dialog = page.getByRole('dialog', { name: 'Sign in to save' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Sign in and save' }).click();
  await expect(heading(page, 'When do you take calls?')).toBeFocused();
  await expectLive(page, 'Maya Lindqvist');
  await expectConsoleError(consoleErrors, /401/);
});

test('a code that was used meanwhile leads to the sign-in', async ({
  page,
  browser,
  consoleErrors,
}) => {
  await page.goto(`/setup#${code}`);
  const other = await browser.newPage({ baseURL: new URL(page.url()).origin });
  await claim(other);
  await other.close();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Save the password').click();
  await expect(page.getByRole('alert')).toContainText('This site is set up already.');
  await expectConsoleError(consoleErrors, /404/);
});

test.describe('with texts from a file', () => {
  test.use({ siteEnv: { SETUP_CODE: code, SITE_CONTENT: 'file' } });

  test('the set-up of a site whose texts come from a file ends with the password', async ({
    page,
  }) => {
    await page.goto(`/setup#${code}`);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await button(page, 'Save the password').click();
    await expect(heading(page, 'Your site is ready.')).toBeFocused();
    await expect(page.getByText('Its texts come from site.config.ts')).toBeVisible();
  });
});
