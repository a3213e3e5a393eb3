import { expectAccessible, expectAccessibleOnAllScreens } from './axe.ts';
import { delayRequests, fillIn, messageOf, send, successText } from './contact.ts';
import { openBooted } from './landing.ts';
import { openContact, openDashboard, signIn } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test('a message appears in the inbox and can be read, archived and moved back', async ({
  page,
  site,
}) => {
  await openBooted(page);
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Inbox Visitor'));
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(successText);

  await openDashboard(page, site);
  await page.getByRole('link', { name: /^Messages/ }).click();
  await expect(page).toHaveURL('/analytics/messages');
  await expect(page).toHaveTitle('Messages');
  const row = page.getByRole('button', { name: /Inbox Visitor/ });
  await row.click();
  await expect(page.getByText('What Inbox Visitor wanted to say:')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reply' })).toHaveAttribute(
    'href',
    /^mailto:visitor@studio\.example\?subject=/,
  );
  await page.getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByText('The message from Inbox Visitor was archived.')).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.getByRole('link', { name: /^Archive/ }).click();
  await expect(page).toHaveURL('/analytics/messages?folder=archive');
  await row.press('Enter');
  await page.getByRole('button', { name: 'Move to inbox' }).press('Enter');
  await expect(row).toHaveCount(0);
  const stored = (await site.rows('contact_message')).find(({ name }) => name === 'Inbox Visitor');
  expect(stored).toMatchObject({ folder: 'inbox', is_read: 1 });
});

test('emptying spam asks for confirmation and keeps the inbox', async ({ page, site }) => {
  for (const [n, honeypot] of ['', 'x', 'x'].entries()) {
    await page.request.post('/api/contact', {
      data: {
        name: `Empty ${n}`,
        email: 'eve@example.com',
        // A word that is wider than a small screen.
        message: 'x'.repeat(300),
        hq7x: honeypot,
      },
      headers: { 'x-forwarded-for': `203.0.113.${n}` },
    });
  }
  await site.ageMessages(3 * 60_000);
  await signIn(page, site);

  await test.step('an open message fits the screen and has no axe violations', async () => {
    await page.goto('/analytics/messages');
    await page.getByRole('button', { name: /Empty 0/ }).click();
    await expect(page.getByRole('link', { name: 'Reply' })).toBeVisible();
    await expectAccessibleOnAllScreens(page, 'the inbox, a message open');
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      await expect.poll(isWide).toBe(false);
    }
  });

  await page.goto('/analytics/messages?folder=spam');
  await page.getByRole('button', { name: 'Empty spam' }).click();
  await expectAccessible(page, 'the confirmation before spam is deleted');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Spam older than two minutes was deleted.')).toBeVisible();
  await expect(page.getByText('No spam')).toBeVisible();
  const stored = await site.rows('contact_message');
  expect(stored.filter(({ folder }) => folder === 'spam')).toEqual([]);
  expect(stored.filter(({ name }) => String(name).startsWith('Empty'))).toHaveLength(1);
});

test('a draft is restored after a reload until it is sent', async ({ page }) => {
  await openBooted(page);
  const contact = await openContact(page);

  await test.step('the honeypot is off screen and not reachable by Tab', async () => {
    const honeypot = contact.locator('[name=hq7x]');
    await expect(honeypot).not.toBeInViewport();
    await contact.getByLabel('Message').focus();
    await page.keyboard.press('Tab');
    await expect(send(contact)).toBeFocused();
  });

  // The draft is stored once the form is hydrated.
  const storedDraft = () => page.evaluate(() => JSON.stringify(Object.values(sessionStorage)));
  await contact.getByLabel('Message').fill('Half a thought');
  await expect.poll(storedDraft).toContain('Half a thought');
  await page.keyboard.press('Escape');
  await page.reload();
  await openContact(page);
  await expect(contact.getByLabel('Message')).toHaveValue('Half a thought');
  await fillIn(contact, messageOf('Draft Keeper'));
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(successText);
  await page.reload();
  await openContact(page);
  await contact.getByLabel('Name').fill('Somebody new');
  await expect.poll(storedDraft).toContain('Somebody new');
  await expect(contact.getByLabel('Message')).toHaveValue('');
});

test('a retry after a lost response does not create a second message', async ({
  page,
  site,
  consoleErrors,
}) => {
  // The first attempt comes before hydration.
  const release = await delayRequests(page, /\/assets\/contact-/);
  await openBooted(page);
  const contact = await openContact(page);
  const typed = messageOf('Twice Sent');
  await fillIn(contact, typed);
  // The server stores the message, but its response is lost.
  await page.route(/\/api\/contact$/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await send(contact).click();
  release();
  await expect(contact.getByRole('alert')).toBeVisible();
  await page.unroute(/\/api\/contact$/);
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(successText);
  expect(
    (await site.rows('contact_message')).filter(({ name }) => name === typed.name),
  ).toHaveLength(1);
  await expectConsoleError(consoleErrors, /Failed to/);
});
