import type { Locator } from '@playwright/test';
import { config } from './config.ts';
import {
  delayRequests,
  emptyForm,
  expectValues,
  failureText,
  fillIn,
  messageOf,
  recordMessages,
  send,
  successText,
} from './contact.ts';
import { openBooted } from './landing.ts';
import { banner, dialog, openContact, signIn, wide } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce' });

test.beforeEach(({ page }) => openBooted(page));

test('a message is sent as specified, stored, and followed by a thank-you', async ({
  page,
  context,
  site,
}) => {
  await context.addCookies([{ name: 'visitor', value: 'known', url: site.origin }]);
  const release = await delayRequests(page, /\/api\/contact$/);
  const requests = recordMessages(page);
  const contact = await openContact(page);
  const typed = messageOf('Ada Lovelace');
  await fillIn(contact, typed);
  await send(contact).click();

  await expect(send(contact)).toHaveText('Sending...');
  await expect(send(contact)).toBeDisabled();
  await expectValues(contact, typed);
  release();

  await expect(contact).toBeHidden();
  await expect(page.getByRole('alert')).toHaveText(successText);
  await expect(banner(page).getByRole('button', { name: config.header.contact })).toBeFocused();
  await expectValues(await openContact(page), emptyForm);
  await expect(send(contact)).toHaveText('Send');
  await expect(send(contact)).toBeEnabled();

  expect(requests).toHaveLength(1);
  const [request] = requests;
  expect(request?.method()).toBe('POST');
  expect(request?.url()).toBe(`${site.origin}/api/contact`);
  expect(request?.postDataJSON()).toEqual(typed);
  const headers = await request?.allHeaders();
  expect(headers?.['content-type']).toBe('application/json');
  expect(headers?.cookie).toContain('visitor=known');
  const [row, ...more] = (await site.rows('contact_message')).filter(
    ({ name }) => name === typed.name,
  );
  expect(row).toMatchObject({ ...typed });
  expect(more).toEqual([]);
});

test('a message with long fields is sent, stored in full and listed in the inbox', async ({
  page,
  site,
}) => {
  const typed = {
    ...messageOf('Endless'),
    name: `Endless ${'name '.repeat(1000).trim()}`,
    email: `${'a'.repeat(300)}@studio.example`,
    company: 'C'.repeat(3000),
    message: `${'word '.repeat(60_000)}end`,
  };
  const contact = await openContact(page);
  await fillIn(contact, typed);
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(successText);
  const [row] = (await site.rows('contact_message')).filter(({ name }) => name === typed.name);
  expect(row).toMatchObject({ ...typed });

  await signIn(page, site);
  await page.goto('/analytics/messages');
  const item = page.getByRole('button', { name: /Endless/ });
  expect((await item.boundingBox())?.height).toBeLessThan(120);
  await item.click();
  await expect(page.getByRole('link', { name: 'Reply' })).toHaveAttribute('href', /^mailto:aaa/);
});

test('a message that is too long stays in the form, with a sentence that says so', async ({
  page,
  consoleErrors,
}) => {
  const typed = { ...messageOf('Very Long'), message: 'word '.repeat(220_000) };
  const contact = await openContact(page);
  await fillIn(contact, typed);
  await send(contact).click();
  await expect(contact.getByRole('alert')).toHaveText(failureText);
  await expect(contact.getByText('The message is too long. Please shorten it.')).toBeVisible();
  await expectValues(contact, typed);
  await expect(contact.getByRole('alert').getByRole('link')).toHaveAttribute(
    'href',
    `mailto:${config.brand.email}`,
  );
  await expectConsoleError(consoleErrors, /413/);
});

