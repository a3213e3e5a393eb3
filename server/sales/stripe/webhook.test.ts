import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../testing/engines.ts';
import { openTestSite, signIn, type TestSite } from '../../testing/site.ts';
import {
  charge,
  event,
  refund,
  secret,
  session,
  signed,
  type TestEvent,
} from '../../testing/stripe/events.ts';

const path = '/api/webhooks/stripe';
const previousSecret = 'whsec_theOneBefore';

let site: TestSite;
let remove = async () => {};
let now = Date.UTC(2026, 2, 11);
const open = async (env: Record<string, string> = {}) => {
  site = await openTestSite({ env: { STRIPE_WEBHOOK_SECRET: secret, ...env }, now: () => now });
};
beforeEach(() => {
  now = Date.UTC(2026, 2, 11);
});
afterEach(async () => {
  await site.close();
  await remove();
  remove = async () => {};
});

const deliver = (sent: TestEvent | string, header?: string) => {
  const body = typeof sent === 'string' ? sent : JSON.stringify(sent, null, 2);
  return site.post(path, body, { 'stripe-signature': header ?? signed(body) });
};
const dashboard = async () => {
  const cookie = await signIn(site, { origin: site.origin });
  const response = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
  return response.json();
};

describe('webhook', () => {
  beforeEach(() => open());

  it('the dashboard counts a delivered sale and subtracts its refund', async () => {
    const response = await deliver(event('checkout.session.completed', session()));
    expect([response.status, await response.json()]).toEqual([200, { received: true }]);
    expect(await dashboard()).toMatchObject({
      summary: { conversions: 1, totalRevenue: 97, refundedRevenue: 0 },
      conversions: [{ conversionValue: 9700, currency: 'USD', email: 'ada@example.com' }],
    });
    await deliver(event('refund.created', refund(), 100));
    expect(await dashboard()).toMatchObject({
      summary: { conversions: 1, totalRevenue: 77, refundedRevenue: 20 },
      conversions: [{ conversionValue: 9700, refunded: 2000 }],
    });
  });

  it('a sale of a clock that is minutes ahead is shown at once', async () => {
    const minutesAhead = (now - event('x', {}).created * 1000) / 1000 + 300;
    await deliver(event('checkout.session.completed', session(), minutesAhead));
    now += 1;
    expect(await dashboard()).toMatchObject({
      summary: { conversions: 1 },
      conversions: [{ timestamp: new Date(now - 1).toISOString() }],
    });
  });

  it('repeated concurrent deliveries change nothing', async () => {
    const events = [
      event('checkout.session.completed', session()),
      event('refund.created', refund(), 100),
    ];
    for (const one of events) await deliver(one);
    const before = await dashboard();
    const again = await Promise.all([...Array(5)].flatMap(() => events.map((one) => deliver(one))));
    expect(again.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await dashboard()).toEqual(before);
  });

  it('a delivery returns 400 when its body differs from the signed one', async () => {
    const body = JSON.stringify(
      event('checkout.session.completed', session({ customer_email: 'jürgen@exämple.de' })),
    );
    expect((await deliver(body)).status).toBe(200);
    expect((await deliver(` ${body}`, signed(body))).status).toBe(400);
  });

  it.each([
    ['no signature', ''],
    ['a malformed signature', 't=x,v1=y'],
    ['the signature of another secret', signed('{}', { key: 'whsec_another' })],
  ])('a delivery with %s returns 400', async (_name, header) => {
    const response = await deliver('{}', header);
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        error: 'The signature header is missing, wrong or too old.',
        code: 'INVALID_SIGNATURE',
      },
    ]);
  });

  it('a delivery signed more than five minutes ago returns 400', async () => {
    const body = JSON.stringify(event('checkout.session.completed', session()));
    const minutes = (n: number) => signed(body, { at: Date.now() - n * 60_000 });
    expect((await deliver(body, minutes(6))).status).toBe(400);
    expect((await deliver(body, minutes(4))).status).toBe(200);
  });

  it('an event that affects no sale returns 200', async () => {
    expect((await deliver(event('customer.created', { id: 'cus_1' }))).status).toBe(200);
    expect(await dashboard()).toMatchObject({ summary: { conversions: 0 } });
  });

  it('an invalid event returns 400, so that Stripe retries it', async () => {
    const broken = event('checkout.session.completed', { id: 'cs_1', amount_total: 'much' });
    const response = await deliver(broken);
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        error: 'This event cannot be read here. Please update the site.',
        code: 'UNREADABLE_EVENT',
      },
    ]);
    for (const body of ['not JSON', '[]', 'null']) {
      expect((await deliver(body, signed(body))).status).toBe(400);
    }
  });

  it('the webhook returns 405 for GET and 413 for a large body', async () => {
    const response = await site.fetch(path);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await deliver('x'.repeat(300_000))).status).toBe(413);
  });
});

