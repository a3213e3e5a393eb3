/** The panels of connections, with real servers behind them: the test server of Stripe’s API, a calendar, a receiver. */
import type { Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { openTestServer } from '../server/testing/http-server.ts';
import type { TestSite } from '../server/testing/site.ts';
import { expectAccessibleInBothSchemes, expectAccessibleOnAllScreens } from './axe.ts';
import { test } from './own-site.ts';
import { signIn, wide } from './screens.ts';
import { expect, expectConsoleError } from './site.ts';

test.use({ viewport: wide });

/** Signs in and opens a part of Settings. */
async function openPart(page: Page, own: TestSite, path: string, name: string) {
  await signIn(page, own);
  await page.goto(`/analytics/settings/${path}`);
  const part = page.getByRole('region', { name, exact: true });
  await expect(part).toBeVisible();
  return part;
}

/** The entry of a part in the list, with its state. */
const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name });

async function expectToFitSmallScreen(page: Page, state: string) {
  await page.setViewportSize({ width: 320, height: 640 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width).toBeLessThanOrEqual(320);
  await expectAccessibleInBothSchemes(page, `${state} at 320 px`);
  await page.setViewportSize(wide);
}

test('the owner connects Stripe by one key, chooses the checkout and disconnects', async ({
  page,
  request,
  own,
  stripe,
  consoleErrors,
}) => {
  stripe.paymentLinks.push({
    ...{ id: 'plink_1', url: 'https://buy.stripe.com/audit', object: 'payment_link' },
    line_items: { object: 'list', data: [{ description: 'Email audit' }] },
  });
  const payments = await openPart(page, own, 'payments', 'Payments');
  const key = payments.getByLabel('Restricted key');

  await test.step('a key that lacks a right is refused with its name', async () => {
    await expect(payments.getByRole('link', { name: /^Open Stripe/ })).toHaveAttribute(
      'href',
      /^https:\/\/dashboard\.stripe\.com\/apikeys\/create\?name=.+rak_webhook_write/,
    );
    const error = { type: 'invalid_request_error', message: 'no' };
    stripe.failure = { path: /disputes/, status: 403, error };
    await key.fill('rk_test_4242');
    await key.press('Enter');
    await expect(payments.getByRole('alert')).toContainText('This key may not read Disputes.');
    await expect(key).toBeFocused();
    await expectConsoleError(consoleErrors, /status of 400/);
    await expectAccessibleOnAllScreens(page, 'the payments with a refused key');
    stripe.failure = undefined;
  });

  await test.step('one with all rights says whose account it is', async () => {
    await key.press('Enter');
    await expect(payments.getByText('Connected to Ada Brook.').first()).toBeVisible();
    await expect(
      payments.getByRole('definition').filter({ hasText: 'Ends in 4242' }),
    ).toBeVisible();
    await expect(entry(page, 'Payments')).not.toContainText('Not used');
    await page.emulateMedia({ forcedColors: 'active' });
    await expectAccessibleOnAllScreens(page, 'the connected payments with forced colours');
    await page.emulateMedia({ forcedColors: 'none' });
    await expectToFitSmallScreen(page, 'the connected payments');
  });

  const checkout = async () => (await request.get('/api/checkout', { maxRedirects: 0 })).headers();

  await test.step('a Payment Link is the checkout until that is undone', async () => {
    await payments.getByRole('button', { name: 'Choose a Payment Link' }).click();
    await payments.getByLabel(/^Email audit/).check();
    await expectToFitSmallScreen(page, 'the Payment Links');
    await payments.getByRole('button', { name: 'Use this link' }).click();
    await expect(payments.getByRole('button', { name: 'Undo' })).toBeFocused();
    expect((await checkout()).location).toMatch(/^https:\/\/buy\.stripe\.com\/audit/);
    await page.keyboard.press('Enter');
    await expect(payments.getByText('The checkout is as before.')).toBeVisible();
    expect((await checkout()).location).toBeUndefined();
  });

  await test.step('Stripe is disconnected', async () => {
    await payments.getByRole('button', { name: 'Disconnect' }).click();
    await payments.getByRole('button', { name: 'Disconnect' }).click();
    await expect(payments.getByText('Stripe is disconnected.')).toBeFocused();
    await expect(key).toHaveValue('');
  });
});

test('the owner adds a calendar, sees what was read, and removes it', async ({
  page,
  own,
  consoleErrors,
}) => {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  const busy = `BEGIN:VEVENT\r\nUID:1\r\nDTSTART:${day}T100000Z\r\nDTEND:${day}T110000Z\r\nEND:VEVENT`;
  const calendar = await openTestServer(
    (req, res) =>
      void (req.url === '/secret.ics'
        ? res.end(`BEGIN:VCALENDAR\r\n${busy}\r\nEND:VCALENDAR\r\n`)
        : res.writeHead(404).end()),
    { isTls: true },
  );
  const calendars = await openPart(page, own, 'calendars', 'Other calendars');
  const field = calendars.getByLabel('Add a calendar');
  await field.fill(`${calendar.origin}/missing.ics`);
  await field.press('Enter');
  await expect(calendars.getByRole('alert')).toBeVisible();
  await expect(field).toBeFocused();
  await expectConsoleError(consoleErrors, /status of 400/);
  await expectAccessibleOnAllScreens(page, 'the calendars with a mistake');

  await field.fill(`${calendar.origin}/secret.ics`);
  await field.press('Enter');
  await expect(
    calendars.getByText('Read: 1 busy time in the next seven days', { exact: true }),
  ).toBeFocused();
  await expect(
    calendars.getByText(/^1 busy time in the next seven days\. Read today/),
  ).toBeVisible();
  await expect(entry(page, 'Other calendars')).toContainText('1 busy time in seven days');
  await expect(calendars.getByLabel('See your calls in your own calendar')).toHaveValue(
    new RegExp(`^${own.origin}/calendar/.+\\.ics$`),
  );
  await calendars.getByText('Where to find the address').click();
  await expectAccessibleOnAllScreens(page, 'the calendars with one that is read');
  await expectToFitSmallScreen(page, 'the calendars');

  await calendars.getByRole('button', { name: 'Remove localhost' }).click();
  await calendars.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(calendars.getByText('localhost was removed.')).toBeFocused();
  await expect(entry(page, 'Other calendars')).toContainText('Not used');
  await calendar.close();
});

test('the owner sets a webhook, whose secret is shown once and signs its events', async ({
  page,
  own,
}) => {
  const received: { text: string; headers: Record<string, string> }[] = [];
  const receiver = await openTestServer(
    async (req, res) => {
      let text = '';
      for await (const part of req) text += part;
      if (req.method === 'POST') {
        received.push({ text, headers: req.headers as Record<string, string> });
      }
      res.end();
    },
    { isTls: true },
  );
  const part = await openPart(page, own, 'webhooks', 'Webhooks and API keys');
  const webhook = part.getByRole('region', { name: 'Webhook' });
  const field = webhook.getByLabel('Tell this address about bookings and sales');
  await field.fill(`${receiver.origin}/hook`);
  await field.press('Enter');
  const secret = webhook.getByLabel('Signing secret', { exact: true });
  await expect(secret).toBeFocused();
  const value = await secret.inputValue();
  await expectAccessibleOnAllScreens(page, 'the webhook with its new secret');
  await expectToFitSmallScreen(page, 'the webhook with its new secret');
  await page.reload();
  await expect(webhook.getByText('localhost')).toBeVisible();
  await expect(secret).toHaveCount(0);

  const message = { name: 'Ada', email: 'ada@my-host.com', message: 'Hello' };
  await own.post('/api/contact', message);
  await expect.poll(() => received.length).toBe(1);
  const [{ text, headers } = { text: '', headers: {} }] = received;
  expect(new Webhook(value).verify(text, headers)).toMatchObject({ type: 'message.received' });

  await webhook.getByRole('button', { name: 'Remove' }).click();
  await webhook.getByRole('button', { name: 'Remove' }).click();
  await expect(webhook.getByText('The webhook is removed.')).toBeFocused();
  await receiver.close();
});

test('the owner sends visitors to Calendly by keyboard, and takes it back', {
  tag: '@long',
}, async ({ page, request, own }) => {
  const services = await openPart(page, own, 'booking-services', 'Booking services');
  const strategy = services.getByRole('group', { name: 'Visitors book the strategy call' });
  const address = services.getByLabel('Address of your event there');
  await strategy.getByLabel('On this site’s calendar').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(address).toBeFocused();
  await page.keyboard.type('https://calendly.com/ada');

  await page.reload();
  await expect(address).toHaveValue('https://calendly.com/ada');
  await expect(strategy.getByLabel('At Calendly')).toBeChecked();
  await address.focus();
  await page.keyboard.press('End');
  await page.keyboard.type('/call');
  await page.keyboard.press('Enter');
  const undo = services.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  expect(await (await request.get('/')).text()).toContain('https://calendly.com/ada/call');
  await expect(services.getByRole('heading', { name: 'Count calls at Calendly' })).toBeVisible();
  await expect(services.getByLabel('Address for Calendly')).toHaveValue(
    `${own.origin}/api/webhooks/calendly`,
  );
  await expectAccessibleOnAllScreens(page, 'the booking services with Calendly');
  await expectToFitSmallScreen(page, 'the booking services');

  await undo.press('Enter');
  await expect(services.getByText('Visitors book it on this site’s calendar now.')).toBeVisible();
  expect(await (await request.get('/')).text()).not.toContain('calendly.com/ada');
});