test('several messages in a row are each sent once', async ({ page, site }) => {
  const contact = dialog(page, 'contact');
  const alert = page.getByRole('alert');
  const stored = async (name: string) =>
    (await site.rows('contact_message')).filter((row) => row.name === name);

  await test.step('the company is optional', async () => {
    await openContact(page);
    await fillIn(contact, { ...messageOf('Solo Founder'), company: '' });
    await send(contact).click();
    await expect(alert).toHaveText(successText);
    expect(await stored('Solo Founder')).toMatchObject([{ company: null }]);
  });

  await test.step('a very long message is sent while the last thank-you is still visible', async () => {
    const message = 'long '.repeat(10_000).trim();
    await openContact(page);
    await fillIn(contact, { ...messageOf('Long Writer'), message });
    await send(contact).click();
    await expect(contact).toBeHidden();
    await expect(alert).toHaveCount(1);
    await expect(alert).toHaveText(successText);
    expect(await stored('Long Writer')).toMatchObject([{ message }]);
  });

  await test.step('pressing Enter twice sends one message', async () => {
    const release = await delayRequests(page, /\/api\/contact$/);
    const requests = recordMessages(page);
    await openContact(page);
    await fillIn(contact, messageOf('Double Enter'));
    await contact.getByLabel('Name').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(send(contact)).toBeDisabled();
    await page.keyboard.press('Enter');
    release();
    await expect(contact).toBeHidden();
    await expect(alert).toHaveText(successText);
    expect(requests).toHaveLength(1);
    expect(await stored('Double Enter')).toHaveLength(1);
  });

  await test.step('a held Enter sends one message, thanks, and does not open the form again', async () => {
    const requests = recordMessages(page);
    await openContact(page);
    await fillIn(contact, messageOf('Held Enter'));
    await contact.getByLabel('Email').focus();
    await page.keyboard.down('Enter');
    await expect(async () => {
      // Playwright sends a repeat for each further press of a key that is down.
      await page.keyboard.down('Enter');
      await expect(alert).toHaveText(successText, { timeout: 100 });
    }).toPass();
    for (let repeats = 0; repeats < 10; repeats++) await page.keyboard.down('Enter');
    await expect(contact).toBeHidden();
    await page.keyboard.up('Enter');
    await expect(alert).toBeVisible();
    expect(requests).toHaveLength(1);
  });
});

test('the form closes, clears and thanks when its fields are used while it sends', async ({
  page,
}) => {
  const release = await delayRequests(page, /\/api\/contact$/);
  const contact = await openContact(page);
  const typed = messageOf('Second Thought');
  await fillIn(contact, typed);
  await send(contact).click();
  await expect(send(contact)).toHaveText('Sending...');
  await contact.getByLabel('Message').click();
  await page.keyboard.type(' And one more thing.');
  await expectValues(contact, typed);
  release();
  await expect(contact).toBeHidden();
  await expect(page.getByRole('alert')).toHaveText(successText);
  await expectValues(await openContact(page), emptyForm);
});

test('a failed message stays in the form and can be sent again', async ({
  page,
  consoleErrors,
}) => {
  const typed = messageOf('Kept Typing');
  const contact = await openContact(page);
  await fillIn(contact, typed);
  for (const [kind, status] of [
    ['an error response', 500],
    ['a network error', undefined],
  ] as const) {
    await test.step(`${kind} leaves the form open with its values`, async () => {
      await page.route('**/api/contact', (route) =>
        status ? route.fulfill({ status, json: { error: 'Broken.' } }) : route.abort(),
      );
      await send(contact).click();
      await expectConsoleError(consoleErrors, /Failed to load resource/);
      // The page also logs the error.
      await expectConsoleError(consoleErrors, status ? /500: .*Broken/ : /Failed to fetch/);
      await expect(contact.getByRole('alert')).toHaveText(failureText);
      await expect(contact).toBeVisible();
      await expectValues(contact, typed);
      await expect(send(contact)).toBeEnabled();
      await page.unroute('**/api/contact');
    });
  }

  await test.step('the next attempt succeeds', async () => {
    await send(contact).click();
    await expect(page.getByRole('alert')).toHaveText(successText);
  });

  await test.step('success depends only on the status', async () => {
    await page.route('**/api/contact', (route) => route.fulfill({ status: 202, body: 'no JSON' }));
    await fillIn(await openContact(page), messageOf('Status Only'));
    await send(contact).click();
    await expect(contact).toBeHidden();
    await expect(page.getByRole('alert')).toHaveText(successText);
  });
});