describe.each(engines)('on $name', ({ create }) => {
  beforeEach(async () => {
    const testDatabase = await create();
    remove = testDatabase.remove;
    await open(testDatabase.env);
  });

  const seconds = () => Math.floor(Date.now() / 1000);
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const headers: Record<string, (body: string) => string> = {
    'an empty v1 signature': () => 't=1,v1=',
    'a v1 name without a value': () => `t=${seconds()},v1`,
    'no timestamp': (body) => `v1=${hmac(`${seconds()}.${body}`)}`,
    'a timestamp without a value': (body) => `t=,v1=${hmac(`.${body}`)}`,
    'a timestamp that is not a number': (body) => `t=x,v1=${hmac(`NaN.${body}`)}`,
    'a negative timestamp': (body) => `t=-1,v1=${hmac(`-1.${body}`)}`,
    'a fractional timestamp': (body) => `t=9e12.5,v1=${hmac(`9e12.5.${body}`)}`,
    'a signature that is not hex': () => `t=${seconds()},v1=${'z'.repeat(64)}`,
    'a signature of the wrong length': (body) =>
      `t=${seconds()},v1=${hmac(`${seconds()}.${body}`).slice(0, 63)}`,
    'a signature of another scheme': (body) => `t=${seconds()},v0=${hmac(`${seconds()}.${body}`)}`,
    'several wrong signatures': () => `t=${seconds()}${`,v1=${'0'.repeat(64)}`.repeat(9)}`,
    'a huge header': () => `t=${seconds()},v1=${'0'.repeat(12_000)}`,
    'only separators': () => ',=,=,',
    'bytes that are not ASCII': () => `t=${seconds()},v1=\u00ff\u00fe`,
  };
  it('a malformed Stripe-Signature returns 400', async () => {
    const body = JSON.stringify(event('checkout.session.completed', session()));
    for (const [name, header] of Object.entries(headers)) {
      const response = await deliver(body, header(body));
      expect([response.status, await response.json()], name).toEqual([
        400,
        {
          error: 'The signature header is missing, wrong or too old.',
          code: 'INVALID_SIGNATURE',
        },
      ]);
    }
    expect(await dashboard()).toMatchObject({ summary: { conversions: 0 } });
  });

  it('a delivery counts when one of several v1 signatures is right', async () => {
    const body = JSON.stringify(event('checkout.session.completed', session()));
    const [time, right] = signed(body).split(',');
    expect((await deliver(body, `${time},v1=,v1=${'0'.repeat(64)},${right},v0=x`)).status).toBe(
      200,
    );
    expect(await dashboard()).toMatchObject({ summary: { conversions: 1 } });
  });

  it('a thin event returns 400 with what to change at Stripe', async () => {
    const thin = {
      id: 'evt_test_65RCtd',
      object: 'v2.core.event',
      type: 'v1.checkout.session.completed',
      created: '2026-03-10T12:00:00.000Z',
      livemode: true,
      related_object: { id: 'cs_live_a1B2c3', type: 'checkout.session', url: '/v1/checkout' },
    };
    const response = await deliver(JSON.stringify(thin));
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        error:
          'This is a thin event. Choose the payload style Snapshot for this endpoint in Stripe.',
        code: 'THIN_EVENT',
      },
    ]);
  });

  it('a sale counts when a field of its event holds NUL or half a surrogate pair', async () => {
    const broken = 'cut\0 here \ud800';
    const sale = session({
      metadata: { note: broken, [broken]: 'x', utm_source: `pod\0cast\ud800` },
      client_reference_id: broken,
      mode: `payment${broken}`,
      customer_details: { email: 'ada\0@example.com', name: broken },
      custom_fields: [{ key: broken }],
    });
    expect((await deliver(event('checkout.session.completed', sale))).status).toBe(200);
    const refunded = refund({
      reason: broken,
      status: 'succeeded',
      metadata: { [broken]: broken },
    });
    expect((await deliver(event('refund.created', refunded, 100))).status).toBe(200);
    expect(await dashboard()).toMatchObject({
      summary: { conversions: 1, totalRevenue: 77 },
      conversions: [{ email: 'ada@example.com', source: 'podcast\ufffd' }],
    });
  });
});

