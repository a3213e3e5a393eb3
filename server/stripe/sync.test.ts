import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable } from '../database/database.ts';
import { createLog } from '../log.ts';
import { freshStores } from '../testing/engines.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { openTestStripe, type TestStripe } from '../testing/stripe/api.ts';
import {
  charge,
  event,
  refund,
  secret,
  session,
  signed,
  type TestEvent,
  timeOf,
} from '../testing/stripe/events.ts';
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

/** Makes Stripe know of a payment, and of the event that tells of it. */
function sell(payment = 'pi_3TestA', after = 0): TestEvent {
  const sold = session({ id: `cs_of_${payment}`, payment_intent: payment });
  const told = event('checkout.session.completed', sold, after);
  stripe.sessions.unshift(sold);
  stripe.charges[payment] = charge({ payment_intent: payment });
  stripe.events.push(told);
  return told;
}

describe('the watch', () => {
  const { stores } = freshStores();
  let watch: StripeSync;
  let now: number;
  const said = vi.fn();

  beforeEach(async () => {
    now = timeOf(3600);
    said.mockReset();
  });
  afterEach(async () => {
    watch.stop();
  });

  const start = (change: Partial<StripeSyncOptions> = {}) => {
    watch = startStripeSync({
      ...{ apiKey, endpoint: stripe.endpoint, hasWebhook: true, store: stores.payments },
      ...{ acceptsTestPayments: false, now: () => now, pace: { every: 20, again: 5 } },
      log: { ...createLog('silent', { pretty: false }), error: said } as never,
      ...change,
    });
  };
  const receive = (told: TestEvent) =>
    stores.payments.receive({
      event: eventOf(told),
      payload: JSON.stringify(told),
      receivedAt: now,
    });
  const report = async () => {
    const told = await watch.report();
    if (!told) throw new Error('There is no report.');
    return told;
  };
  const rounds = async (n = 1) => {
    const asked = () =>
      stripe.requests.filter(({ pathname }) => pathname.endsWith('events')).length;
    const before = asked();
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(before + n), 20_000);
  };

  it('takes what was missed, and compares what is then here', async () => {
    sell();
    start();
    await vi.waitFor(async () => expect((await report()).reconciliation).toBeDefined(), 20_000);
    expect(await report()).toMatchObject({
      lastEventAt: timeOf(),
      reconciliation: { at: now, payments: 1, differ: 0, ours: { net: 9700 } },
      alert: undefined,
    });
  });

  it('asks again for all that Stripe still tells before it calls a payment different', async () => {
    // Missed long ago: since then something else was heard.
    sell('pi_1');
    sell('pi_2', 9 * 24 * 3600);
    now = timeOf(10 * 24 * 3600);
    await receive(stripe.events[1] as TestEvent);
    start();
    await vi.waitFor(async () => expect((await report()).reconciliation).toBeDefined(), 20_000);
    expect((await report()).reconciliation).toMatchObject({ payments: 2, differ: 0 });
    expect(said).not.toHaveBeenCalled();
  });

  it('does not blame Stripe for a database that is away, and asks again soon', async () => {
    sell();
    let tries = 0;
    const receive: typeof stores.payments.receive = (told) => {
      tries += 1;
      if (tries < 3) return Promise.reject(new DatabaseUnavailable(new Error('timeout')));
      return stores.payments.receive(told);
    };
    const store = Object.assign(Object.create(stores.payments), { receive });
    start({ store, pace: { every: 60 * minute, again: 5 } });
    await vi.waitFor(async () => expect((await report()).reconciliation).toBeDefined(), 20_000);
    expect((await report()).alert).toBeUndefined();
    expect(said.mock.calls.map(([, sentence]) => sentence)).toEqual(
      Array(2).fill('what Stripe said could not be kept; trying again in some minutes'),
    );
  });

  it('says which payment differs, until it does not', async () => {
    const told = sell();
    stripe.events = [];
    start();
    await vi.waitFor(async () => expect((await report()).reconciliation?.differ).toBe(1), 20_000);
    expect(said.mock.calls[0]).toMatchObject([
      { differ: 1, differing: [{ payment: 'pi_3TestA' }] },
      'Stripe and this site say different things of payments',
    ]);
    await receive(told);
    await vi.waitFor(async () => expect((await report()).reconciliation?.differ).toBe(0), 20_000);
  });

  it('keeps what it found when Stripe refuses, and says what can be done about it', async () => {
    sell();
    start();
    await vi.waitFor(async () => expect((await report()).reconciliation).toBeDefined(), 20_000);
    const error = { type: 'invalid_request_error', message: 'Invalid API Key provided: rk_***' };
    stripe.failure = { path: /./, status: 401, error };
    await vi.waitFor(async () => expect((await report()).alert).toMatch(/does not accept/), 20_000);
    expect((await report()).reconciliation).toMatchObject({ payments: 1 });
    expect(said.mock.calls[0]?.[1]).toBe('Stripe could not be asked; trying again in an hour');
    expect(JSON.stringify(said.mock.calls)).not.toContain(apiKey);
    stripe.failure = { path: /sessions/, status: 403, error };
    await vi.waitFor(
      async () => expect((await report()).alert).toMatch(/may not read all/),
      20_000,
    );
    stripe.failure = { path: /./, status: 400, error };
    await vi.waitFor(async () => expect((await report()).alert).toMatch(/the last time/), 20_000);
    stripe.failure = undefined;
    await vi.waitFor(async () => expect((await report()).alert).toBeUndefined(), 20_000);
  });

  it('compares no trials with a live site', async () => {
    sell();
    start({ apiKey: 'rk_test_51Nq8ZkT3vYw0sLb' });
    await rounds(2);
    expect(stripe.requests.filter(({ pathname }) => pathname.endsWith('sessions'))).toEqual([]);
    expect((await report()).reconciliation).toBeUndefined();
  });

  describe('of deliveries', () => {
    it('notices that they do not arrive, until one does', async () => {
      start();
      await rounds();
      sell('pi_1', 3600 + 60);
      now += 12 * minute;
      await vi.waitFor(
        async () =>
          expect((await report()).alert).toMatch(/do not arrive.*checkout\.session\.completed/),
        20_000,
      );
      const deliver = createWebhook({
        ...{ secrets: [secret], onDelivery: watch.recordDelivery, store: stores.payments },
        ...{
          acceptsTestPayments: false,
          now: () => now,
          log: createLog('silent', { pretty: false }),
        },
      });
      const arrives = (body: string, key: string) =>
        deliver(Buffer.from(body), signed(body, { key }));
      await expect(arrives('{}', 'whsec_another')).rejects.toThrow(/missing or wrong/);
      await rounds();
      expect((await report()).alert).toBeDefined();
      await arrives(JSON.stringify(stripe.events[0]), secret);
      await rounds();
      expect((await report()).alert).toBeUndefined();
    });

    it('takes one that cannot be understood for one that arrived', async () => {
      const delivered = vi.fn();
      start();
      const deliver = createWebhook({
        ...{
          secrets: [secret],
          onDelivery: delivered,
          store: stores.payments,
          acceptsTestPayments: false,
        },
        ...{ now: () => now, log: createLog('silent', { pretty: false }) },
      });
      await expect(deliver(Buffer.from('{}'), signed('{}'))).rejects.toThrow();
      expect(delivered).toHaveBeenCalledTimes(1);
    });

    it.each([
      ['what happened before the site was up', () => sell('pi_1', 3600 - 60), {}],
      ['what may still be under way', () => sell('pi_1', 3600 + 5 * 60), {}],
      [
        'what nobody asked Stripe to deliver',
        () => {
          stripe.events.push(event('charge.refunded', { ...charge() }, 3600 + 60));
        },
        {},
      ],
      ['a site without a webhook', () => sell('pi_1', 3600 + 60), { hasWebhook: false }],
    ])('says nothing of %s', async (_name, happen, change) => {
      start(change);
      now += 12 * minute;
      happen();
      await rounds(2);
      await vi.waitFor(async () => expect((await report()).lastEventAt).toBeDefined(), 20_000);
      expect((await report()).alert).toBeUndefined();
    });
  });

  it('knows only what was heard without a key, and nothing without a webhook too', async () => {
    start({ apiKey: undefined });
    expect(await report()).toEqual({
      lastEventAt: undefined,
      found: undefined,
      trouble: undefined,
    });
    await receive(event('refund.created', refund(), 100));
    expect(await report()).toMatchObject({ lastEventAt: timeOf(100) });
    start({ apiKey: undefined, hasWebhook: false });
    expect(await watch.report()).toBeUndefined();
    expect(stripe.requests).toEqual([]);
  });

  it('ends when it is stopped, even while it gives something time', async () => {
    sell();
    stripe.events = [];
    start({ pace: { every: 20, again: 60 * minute } });
    const sessions = () => stripe.requests.filter(({ pathname }) => pathname.endsWith('sessions'));
    await vi.waitFor(() => expect(sessions()).toHaveLength(1), 20_000);
    watch.stop();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(sessions()).toHaveLength(1);
    expect(said).not.toHaveBeenCalled();
  });
});

