import { expectAccessible, expectAccessibleOnAllScreens } from './axe.ts';
import { fillIn, messageOf, send, thanks } from './contact.ts';
import { openBooted } from './landing.ts';
import { openContact, openDashboard, signIn } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

test('a message travels from the form to the inbox, is read, archived and taken back', {
  tag: '@instances',
}, async ({ page, site }) => {
  await openBooted(page);
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Inbox Visitor'));
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(thanks);

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
  await page.getByRole('button', { name: 'Back to the inbox' }).press('Enter');
  await expect(row).toHaveCount(0);
  const kept = (await site.rows('contact_message')).find(({ name }) => name === 'Inbox Visitor');
  expect(kept).toMatchObject({ folder: 'inbox', is_read: 1 });
});

test('spam is emptied after a confirmation, and the inbox stays', async ({ page, site }) => {
  for (const [n, trap] of ['', 'x', 'x'].entries()) {
    await page.request.post('/api/contact', {
      data: {
        name: `Empty ${n}`,
        email: 'eve@example.com',
        // One word that is wider than a small screen.
        message: 'x'.repeat(300),
        hq7x: trap,
      },
      headers: { 'x-forwarded-for': `203.0.113.${n}` },
    });
  }
  await site.ageMessages(3 * 60_000);
  await signIn(page, site);

  await test.step('an open message has no findings and fits the screen', async () => {
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
  await expectAccessible(page, 'the question before spam is deleted');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Spam older than two minutes was deleted.')).toBeVisible();
  await expect(page.getByText('No spam')).toBeVisible();
  const kept = await site.rows('contact_message');
  expect(kept.filter(({ folder }) => folder === 'spam')).toEqual([]);
  expect(kept.filter(({ name }) => String(name).startsWith('Empty'))).toHaveLength(1);
});

test('a draft is there again after a reload, until it was sent', async ({ page }) => {
  await openBooted(page);
  const contact = await openContact(page);

  await test.step('the honeypot is out of sight and out of the way of the keyboard', async () => {
    const trap = contact.locator('[name=hq7x]');
    await expect(trap).not.toBeInViewport();
    await contact.getByLabel('Message').focus();
    await page.keyboard.press('Tab');
    await expect(send(contact)).toBeFocused();
  });

  // What was typed is kept once the form lives.
  const kept = () => page.evaluate(() => JSON.stringify(Object.values(sessionStorage)));
  await contact.getByLabel('Message').fill('Half a thought');
  await expect.poll(kept).toContain('Half a thought');
  await page.keyboard.press('Escape');
  await page.reload();
  await openContact(page);
  await expect(contact.getByLabel('Message')).toHaveValue('Half a thought');
  await fillIn(contact, messageOf('Draft Keeper'));
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(thanks);
  await page.reload();
  await openContact(page);
  await contact.getByLabel('Name').fill('Somebody new');
  await expect.poll(kept).toContain('Somebody new');
  await expect(contact.getByLabel('Message')).toHaveValue('');
});

test('a try after a lost answer makes no second message', async ({ page, site, complaints }) => {
  await openBooted(page);
  const contact = await openContact(page);
  const typed = messageOf('Twice Sent');
  await fillIn(contact, typed);
  // The server keeps it, and the answer never arrives.
  await page.route(/\/api\/contact$/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await send(contact).click();
  await expect(contact.getByRole('alert')).toBeVisible();
  await page.unroute(/\/api\/contact$/);
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(thanks);
  expect(
    (await site.rows('contact_message')).filter(({ name }) => name === typed.name),
  ).toHaveLength(1);
  await expectComplaint(complaints, /Failed to/);
});
