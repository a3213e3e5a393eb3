/** A sale from the referral to the figures, including a refund. */
import type { APIRequestContext, Page } from '@playwright/test';
import { event, refund, session, signed, type TestEvent } from '../server/testing/stripe/events.ts';
import { site as config } from '../site.config.ts';
import { test } from './connected-site.ts';
import { openAndInteract } from './landing.ts';
import { banner, dialog, expectFigures, signIn, wide } from './screens.ts';
import { expect } from './site.ts';

test.use({ viewport: wide });

async function deliver(request: APIRequestContext, testEvent: TestEvent) {
  const data = JSON.stringify(testEvent);
  const response = await request.post('/api/webhooks/stripe', {
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signed(data) },
    data,
  });
  expect(response.status()).toBe(200);
}

/** Stripe's events for the payment and the refund of the checkout with this reference. */
function stripeEvents(reference: string | null) {
  const now = Math.floor(Date.now() / 1000);
  const paid = session({ client_reference_id: reference });
  return {
    completed: { ...event('checkout.session.completed', paid), created: now },
    refunded: { ...event('refund.created', refund({ amount: 2000 })), created: now },
  };
}

/** Page views, CTA clicks, conversions and revenue, as the dashboard shows them. */
const figuresOf = (page: Page) =>
  page.locator('dl[aria-label="Summary"] > div dd:first-of-type').allTextContents();

test('a sale is counted with its source, and a refund is deducted', async ({
  page,
  context,
  browser,
  connected: { site, thirdParty },
}) => {
  const owner = await (await browser.newContext({ baseURL: site.origin })).newPage();
  await signIn(owner, site);
  await owner.goto('/analytics');
  await expectFigures(owner);
  // Other tests on this site may have been counted before.
  const [views = 0, clicks = 0] = (await figuresOf(owner)).map(Number);
  const expected = [String(views + 1), String(clicks + 1), '1'];

  await page.goto('/?utm_source=Podcast');
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(1);
  // A later direct visit keeps the first and last touch.
  await page.goto('/');
  const link = page.getByRole('link', { name: config.assessment.audit });
  await link.hover();
  await expect(link).toHaveAttribute('href', /last=/);
  await link.click();
  await page.waitForURL(`${thirdParty.origin}/pay**`);
  const reference = new URL(page.url()).searchParams.get('client_reference_id');
  expect(reference).toMatch(/^[\w-]{20,200}$/);

  const { completed, refunded } = stripeEvents(reference);
  await deliver(context.request, completed);
  const refresh = () => owner.getByRole('button', { name: 'Refresh' }).click();
  await refresh();
  await expect(owner.getByText('Source: podcast')).toBeVisible();
  await expect.poll(() => figuresOf(owner)).toEqual([...expected, '$97.00']);
  const funnel = owner.getByRole('region', { name: 'Conversion Funnel' }).getByRole('listitem');
  await expect(funnel.nth(2)).toContainText(/^Conversions1\d+\.\d\d%$/);

  await deliver(context.request, refunded);
  await refresh();
  await expect.poll(() => figuresOf(owner)).toEqual([...expected, '$77.00']);
  for (let n = 0; n < 5; n++) {
    await deliver(context.request, completed);
    await deliver(context.request, refunded);
  }
  await refresh();
  await expect.poll(() => figuresOf(owner)).toEqual([...expected, '$77.00']);
  expect(await site.rows('conversion')).toMatchObject([
    { source: 'podcast', first_source: 'podcast', button: 'audit', refunded: 2000 },
  ]);
  await owner.context().close();
});

test('a call that is booked in the calendar is counted, and a forged booking message is not', async ({
  page,
  connected: { site, thirdParty },
}) => {
  const booked = async () => (await site.rows('event')).filter(({ kind }) => kind === 7).length;
  const before = await booked();
  await openAndInteract(page);
  await banner(page).getByRole('button', { name: 'Get Started' }).click();
  await expect(dialog(page, 'strategyCall').locator('iframe')).toBeVisible();
  // A message from another window must not count as a booking.
  await page.evaluate(() => postMessage({ event: 'calendly.event_scheduled' }, '*'));
  await page.keyboard.press('Escape');
  thirdParty.setCalendars('book');
  await banner(page).getByRole('button', { name: 'Get Started' }).click();
  await expect.poll(booked).toBe(before + 1);
  thirdParty.setCalendars('load');
});