describe('on the dashboard', () => {
  let site: TestSite;
  let cookie: string;
  const open = async (env: Record<string, string>) => {
    site = await openTestSite({ env, now: () => timeOf(3600), stripeEndpoint: stripe.endpoint });
    cookie = await signIn(site, { origin: site.origin });
  };
  afterEach(() => site.close());
  const said = async () => {
    const answer = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
    return (await answer.json()).stripe;
  };
  const unknown = {
    ...{ checkedAt: null, lastEventAt: null, net: null, ourNet: null },
    ...{ differing: 0, payments: [], trouble: null },
  };

  it('stands what both say', async () => {
    sell();
    sell('pi_2', 60);
    stripe.refunds = [refund({ payment_intent: 'pi_2' })];
    stripe.charges.pi_2 = charge({ payment_intent: 'pi_2', amount_refunded: 2000 });
    stripe.events.push(event('refund.created', refund({ payment_intent: 'pi_2' }), 120));
    await open({ STRIPE_API_KEY: apiKey });
    await vi.waitFor(async () => expect((await said()).checkedAt).not.toBeNull(), 20_000);
    expect(await said()).toEqual({
      checkedAt: new Date(timeOf(3600)).toISOString(),
      lastEventAt: new Date(timeOf(120)).toISOString(),
      net: 174,
      ourNet: 174,
      differing: 0,
      payments: [],
      trouble: null,
    });
  });

  it('stands when Stripe was last heard of, where it only delivers', async () => {
    await open({ STRIPE_WEBHOOK_SECRET: secret });
    expect(await said()).toEqual(unknown);
    const body = JSON.stringify(event('checkout.session.completed', session(), 30));
    await site.post('/api/webhooks/stripe', body, { 'stripe-signature': signed(body) });
    expect(await said()).toEqual({
      ...unknown,
      lastEventAt: new Date(timeOf(30)).toISOString(),
    });
  });

  it('stands nothing of Stripe where it is not connected', async () => {
    await open({});
    expect(await said()).toBeNull();
  });
});
