import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databaseUnavailable } from '../../errors.ts';
import { createLog } from '../../log.ts';
import { freshStores } from '../../testing/engines.ts';
import { openTestSite, signIn, type TestSite } from '../../testing/site.ts';
import { openTestStripe, type TestStripe } from '../../testing/stripe/api.ts';
import {
  charge,
  dispute,
  event,
  olderEvent,
  refund,
  secret,
  session,
  signed,
  type TestEvent,
  timeOf,
} from '../../testing/stripe/events.ts';
import { eventOf } from './facts.ts';
import { type StripeSync, type StripeSyncOptions, startStripeSync } from './sync.ts';
import { createWebhook } from './webhook.ts';

const minute = 60_000;
const apiKey = 'rk_live_51Nq8ZkT3vYw0sLb';

let stripe: TestStripe;
beforeEach(async () => {
  stripe = await openTestStripe();
});
afterEach(() => stripe.close());

/** Adds a payment and its event at Stripe. */
function sell(payment = 'pi_3TestA', after = 0): TestEvent {
  const sold = session({ id: `cs_of_${payment}`, payment_intent: payment });
  const completed = event('checkout.session.completed', sold, after);
  stripe.sessions.unshift(sold);
  stripe.charges[payment] = charge({ payment_intent: payment });
  stripe.events.push(completed);
  return completed;
}