it('a delivery can be signed with either of two secrets', async () => {
  await open({ STRIPE_WEBHOOK_SECRET: `${secret}, ${previousSecret}` });
  const body = JSON.stringify(event('customer.created', {}));
  expect((await deliver(body, signed(body, { key: previousSecret }))).status).toBe(200);
  expect((await deliver(body, signed(body))).status).toBe(200);
});

it('dashboard says when the webhook sends events of an old version of the API', async () => {
  await open();
  await deliver({ ...event('customer.created', {}), api_version: '2022-11-15' });
  expect((await dashboard()).alert).toMatch(/of the API version 2022-11-15, which does not/);
  await deliver(event('customer.created', {}));
  expect((await dashboard()).alert).toBeNull();
});

it('an endpoint that gets sums but no refunds is reported, until it gets them', async () => {
  await open();
  const alert = async () => (await dashboard()).stripe.alert;
  const at = (n: number) => (now - event('x', {}).created * 1000) / 1000 + n;
  await deliver(event('checkout.session.completed', session()));
  await deliver(event('charge.refunded', charge({ amount_refunded: 2000 }), at(0)));
  expect(await alert()).toBeNull();
  now += 11 * 60_000;
  expect(await alert()).toMatch(/sends no refunds.*events that begin with refund\./);
  await deliver(event('refund.created', refund(), at(-11 * 60)));
  expect(await alert()).toBeNull();
});

it('an event of a connected account is no sale, and the dashboard says what to change', async () => {
  await open();
  const foreign = { ...event('checkout.session.completed', session()), account: 'acct_1Other' };
  expect((await deliver(foreign)).status).toBe(200);
  expect(await dashboard()).toMatchObject({
    summary: { conversions: 0 },
    alert: expect.stringMatching(/events of connected accounts, which are no sales of this site/),
  });
  await deliver(event('checkout.session.completed', session()));
  expect(await dashboard()).toMatchObject({ summary: { conversions: 1 }, alert: null });
});

it('the webhook returns 404 without a secret', async () => {
  site = await openTestSite();
  expect((await deliver('{}')).status).toBe(404);
});

describe('test payment', () => {
  const testPayment = { ...event('checkout.session.completed', session()), livemode: false };

  it('a test payment counts while the site is not public', async () => {
    await open();
    expect((await deliver(testPayment)).status).toBe(200);
    expect(await dashboard()).toMatchObject({ summary: { conversions: 1 } });
  });

  it('a test payment does not count on a live site', async () => {
    await open({ PUBLIC_URL: 'https://www.rowanhale.com' });
    expect((await deliver(testPayment)).status).toBe(200);
    const cookie = await signIn(site, { 'x-forwarded-proto': 'https' });
    const response = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
    expect(await response.json()).toMatchObject({ summary: { conversions: 0 } });
  });
});
