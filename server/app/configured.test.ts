/** The configured part of a site, made anew while the site runs. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sampleWith } from '../testing/sample-config.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { openTestSmtp, type TestSmtp } from '../testing/smtp.ts';
import { event, secret, session, signed } from '../testing/stripe/events.ts';

let site: TestSite;
let smtp: TestSmtp;

const checkoutAt = (path: string) => `https://buy.stripe.com/${path}`;
const withCheckout = (path: string, name = 'Rowan Hale') =>
  sampleWith({ brand: { name }, links: { checkout: checkoutAt(path) } });
const withPaymentLinks = (...paymentLinks: string[]) => ({ ...sampleWith({}), paymentLinks });
const nameOf = (response: Response) =>
  new URL(response.headers.get('location') ?? '').pathname.slice(1);

beforeEach(async () => {
  smtp = await openTestSmtp();
  site = await openTestSite({
    env: {
      SMTP_URL: smtp.url,
      CONTACT_TO: 'me@my-domain.com',
      STRIPE_WEBHOOK_SECRET: secret,
      ADMIN_PASSWORD: undefined,
    },
    config: withCheckout('first'),
  });
});
afterEach(async () => {
  await site.close();
  await smtp.close();
});

it('requests during a change of the config are answered, and those after it use the new one', async () => {
  let isChanged = false;
  const answers: Promise<{ wasChanged: boolean; name: string }>[] = [];
  const ask = async () => {
    const wasChanged = isChanged;
    return { wasChanged, name: nameOf(await site.fetch('/api/checkout')) };
  };
  const visitors = Array.from({ length: 8 }, async () => {
    for (let n = 0; n < 25; n++) {
      answers.push(ask());
      await answers.at(-1);
    }
  });
  for (const path of ['second', 'third']) await site.configure(withCheckout(path));
  isChanged = true;
  answers.push(ask());
  await Promise.all(visitors);
  const all = await Promise.all(answers);
  expect(all).toHaveLength(201);
  expect(all.filter(({ wasChanged, name }) => wasChanged && name !== 'third')).toEqual([]);
  expect(all.every(({ name }) => ['first', 'second', 'third'].includes(name))).toBe(true);
});

it('an email after a change of the config is sent once, with its name', async () => {
  const send = (name: string) =>
    site.post('/api/contact', { name, email: 'ada@example.com', message: 'Hello' });
  const sent = () => smtp.emails.map(({ subject, from }) => [subject, from?.name]);
  await site.configure(withCheckout('first', 'Nora Quist'));
  expect((await send('Ben')).status).toBe(200);
  await expect.poll(sent).toEqual([[expect.stringMatching(/Ben/), 'Nora Quist']]);
});

it('the pages of bookings have the words of the new config after a change', async () => {
  const page = async () => (await site.fetch('/book/strategy-call')).text();
  expect(await page()).toMatch(/"\d+ times"/);
  await site.configure(sampleWith({ bookingPages: { manyTimes: 'free times' } }));
  expect(await page()).toMatch(/"\d+ free times"/);
});

it('the sales of other Payment Links stop counting after a change of the config', async () => {
  const cookie = await signIn(site);
  const conversions = async () => {
    const response = await site.fetch('/api/analytics/dashboard?startDate=2020-01-01T00:00:00Z', {
      headers: { cookie },
    });
    return ((await response.json()) as { summary: { conversions: number } }).summary.conversions;
  };
  const paid = JSON.stringify(
    event('checkout.session.completed', session({ payment_link: 'plink_1Test' })),
  );
  await site.post('/api/webhooks/stripe', paid, { 'stripe-signature': signed(paid) });
  expect(await conversions()).toBe(1);
  await site.configure(withPaymentLinks('plink_2Test'));
  await expect.poll(conversions).toBe(0);
  await site.configure(withPaymentLinks('plink_2Test', 'plink_1Test'));
  await expect.poll(conversions).toBe(1);
});

it('a new password is refused when it is the brand’s name of the config in use', async () => {
  const cookie = await signIn(site);
  const change = (newPassword: string) =>
    site.post('/api/admin/password', { currentPassword: site.password, newPassword }, { cookie });
  await site.configure(withCheckout('first', 'Nora Quist'));
  const refused = await change('Nora Quist 2026');
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { code: 'VALIDATION', issues: [{ path: 'newPassword' }] },
  ]);
  expect((await change('Rowan Hale 2026')).status).toBe(200);
});

it('a config with which the site cannot start changes nothing', async () => {
  const { calls } = sampleWith({});
  const hours = { ...calls.hours, friday: ['late'] };
  await expect(site.configure(sampleWith({ calls: { hours } }))).rejects.toThrow();
  expect(nameOf(await site.fetch('/api/checkout'))).toBe('first');
  await site.configure(withCheckout('second'));
  expect(nameOf(await site.fetch('/api/checkout'))).toBe('second');
});
