import { site as words } from '../site.config.ts';
import {
  expectTyped,
  fillIn,
  hold,
  messageOf,
  messagesSent,
  nothing,
  regret,
  send,
  thanks,
} from './contact.ts';
import { openBooted } from './landing.ts';
import { banner, dialog, openContact, wide } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

test.use({ viewport: wide });

test.beforeEach(({ page }) => openBooted(page));

test('a message is sent exactly as specified, kept, and thanked for', async ({
  page,
  context,
  site,
}) => {
  await context.addCookies([{ name: 'visitor', value: 'known', url: site.origin }]);
  const release = await hold(page, /\/api\/contact$/);
  const requests = messagesSent(page);
  const contact = await openContact(page);
  const typed = messageOf('Ada Lovelace');
  await fillIn(contact, typed);
  await send(contact).click();

  await expect(send(contact)).toHaveText('Sending...');
  await expect(send(contact)).toBeDisabled();
  await expectTyped(contact, typed);
  release();

  await expect(contact).toBeHidden();
  await expect(page.getByRole('alert')).toHaveText(thanks);
  await expect(banner(page).getByRole('button', { name: words.header.contact })).toBeFocused();
  await expectTyped(await openContact(page), nothing);
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

test('the company may be left out', async ({ page, site }) => {
  const contact = await openContact(page);
  await fillIn(contact, { ...messageOf('Solo Founder'), company: '' });
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(thanks);
  const row = (await site.rows('contact_message')).find(({ name }) => name === 'Solo Founder');
  expect(row?.company).toBeNull();
});

test('success is judged by the status alone', async ({ page }) => {
  await page.route('**/api/contact', (route) => route.fulfill({ status: 202, body: 'no JSON' }));
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Status Only'));
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(thanks);
  await expect(contact).toBeHidden();
});

for (const [kind, status] of [
  ['an answer that is not ok', 500],
  ['a dead network', undefined],
] as const) {
  test(`${kind} leaves the form open with what was typed`, async ({ page, complaints }) => {
    await page.route('**/api/contact', (route) =>
      status ? route.fulfill({ status, json: { error: 'Broken.' } }) : route.abort(),
    );
    const contact = await openContact(page);
    const typed = messageOf('Kept Typing');
    await fillIn(contact, typed);
    await send(contact).click();
    await expect(contact.getByRole('alert')).toHaveText(regret);
    await expect(contact).toBeVisible();
    await expectTyped(contact, typed);
    await expect(send(contact)).toBeEnabled();
    await expectComplaint(complaints, /Failed to load resource/);
    // The error itself is logged.
    await expectComplaint(complaints, status ? /500: .*Broken/ : /Failed to fetch/);

    await page.unroute('**/api/contact');
    await send(contact).click();
    await expect(page.getByRole('alert')).toHaveText(thanks);
  });
}

test('the browser itself checks what is required, and nothing else', async ({ page }) => {
  const requests = messagesSent(page);
  const contact = await openContact(page);
  const field = (name: string) => contact.getByLabel(name);
  const fault = (name: string) =>
    field(name).evaluate((el: HTMLInputElement) => {
      const { valueMissing, typeMismatch, valid } = el.validity;
      return { valueMissing, typeMismatch, valid };
    });
  const missing = { valueMissing: true, typeMismatch: false, valid: false };
  const fine = { valueMissing: false, typeMismatch: false, valid: true };

  await send(contact).click();
  await expect(field('Name')).toBeFocused();
  expect(await fault('Name')).toEqual(missing);
  expect(await fault('Email')).toEqual(missing);
  expect(await fault('Company')).toEqual(fine);
  expect(await fault('Message')).toEqual(missing);

  await field('Name').fill('N');
  await field('Email').fill('no address');
  await field('Message').fill('M');
  await send(contact).click();
  await expect(field('Email')).toBeFocused();
  expect(await fault('Email')).toEqual({ valueMissing: false, typeMismatch: true, valid: false });

  for (const name of ['Name', 'Email', 'Company', 'Message']) {
    await expect(field(name)).not.toHaveAttribute('maxlength');
    expect(await field(name).evaluate((el: HTMLInputElement) => el.validity.customError)).toBe(
      false,
    );
  }
  expect(requests).toEqual([]);
  await expect(contact).toBeVisible();
});

test('a very long message is no fault', async ({ page, site }) => {
  const contact = await openContact(page);
  const message = 'long '.repeat(10_000).trim();
  await fillIn(contact, { ...messageOf('Long Writer'), message });
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(thanks);
  const row = (await site.rows('contact_message')).find(({ name }) => name === 'Long Writer');
  expect(row?.message).toBe(message);
});

test('Cancel closes the form and keeps the draft', async ({ page }) => {
  const contact = await openContact(page);
  const typed = messageOf('Second Thoughts');
  await fillIn(contact, typed);
  await contact.getByRole('button', { name: 'Cancel' }).click();
  await expect(contact).toBeHidden();
  await expectTyped(await openContact(page), typed);
});

test('Enter twice sends once', async ({ page, site }) => {
  const release = await hold(page, /\/api\/contact$/);
  const requests = messagesSent(page);
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Double Enter'));
  await contact.getByLabel('Name').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(send(contact)).toBeDisabled();
  await page.keyboard.press('Enter');
  release();
  await expect(page.getByRole('alert')).toHaveText(thanks);
  expect(requests).toHaveLength(1);
  expect(
    (await site.rows('contact_message')).filter(({ name }) => name === 'Double Enter'),
  ).toHaveLength(1);
});

test('the form takes the focus at its first field, and Esc closes it', async ({ page }) => {
  const contact = await openContact(page);
  await expect(contact.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(contact).toBeHidden();
  await expect(banner(page).getByRole('button', { name: words.header.contact })).toBeFocused();
});

test.describe('before its code has come', () => {
  const code = /\/assets\/contact-/;

  test('what is typed stays, and so does the focus', async ({ page }) => {
    const release = await hold(page, code);
    const contact = await openContact(page);
    const typed = messageOf('Fast Typist');
    await fillIn(contact, typed);
    await contact.getByLabel('Company').focus();
    const isAwake = page.waitForResponse(code);
    release();
    await isAwake;
    await expect(contact.getByLabel('Company')).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.type(' Ltd');
    await expectTyped(contact, { ...typed, company: `${typed.company} Ltd` });
    await send(contact).click();
    await expect(page.getByRole('alert')).toHaveText(thanks);
    await expect(page).toHaveURL('/');
  });

  test('a message sent early is held, and sent once', async ({ page, site }) => {
    const release = await hold(page, code);
    const requests = messagesSent(page);
    const contact = await openContact(page);
    const typed = messageOf('Early Sender');
    await fillIn(contact, typed);
    await send(contact).click();
    // The button is out of reach now; the keyboard is not.
    await contact.getByLabel('Company').press('Enter');
    expect(requests).toEqual([]);
    release();
    await expect(page.getByRole('alert')).toHaveText(thanks);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.postDataJSON()).toEqual(typed);
    expect(
      (await site.rows('contact_message')).filter(({ name }) => name === typed.name),
    ).toHaveLength(1);
  });

  test('if it never comes, the browser posts the form by itself', async ({
    page,
    site,
    complaints,
  }) => {
    await page.route(code, (route) => route.abort());
    const contact = await openContact(page);
    await fillIn(contact, messageOf('No Chunk'));
    await send(contact).click();
    await expect(page.getByRole('heading', { name: words.contactPages.sentTitle })).toBeVisible();
    expect((await site.rows('contact_message')).map(({ name }) => name)).toContain('No Chunk');
    await expectComplaint(complaints, /net::ERR_FAILED/);
  });
});

test('the thank-you stays out of the way of the next message', async ({ page }) => {
  const contact = await openContact(page);
  await fillIn(contact, messageOf('First Of Two'));
  await send(contact).click();
  const alert = page.getByRole('alert');
  await expect(alert).toHaveText(thanks);
  await openContact(page);
  await fillIn(contact, messageOf('Second Of Two'));
  await send(contact).click();
  await expect(dialog(page, 'contact')).toBeHidden();
  await expect(alert).toHaveCount(1);
  await expect(alert).toHaveText(thanks);
});
