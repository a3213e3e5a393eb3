/** The screen Site: the owner edits the site, sees it, publishes it and takes it back. */
import type { Page } from '@playwright/test';
import { site as config } from '../site.config.ts';
import { expectAccessibleInBothSchemes } from './axe.ts';
import { narrow, signIn } from './screens.ts';
import { expect, expectConsoleError, type RunningSite, testOnEmptySite as test } from './site.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const headline = (page: Page) => page.getByRole('textbox', { name: /^Headline/ });
const bar = (page: Page) => page.getByRole('group', { name: 'State of the draft' });
const preview = (page: Page) => page.frameLocator('iframe[title="Preview of your site"]');
const publishButton = (page: Page) => page.getByRole('button', { name: /^Publish/ });
const section = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name });

async function openEditor(page: Page, site: RunningSite, at = '') {
  await signIn(page, site);
  await page.goto(`/analytics/site${at}`);
  await expect(preview(page).getByRole('heading', { level: 1 })).toBeVisible();
}

test('the owner changes a headline, publishes it, and takes it back', async ({
  page,
  emptySite,
}) => {
  await openEditor(page, emptySite);
  const title = preview(page).getByRole('heading', { level: 1 });
  await expect(bar(page)).toHaveText('Nothing changed yet.');
  await expect(publishButton(page)).toBeDisabled();
  await expectAccessibleInBothSchemes(page, 'the editor');

  await test.step('typed words show at once, and the rendered page follows', async () => {
    await headline(page).fill('Your business, without the knots.');
    await expect(title).toHaveText('Your business, without the knots.');
    await expect(bar(page)).toHaveText(/^1 change\s*saved \d+:\d\d [AP]M$/);
    await expect(page.getByTitle('Preview of your site')).toHaveAttribute('src', /r=1$/);
    await expect(title).toHaveText('Your business, without the knots.');
    await expect(page.getByText(`Live: ${config.hero.title}`)).toBeVisible();
  });

  await test.step('visitors see it once it is published', async () => {
    await publishButton(page).click();
    const panel = page.getByRole('dialog', { name: 'Publish 1 change' });
    await expect(panel).toContainText('Hero · Headline');
    await expect(panel.locator('ins')).toHaveText('without the knots.');
    await expectAccessibleInBothSchemes(page, 'the panel Publish');
    await panel.getByLabel('Note for the history (optional)').fill('No knots');
    await panel.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(bar(page)).toContainText(/Live since \d+:\d\d [AP]M/);
    await expect(page.getByText(/^Live since/)).toBeFocused();
    const response = await page.request.get('/');
    expect(await response.text()).toContain('without the knots.');
  });

  await test.step('one press takes it back', async () => {
    await page.keyboard.press('Tab');
    await expect(bar(page).getByRole('button', { name: 'Undo' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(title).toHaveText(config.hero.title);
    await expect(headline(page)).toHaveValue(config.hero.title);
    const response = await page.request.get('/');
    expect(await response.text()).toContain(config.hero.title);
  });

  await test.step('the history has it, shows it, and brings it back', async () => {
    await page.getByRole('button', { name: 'History' }).click();
    const panel = page.getByRole('dialog', { name: 'History' });
    const entry = panel.getByRole('listitem').filter({ hasText: 'No knots' });
    await expect(entry).toContainText('Hero (1)');
    await expectAccessibleInBothSchemes(page, 'the panel History');
    await entry.getByRole('button', { name: 'Look at it' }).click();
    await expect(title).toHaveText('Your business, without the knots.');
    await entry.getByRole('button', { name: 'Bring it back' }).click();
    await expect(panel).toBeHidden();
    await expect(headline(page)).toHaveValue('Your business, without the knots.');
    await expect(publishButton(page)).toBeEnabled();
  });

  await test.step('a draft is discarded, and kept in the history', async () => {
    await publishButton(page).click();
    await page.getByRole('button', { name: 'Discard all' }).click();
    await page.getByRole('button', { name: 'Discard them' }).click();
    await expect(headline(page)).toHaveValue(config.hero.title);
    await page.getByRole('button', { name: 'History' }).click();
    await expect(page.getByText('Discarded draft')).toBeVisible();
  });
});

test('questions are added, moved, removed and restored by keyboard', async ({
  page,
  emptySite,
}) => {
  await openEditor(page, emptySite, '?section=faq');
  const [first, second] = config.faq.items;
  const rows = page.locator('[data-entry]');
  const names = async () => (await rows.allInnerTexts()).filter((text) => text !== '');

  await page.getByRole('button', { name: first?.question ?? '' }).press('Enter');
  await page.getByRole('button', { name: 'Move Question 1 down' }).press('Enter');
  await expect(page.getByText('Question 1 moved to 2 of 5')).toBeAttached();
  await expect(page.getByRole('button', { name: 'Move Question 2 down' })).toBeFocused();
  expect((await names())[0]).toBe(second?.question);

  await page.getByRole('button', { name: 'Delete Question 2' }).press('Enter');
  const undo = rows.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  await expect(rows.filter({ hasText: 'is deleted.' })).toContainText(first?.question ?? '');
  await undo.press('Enter');
  await expect(page.getByRole('button', { name: first?.question ?? '' })).toBeVisible();

  await page.getByRole('button', { name: 'Add a question' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Question' })).toBeFocused();
  await page.keyboard.type('How long does it take?');
  await page.getByRole('textbox', { name: 'Answer' }).fill('Four weeks.');
  await expect(preview(page).getByText('How long does it take?')).toBeAttached();
  await expect(bar(page)).toHaveText(/^1 change\s*saved/);
  await expectAccessibleInBothSchemes(page, 'an open question');
});

test('a holiday that is typed is the one that is saved, and the booking page has it', async ({
  page,
  emptySite,
}) => {
  await signIn(page, emptySite);
  await page.goto('/analytics/site?section=calls');
  await expect(page.getByLabel('Page', { exact: true })).toHaveValue('book-strategy-call');
  const dates = page.getByRole('group', { name: /^Dates without calls/ });
  const last = dates.getByLabel('Last day').first();
  await last.focus();
  await page.keyboard.type('01062027');
  await expect(last).toHaveValue('2027-01-06');
  await expect(bar(page)).toHaveText(/^1 change\s*saved/);
  const draft = await (await page.request.get('/api/site/draft')).json();
  expect(draft.document.calls.closed).toEqual(['2026-12-24/2027-01-06']);
});

test('a text that is clicked in the preview is edited in the form', async ({ page, emptySite }) => {
  await openEditor(page, emptySite);
  await preview(page)
    .getByText(config.about.text[1] ?? '')
    .click();
  const field = page.getByRole('textbox', { name: 'Paragraph' }).nth(1);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(config.about.text[1] ?? '');
  await expect(section(page, /^About/)).toHaveAttribute('aria-current', 'true');
  // Only WebKit needs scripts in the frame for the click to be heard.
  await expect(page.getByTitle('Preview of your site')).toHaveAttribute(
    'sandbox',
    'allow-same-origin',
  );
});

test('a mistake keeps the draft from being published, and is shown with what to do', async ({
  page,
  emptySite,
}) => {
  await openEditor(page, emptySite, '?field=links.quiz');
  const field = page.getByRole('textbox', { name: 'Quiz' });
  await expect(field).toBeFocused();
  await field.fill('form.example.com/mine');
  await expect(bar(page)).toContainText('1 mistake');
  await expect(publishButton(page)).toBeDisabled();
  await section(page, /^Hero/).click();
  await headline(page).fill('');
  await expect(bar(page)).toContainText('2 mistakes');
  await page.getByRole('button', { name: `Bring back “${config.hero.title}”` }).click();
  await expect(headline(page)).toHaveValue(config.hero.title);
  await expect(bar(page)).toContainText('1 mistake');
  await page.getByRole('button', { name: 'Show it' }).click();
  await expect(field).toBeFocused();
  await expectAccessibleInBothSchemes(page, 'a mistake');
  await page.getByRole('button', { name: 'Use https://form.example.com/mine' }).click();
  await expect(publishButton(page)).toBeEnabled();
});

test('an address that no visitor can reach is refused by its test, in words', async ({
  page,
  emptySite,
}) => {
  await openEditor(page, emptySite, '?field=links.quiz');
  const field = page.getByRole('textbox', { name: 'Quiz' });
  await field.fill('https://localhost/quiz');
  await page.getByRole('button', { name: 'Test Address of your quiz' }).click();
  const result = page.getByRole('status').filter({ hasText: 'It leads into a local network' });
  await expect(result).toContainText('which no visitor can reach. Use a public address.');
  await expectAccessibleInBothSchemes(page, 'a tested address');
  await field.fill('https://localhost/other');
  await expect(result).toBeHidden();
});

test('a sign-out while typing takes no key away, and what was typed is saved after a sign-in over the form', async ({
  page,
  emptySite,
  consoleErrors,
}) => {
  await openEditor(page, emptySite);
  await headline(page).fill('');
  await expect(bar(page)).toContainText('1 mistake');
  await page.context().clearCookies();
  await page.keyboard.type('Typed while');
  await expect(bar(page)).toContainText('You are signed out. Your words are kept in this browser.');
  await page.keyboard.type(' signed out.');
  await expect(headline(page)).toHaveValue('Typed while signed out.');
  await expectAccessibleInBothSchemes(page, 'the editor without a session');
  await bar(page).getByRole('button', { name: 'Sign in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in to save' });
  await dialog.getByLabel('Password', { exact: true }).fill(emptySite.password);
  await dialog.getByRole('button', { name: 'Sign in and save' }).click();
  await expect(dialog).toBeHidden();
  await expect(headline(page)).toBeFocused();
  await expect(bar(page)).toHaveText(/^1 change\s*saved/);
  await page.reload();
  await expect(headline(page)).toHaveValue('Typed while signed out.');
  await expectConsoleError(consoleErrors, /status of 401/);
});

test('a preview that fails without a session is shown after a sign-in', { tag: '@long' }, async ({
  page,
  emptySite,
  consoleErrors,
}) => {
  await openEditor(page, emptySite);
  await page.context().clearCookies();
  await page.getByLabel('Page', { exact: true }).selectOption('imprint');
  const alert = page.getByRole('alert').filter({ hasText: 'This page cannot be shown.' });
  await alert.getByRole('button', { name: 'Try again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in to save' });
  await dialog.getByLabel('Password', { exact: true }).fill(emptySite.password);
  await dialog.getByRole('button', { name: 'Sign in and save' }).click();
  await expect(alert).toBeHidden();
  await expect(page.getByTitle('Preview of your site')).toHaveAttribute('src', /imprint/);
  await expectConsoleError(consoleErrors, /status of 401|Framing/);
});

test('a sign-in after a Logout in another tab returns to the section, with the unsaved words named', async ({
  page,
  emptySite,
  consoleErrors,
}) => {
  await openEditor(page, emptySite, '?section=faq');
  const heading = page.getByRole('textbox', { name: /^Title/ });
  const other = await page.context().newPage();
  await other.goto('/analytics/settings');
  await page.route('/api/site/draft', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await heading.fill('Asked before the Logout.');
  await expect(bar(page)).toContainText('Not saved');
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/admin');
  await page.unroute('/api/site/draft');
  await page.getByPlaceholder('Enter admin password').fill(emptySite.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/analytics/site?section=faq');
  await expect(heading).toHaveValue('Asked before the Logout.');
  await expect(bar(page)).toHaveText(/^1 change\s*saved/);
  const notice = page.getByRole('status').filter({ hasText: 'were not saved when you left' });
  await expectAccessibleInBothSchemes(page, 'restored words');
  await notice.getByRole('button', { name: 'FAQ · Title' }).click();
  await expect(heading).toBeFocused();
  await notice.getByRole('button', { name: 'Hide this' }).click();
  await expect(notice).toBeHidden();
  await expectConsoleError(consoleErrors, /status of 401|ERR_FAILED/);
  await other.close();
});

test('words too long for the request of a closing tab are sent and named when the screen opens again', {
  tag: '@long',
}, async ({ page, emptySite }) => {
  await openEditor(page, emptySite);
  // No request of this tab reaches the server before it is closed.
  await page.route('/api/site/draft', (route) =>
    route.request().method() === 'POST' ? new Promise(() => {}) : route.continue(),
  );
  // A request that outlives its page has room for 64 kB.
  const long = 'word '.repeat(20_000);
  await headline(page).fill(long);
  const context = page.context();
  await page.close();
  page = await context.newPage();
  await page.goto('/analytics/site');
  await expect(headline(page)).toHaveValue(long);
  const notice = page.getByRole('status').filter({ hasText: 'were not saved when you left' });
  await expect(notice.getByRole('button', { name: 'Hero · Headline' })).toBeVisible();
  await expect(bar(page)).toContainText('1 mistake');
  const draft = await (await page.request.get('/api/site/draft')).json();
  expect(draft.document.hero.title).toBe(long);
});

test('words typed without a network stay in the form, survive a reload, and are saved', async ({
  page,
  emptySite,
  consoleErrors,
}) => {
  await openEditor(page, emptySite);
  await page.context().setOffline(true);
  await headline(page).fill('Typed in a tunnel.');
  await expect(bar(page)).toContainText('Not saved');
  await page.context().setOffline(false);
  await expect(bar(page)).toHaveText(/^1 change\s*saved/);

  await page.route('/api/site/draft', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await headline(page).fill('Typed before the crash.');
  await expect(bar(page)).toContainText('Not saved');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.unroute('/api/site/draft');
  await page.reload();
  await expect(headline(page)).toHaveValue('Typed before the crash.');
  await expect(bar(page)).toHaveText(/^1 change\s*saved/);
  await expectConsoleError(consoleErrors, /ERR_(INTERNET_DISCONNECTED|FAILED)/);
});

test('words whose save hangs while the owner looks at another screen are there on return, and are saved after it fails', {
  tag: '@long',
}, async ({ page, emptySite, consoleErrors }) => {
  await openEditor(page, emptySite);
  let fail = () => {};
  const hasHung = new Promise<void>((resolve) => {
    fail = resolve;
  });
  let saves = 0;
  await page.route('/api/site/draft', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    saves++;
    await hasHung;
    return route.abort();
  });
  await headline(page).fill('Typed before leaving.');
  await expect.poll(() => saves).toBe(1);
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: 'Site', exact: true }).click();
  await expect(headline(page)).toHaveValue('Typed before leaving.');
  fail();
  await expect(bar(page)).toContainText('Not saved');
  await expect(headline(page)).toHaveValue('Typed before leaving.');
  await page.unroute('/api/site/draft');
  await bar(page).getByRole('button', { name: 'Try now' }).click();
  await expect(bar(page)).toHaveText(/^1 change\s*saved/);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(bar(page)).toContainText('Nothing changed yet.');
  // The button is disabled, which takes the focus from it.
  await expect(page.getByRole('heading', { name: 'Site', exact: true })).toBeFocused();
  await expectConsoleError(consoleErrors, /ERR_FAILED/);
});

test('two tabs keep the changes of both, and ask where both changed one text', async ({
  page,
  emptySite,
}) => {
  await openEditor(page, emptySite);
  const other = await page.context().newPage();
  await other.goto('/analytics/site');
  await headline(page).fill('From the first tab.');
  await expect(bar(page)).toHaveText(/^1 change\s*saved/);
  await other.getByRole('textbox', { name: 'Introduction' }).fill('From the second tab.');
  await expect(bar(other)).toContainText('1 from another tab');
  await headline(other).fill('Typed in both.');
  await expect(bar(other)).toContainText('1 from another tab');
  await headline(page).fill('The first tab again.');
  const card = page.getByRole('group', { name: 'Changed in another tab' });
  await expect(card).toContainText('Typed in both.');
  await expectAccessibleInBothSchemes(page, 'a conflict');
  await card.getByRole('button', { name: 'Keep mine' }).click();
  await expect(headline(page)).toHaveValue('The first tab again.');
  await expect(page.getByRole('textbox', { name: 'Introduction' })).toHaveValue(
    'From the second tab.',
  );
  await other.close();
});

test('the unsent words of two tabs for one text are both offered in a third one once they are closed', {
  tag: '@long',
}, async ({ page, emptySite, consoleErrors }) => {
  await openEditor(page, emptySite);
  const context = page.context();
  const other = await context.newPage();
  await other.goto('/analytics/site');
  const words = new Map([
    [page, 'Typed in the first tab.'],
    [other, 'Typed in the second tab.'],
  ]);
  for (const [tab, text] of words) {
    await tab.route('/api/site/draft', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await headline(tab).fill(text);
    await expect(bar(tab)).toContainText('Not saved');
  }
  await expectConsoleError(consoleErrors, /ERR_FAILED/);
  // The words of a tab come when it is closed, also into a screen that is open already.
  const next = await context.newPage();
  await next.goto('/analytics/site');
  await expect(headline(next)).toBeVisible();
  for (const tab of words.keys()) await tab.close();
  const card = next.getByRole('group', { name: 'Changed in another tab' });
  for (const text of words.values()) await expect(card).toContainText(text);
  await next.reload();
  for (const text of words.values()) await expect(card).toContainText(text);
  const mine = await headline(next).inputValue();
  await card.getByRole('button', { name: 'Keep mine' }).click();
  // Not the bar: the last request of a closed tab may have saved its words, which the bar then tells.
  const atServer = async () => {
    const { document } = await (await next.request.get('/api/site/draft')).json();
    return document.hero.title;
  };
  await expect.poll(atServer).toBe(mine);
});

test('a phone shows one part of the editor at a time', async ({ page, emptySite }) => {
  await page.setViewportSize(narrow);
  await signIn(page, emptySite);
  await page.goto('/analytics/site');
  await expect(section(page, /^Hero/)).toBeVisible();
  // At the end of the page no row is beneath the bar with the three parts.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expectAccessibleInBothSchemes(page, 'the sections on a phone');
  await section(page, /^Hero/).click();
  await headline(page).fill('On a phone.');
  await expect(bar(page)).toHaveText(/^1 change\s*saved/);
  await page.getByRole('button', { name: 'See it' }).click();
  await expect(preview(page).getByRole('heading', { level: 1 })).toHaveText('On a phone.');
  // Its button is hidden with the form.
  await expect(page.getByRole('heading', { name: 'Site', exact: true })).toBeFocused();
  await expectAccessibleInBothSchemes(page, 'the preview on a phone');
  await preview(page).getByRole('heading', { level: 1 }).click();
  await expect(headline(page)).toBeFocused();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(narrow.width);
});

test.describe('with SITE_CONTENT=file', () => {
  test.use({ siteEnv: { SITE_CONTENT: 'file' } });

  test('the editor shows the texts of the file, and changes none', async ({ page, emptySite }) => {
    await openEditor(page, emptySite);
    await expect(
      page.getByText('Texts come from site.config.ts (SITE_CONTENT=file).'),
    ).toBeVisible();
    await expect(headline(page)).not.toBeEditable();
    await expect(publishButton(page)).toBeHidden();
    await expectAccessibleInBothSchemes(page, 'the editor with a pinned file');
  });
});