describe('startStripeSync', () => {
  const { stores } = freshStores();
  let sync: StripeSync;
  let now: number;
  const logError = vi.fn();
  const logWarning = vi.fn();

  beforeEach(async () => {
    now = timeOf(3600);
    logError.mockReset();
    logWarning.mockReset();
  });
  afterEach(async () => {
    sync.stop();
  });

  const start = (change: Partial<StripeSyncOptions> = {}) => {
    sync = startStripeSync({
      apiKey,
      endpoint: stripe.endpoint,
      hasWebhook: true,
      store: stores.payments,
      currency: stores.analytics.currency,
      acceptsTestPayments: false,
      now: () => now,
      intervals: { roundMs: 20, retryMs: 5, lookMs: 20 },
      log: {
        ...createLog('silent', { pretty: false }),
        error: logError,
        warn: logWarning,
      } as never,
      ...change,
    });
  };
  const receive = (body: TestEvent) =>
    stores.payments.receive({
      event: eventOf(body),
      payload: JSON.stringify(body),
      receivedAt: now,
    });
  const report = async () => {
    const current = await sync.report();
    if (!current) throw new Error('There is no report.');
    return current;
  };
  const rounds = async (n = 1) => {
    const requestCount = () =>
      stripe.requests.filter(({ pathname }) => pathname.endsWith('events')).length;
    const before = requestCount();
    await vi.waitFor(() => expect(requestCount()).toBeGreaterThan(before + n), 20_000);
  };

  it('Stripe sync stores missed events, then reconciles payments', async () => {
    sell();
    start();
    await vi.waitFor(async () => expect((await report()).reconciliation).toBeDefined(), 20_000);
    expect(await report()).toMatchObject({
      lastEventAt: timeOf(),
      reconciliation: { at: now, payments: 1, differ: 0, ours: { net: 9700 } },
      alert: undefined,
    });
  });

  it('Stripe sync fetches thirty days of events again before it reports a difference', async () => {
    // The first event was missed long ago, and a later one was received.
    sell('pi_1');
    sell('pi_2', 9 * 24 * 3600);
    now = timeOf(10 * 24 * 3600);
    await receive(stripe.events[1] as TestEvent);
    start();
    await vi.waitFor(async () => expect((await report()).reconciliation).toBeDefined(), 20_000);
    expect((await report()).reconciliation).toMatchObject({ payments: 2, differ: 0 });
    expect(logError).not.toHaveBeenCalled();
  });

  it("Stripe sync stores each payment's fees once, also those of refunds and disputes", async () => {
    sell();
    const charged = charge({ payment_intent: 'pi_3TestA' });
    const fee = { object: 'balance_transaction', created: timeOf() / 1000, currency: 'usd' };
    stripe.balanceTransactions = [
      { ...fee, id: 'txn_5', type: 'payout', fee: 0, source: { id: 'po_1' } },
      { ...fee, id: 'txn_4', type: 'stripe_fee', fee: 200, source: null },
      { ...fee, id: 'txn_3', type: 'adjustment', fee: 1500, source: dispute() },
      { ...fee, id: 'txn_2', type: 'refund', fee: 0, source: refund() },
      { ...fee, id: 'txn_1', type: 'charge', fee: 311, source: charged },
    ];
    start();
    const cash = async () => (await stores.analytics.money({ from: 0, to: timeOf(1) })).cash;
    await vi.waitFor(async () => expect(await cash()).toMatchObject([{ fees: 1811 }]), 20_000);
    await rounds(2);
    expect(await cash()).toMatchObject([{ currency: 'USD', taken: 9700, fees: 1811 }]);
    const reads = stripe.requests.filter(({ pathname }) => pathname.endsWith('transactions'));
    expect(reads.at(-1)?.searchParams.get('created[gte]')).toBe(
      String(timeOf(-3 * 24 * 3600) / 1000),
    );
  });

  it('Stripe sync compares payments without the permission to read fees', async () => {
    sell();
    stripe.failure = {
      path: /balance_transactions/,
      status: 403,
      error: { type: 'invalid_request_error', message: 'rak_balance' },
    };
    start();
    await rounds(2);
    expect(await report()).toMatchObject({ reconciliation: { differ: 0 }, alert: undefined });
    expect(logError).not.toHaveBeenCalled();
    expect(logWarning).toHaveBeenCalledExactlyOnceWith(
      'Stripe sync: the key may not read fees, so the dashboard shows none',
    );
  });

  it('Stripe sync retries soon without an alert when the database is unavailable', async () => {
    sell();
    let tries = 0;
    const receive: typeof stores.payments.receive = (delivery) => {
      tries += 1;
      if (tries < 3) return Promise.reject(databaseUnavailable(new Error('timeout')));
      return stores.payments.receive(delivery);
    };
    const store = Object.assign(Object.create(stores.payments), { receive });
    start({ store, intervals: { roundMs: 60 * minute, retryMs: 5, lookMs: 60 * minute } });
    await vi.waitFor(async () => expect((await report()).reconciliation).toBeDefined(), 20_000);
    expect((await report()).alert).toBeUndefined();
    expect(logError.mock.calls.map(([, message]) => message)).toEqual(
      Array(2).fill('Stripe sync: could not store events; will retry in three minutes'),
    );
  });

  it('Stripe sync reports a differing payment until it matches', async () => {
    const missed = sell();
    stripe.events = [];
    start();
    await vi.waitFor(async () => expect((await report()).reconciliation?.differ).toBe(1), 20_000);
    expect(logError.mock.calls[0]).toMatchObject([
      { differ: 1, differing: [{ payment: 'pi_3TestA' }] },
      'Stripe sync: payments differ; see differing',
    ]);
    await receive(missed);
    await vi.waitFor(async () => expect((await report()).reconciliation?.differ).toBe(0), 20_000);
  });

  it('Stripe sync keeps its last result and says what to do when Stripe rejects requests', async () => {
    sell();
    start();
    await vi.waitFor(async () => expect((await report()).reconciliation).toBeDefined(), 20_000);
    const error = { type: 'invalid_request_error', message: 'Invalid API Key provided: rk_***' };
    stripe.failure = { path: /./, status: 401, error };
    await vi.waitFor(async () => expect((await report()).alert).toMatch(/rejects the key/), 20_000);
    expect((await report()).reconciliation).toMatchObject({ payments: 1 });
    expect(logError.mock.calls[0]?.[1]).toBe(
      'Stripe sync: request failed; will retry in four minutes',
    );
    expect(JSON.stringify(logError.mock.calls)).not.toContain(apiKey);
    stripe.failure = { path: /sessions/, status: 403, error };
    await vi.waitFor(
      async () => expect((await report()).alert).toMatch(/lacks a permission/),
      20_000,
    );
    stripe.failure = { path: /./, status: 400, error };
    await vi.waitFor(
      async () => expect((await report()).alert).toMatch(/last request to Stripe failed/),
      20_000,
    );
    stripe.failure = undefined;
    await vi.waitFor(async () => expect((await report()).alert).toBeUndefined(), 20_000);
  });

  it('Stripe sync reports between two rounds that Stripe rejects the key, and mends itself', async () => {
    sell();
    start({ intervals: { roundMs: 60 * minute, retryMs: 5, lookMs: 5 } });
    await vi.waitFor(async () => expect((await report()).reconciliation).toBeDefined(), 20_000);
    const error = { type: 'invalid_request_error', message: 'Expired API Key provided: rk_***' };
    stripe.failure = { path: /./, status: 401, error };
    await vi.waitFor(async () => expect((await report()).alert).toMatch(/rejects the key/), 20_000);
    // Once for the whole failure, whose looks go on.
    const looks = stripe.requests.length;
    await vi.waitFor(() => expect(stripe.requests.length).toBeGreaterThan(looks + 2), 20_000);
    expect(logError).toHaveBeenCalledTimes(1);
    stripe.failure = undefined;
    await vi.waitFor(async () => expect((await report()).alert).toBeUndefined(), 20_000);
  });

  it('Stripe sync raises an alert about a test key on a live site, and does not use it', async () => {
    sell();
    start({ apiKey: 'rk_test_51Nq8ZkT3vYw0sLb' });
    expect((await report()).alert).toMatch(/^The key for Stripe is for test payments/);
    sync.stop();
    start({ apiKey: 'sk_test_51Nq8ZkT3vYw0sLb', acceptsTestPayments: true });
    expect((await report()).alert).toBeUndefined();
    await rounds();
    expect(new Set(stripe.keys)).toEqual(new Set(['Bearer sk_test_51Nq8ZkT3vYw0sLb']));
  });

  it('Stripe sync raises an alert while deliveries have an old version of the API', async () => {
    start({ apiKey: undefined });
    const alertAfter = async (apiVersion: string | undefined) => {
      sync.recordDelivery({ apiVersion, isForeign: false });
      return (await report()).alert;
    };
    expect(await alertAfter('2023-10-16')).toMatch(/events of the API version 2023-10-16/);
    expect(await alertAfter('2024-09-30.acacia')).toContain('enter its signing secret');
    for (const version of ['2024-10-28.acacia', '2026-04-22.dahlia', undefined]) {
      expect(await alertAfter(version)).toBeUndefined();
    }
  });

  describe('alert about refunds that the webhook does not send', () => {
    const sums = () => receive(event('charge.refunded', charge({ amount_refunded: 900 }), 3600));
    const alertAfter = async (minutes: number) => {
      now = timeOf(3600) + minutes * minute;
      return (await report()).alert;
    };

    it('Stripe sync raises no alert about a refund that another instance received', async () => {
      start({ apiKey: undefined });
      await sums();
      sync.recordDelivery({ apiVersion: '2026-10-28.endive', isForeign: false });
      expect(await alertAfter(9)).toBeUndefined();
      expect(await alertAfter(11)).toMatch(/sends no refunds, so they are not deducted/);
      await receive(event('refund.created', refund(), 3600 - 5 * 60));
      expect(await alertAfter(11)).toBeUndefined();
    });

    it('Stripe sync still raises the alert after a restart, for thirty days', async () => {
      await sums();
      await receive(event('refund.created', refund(), 3600 - 11 * 60));
      start({ apiKey: undefined });
      expect(await alertAfter(11)).toMatch(/sends no refunds/);
      expect(await alertAfter(31 * 24 * 60)).toBeUndefined();
    });

    it('Stripe sync raises no alert with a key, by which it fetches refunds', async () => {
      start();
      await sums();
      expect(await alertAfter(11)).toBeUndefined();
    });

    it('Stripe sync raises no alert about a sum of an old API version, which counts', async () => {
      start({ apiKey: undefined });
      await receive(olderEvent('charge.refunded', charge({ amount_refunded: 900 }), 3600));
      expect(await alertAfter(11)).toBeUndefined();
    });
  });

  describe('alert about deliveries', () => {
    it('Stripe sync reports missing deliveries until one arrives', async () => {
      start();
      await rounds();
      sell('pi_1', 3600 + 60);
      now += 12 * minute;
      await vi.waitFor(
        async () =>
          expect((await report()).alert).toMatch(/did not deliver.*checkout\.session\.completed/),
        20_000,
      );
      const deliver = createWebhook({
        secrets: [secret],
        onDelivery: sync.recordDelivery,
        store: stores.payments,
        ...{
          acceptsTestPayments: false,
          now: () => now,
          log: createLog('silent', { pretty: false }),
        },
      });
      const deliverSigned = (body: string, key: string) =>
        deliver(Buffer.from(body), signed(body, { key }));
      await expect(deliverSigned('{}', 'whsec_another')).rejects.toThrow(
        /missing, wrong or too old/,
      );
      await rounds();
      expect((await report()).alert).toBeDefined();
      await deliverSigned(JSON.stringify(stripe.events[0]), secret);
      await rounds();
      expect((await report()).alert).toBeUndefined();
    });

    it('the webhook records a signed delivery with an invalid event', async () => {
      const onDelivery = vi.fn();
      start();
      const deliver = createWebhook({
        ...{
          secrets: [secret],
          onDelivery,
          store: stores.payments,
          acceptsTestPayments: false,
        },
        now: () => now,
        log: createLog('silent', { pretty: false }),
      });
      await expect(deliver(Buffer.from('{}'), signed('{}'))).rejects.toThrow();
      expect(onDelivery).toHaveBeenCalledTimes(1);
    });

    it.each([
      ['an event from before the start', () => sell('pi_1', 3600 - 60), {}],
      ['an event that may still be delivered', () => sell('pi_1', 3600 + 5 * 60), {}],
      [
        'an event type that is not delivered',
        () => {
          stripe.events.push(event('charge.refunded', { ...charge() }, 3600 + 60));
        },
        {},
      ],
      ['an event without a webhook', () => sell('pi_1', 3600 + 60), { hasWebhook: false }],
    ])('Stripe sync raises no alert about %s', async (_name, createEvents, change) => {
      start(change);
      now += 12 * minute;
      createEvents();
      await rounds(2);
      await vi.waitFor(async () => expect((await report()).lastEventAt).toBeDefined(), 20_000);
      expect((await report()).alert).toBeUndefined();
    });
  });

  it('Stripe sync reports only the newest event without a key, and nothing without a webhook too', async () => {
    start({ apiKey: undefined });
    expect(await report()).toEqual({
      lastEventAt: undefined,
      reconciliation: undefined,
      alert: undefined,
    });
    await receive(event('refund.created', refund(), 100));
    expect(await report()).toMatchObject({ lastEventAt: timeOf(100) });
    start({ apiKey: undefined, hasWebhook: false });
    expect(await sync.report()).toBeUndefined();
    expect(stripe.requests).toEqual([]);
  });

  it('Stripe sync stops while it waits for the second comparison', async () => {
    sell();
    stripe.events = [];
    start({ intervals: { roundMs: 20, retryMs: 60 * minute, lookMs: 20 } });
    const sessions = () => stripe.requests.filter(({ pathname }) => pathname.endsWith('sessions'));
    await vi.waitFor(() => expect(sessions()).toHaveLength(1), 20_000);
    sync.stop();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(sessions()).toHaveLength(1);
    expect(logError).not.toHaveBeenCalled();
  });
});