test('the form validates its fields and keeps a draft', async ({ page }) => {
  const requests = recordMessages(page);
  const contact = dialog(page, 'contact');
  await test.step('the form focuses its first field, and Esc closes it', async () => {
    await openContact(page);
    await expect(contact.getByLabel('Name')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(contact).toBeHidden();
    await expect(banner(page).getByRole('button', { name: config.header.contact })).toBeFocused();
  });

  await test.step('the browser validates required fields and the email address, and nothing else', async () => {
    await openContact(page);
    await expectNativeValidation(contact);
    expect(requests).toEqual([]);
    await expect(contact).toBeVisible();
  });

  await test.step('Cancel closes the form and keeps the draft', async () => {
    const typed = messageOf('Second Thoughts');
    await fillIn(contact, typed);
    await contact.getByRole('button', { name: 'Cancel' }).click();
    await expect(contact).toBeHidden();
    await expectValues(await openContact(page), typed);
  });
});

async function expectNativeValidation(contact: Locator) {
  const field = (name: string) => contact.getByLabel(name);
  const validity = (name: string) =>
    field(name).evaluate((el: HTMLInputElement) => {
      const { valueMissing, typeMismatch, valid } = el.validity;
      return { valueMissing, typeMismatch, valid };
    });
  const missing = { valueMissing: true, typeMismatch: false, valid: false };
  const valid = { valueMissing: false, typeMismatch: false, valid: true };

  await send(contact).click();
  await expect(field('Name')).toBeFocused();
  expect(await validity('Name')).toEqual(missing);
  expect(await validity('Email')).toEqual(missing);
  expect(await validity('Company')).toEqual(valid);
  expect(await validity('Message')).toEqual(missing);

  await field('Name').fill('   ');
  await field('Email').fill('a@b.example');
  await field('Message').fill('M');
  await send(contact).click();
  await expect(field('Name')).toBeFocused();
  expect(await validity('Name')).toEqual(missing);

  await field('Name').fill('N');
  await field('Email').fill('no address');
  await field('Message').fill('M');
  await send(contact).click();
  await expect(field('Email')).toBeFocused();
  const mismatch = { valueMissing: false, typeMismatch: true, valid: false };
  expect(await validity('Email')).toEqual(mismatch);

  for (const name of ['Name', 'Email', 'Company', 'Message']) {
    await expect(field(name)).not.toHaveAttribute('maxlength');
    expect(await field(name).evaluate((el: HTMLInputElement) => el.validity.customError)).toBe(
      false,
    );
  }
}

test.describe('the contact form before its code has loaded', () => {
  const code = /\/assets\/contact-/;

  test('hydration keeps the text and the focus of the contact form', async ({ page }) => {
    const release = await delayRequests(page, code);
    const contact = await openContact(page);
    const typed = messageOf('Fast Typist');
    await fillIn(contact, typed);
    await contact.getByLabel('Company').focus();
    const loaded = page.waitForResponse(code);
    release();
    await loaded;
    await expect(contact.getByLabel('Company')).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.type(' Ltd');
    await expectValues(contact, { ...typed, company: `${typed.company} Ltd` });
    await send(contact).click();
    await expect(page.getByRole('alert')).toHaveText(successText);
    await expect(page).toHaveURL('/');
  });

  test('a message before hydration is delayed and sent once', async ({ page, site }) => {
    const release = await delayRequests(page, code);
    const requests = recordMessages(page);
    const contact = await openContact(page);
    const typed = messageOf('Early Sender');
    await fillIn(contact, typed);
    await send(contact).click();
    // The button ignores the pointer now, but not the keyboard.
    await contact.getByLabel('Company').press('Enter');
    expect(requests).toEqual([]);
    release();
    await expect(page.getByRole('alert')).toHaveText(successText);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.postDataJSON()).toEqual(typed);
    expect(
      (await site.rows('contact_message')).filter(({ name }) => name === typed.name),
    ).toHaveLength(1);
  });

  test('a message is posted natively when the form’s code cannot be loaded', async ({
    page,
    site,
    consoleErrors,
  }) => {
    await page.route(code, (route) => route.abort());
    const contact = await openContact(page);
    await fillIn(contact, messageOf('No Chunk'));
    await send(contact).click();
    await expect(page.getByRole('heading', { name: config.contactPages.sentTitle })).toBeVisible();
    expect((await site.rows('contact_message')).map(({ name }) => name)).toContain('No Chunk');
    await expectConsoleError(consoleErrors, /net::ERR_FAILED/);
  });
});