describe('dashboard', () => {
  let site: TestSite;
  let cookie: string;
  const open = async (env: Record<string, string>) => {
    site = await openTestSite({
      env,
      now: () => timeOf(3600),
      overrides: { stripeEndpoint: stripe.endpoint },
    });
    cookie = await signIn(site, { origin: site.origin });
  };
  afterEach(() => site.close());
  const stripeReport = async () => {
    const response = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
    return (await response.json()).stripe;
  };
  const empty = {
    checkedAt: null,
    lastEventAt: null,
    net: null,
    ourNet: null,
    differing: 0,
    payments: [],
    alert: null,
  };

  it('dashboard returns the net revenue at Stripe and here', async () => {
    sell();
    sell('pi_2', 60);
    stripe.refunds = [refund({ payment_intent: 'pi_2' })];
    stripe.charges.pi_2 = charge({ payment_intent: 'pi_2', amount_refunded: 2000 });
    stripe.events.push(event('refund.created', refund({ payment_intent: 'pi_2' }), 120));
    await open({ STRIPE_API_KEY: apiKey });
    await vi.waitFor(async () => expect((await stripeReport()).checkedAt).not.toBeNull(), 20_000);
    expect(await stripeReport()).toEqual({
      checkedAt: new Date(timeOf(3600)).toISOString(),
      lastEventAt: new Date(timeOf(120)).toISOString(),
      net: 174,
      ourNet: 174,
      differing: 0,
      payments: [],
      alert: null,
    });
  });

  it('dashboard returns only the time of the newest event without an API key', async () => {
    await open({ STRIPE_WEBHOOK_SECRET: secret });
    expect(await stripeReport()).toEqual(empty);
    const body = JSON.stringify(event('checkout.session.completed', session(), 30));
    await site.post('/api/webhooks/stripe', body, { 'stripe-signature': signed(body) });
    expect(await stripeReport()).toEqual({
      ...empty,
      lastEventAt: new Date(timeOf(30)).toISOString(),
    });
  });

  it('dashboard returns null without key and webhook', async () => {
    await open({});
    expect(await stripeReport()).toBeNull();
  });
});
