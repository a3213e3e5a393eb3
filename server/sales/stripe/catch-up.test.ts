import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../log.ts';
import type { Stores } from '../../stores/stores.ts';
import { freshStores } from '../../testing/engines.ts';
import { openTestStripe, type TestStripe } from '../../testing/stripe/api.ts';
import { event, refund, session, type TestEvent, timeOf } from '../../testing/stripe/events.ts';
import { catchUp } from './catch-up.ts';
import { eventOf } from './facts.ts';

const day = 24 * 60 * 60;
const now = timeOf(20 * day);
const always = { from: 0, to: now };
const never = new AbortController().signal;

const { stores } = freshStores();
let stripe: TestStripe;

beforeEach(async () => {
  stripe = await openTestStripe();
  // Few events fill several pages.
  stripe.pageLength = 2;
});
afterEach(async () => {
  stripe.close();
});

const options = (change: { acceptsTestPayments?: boolean; since?: number } = {}) => ({
  apiKey: 'rk_live_51Nq8ZkT3vYw0sLb',
  store: stores.payments,
  acceptsTestPayments: false,
  now: () => now,
  log: createLog('silent', { pretty: false }),
  endpoint: stripe.endpoint,
  ...change,
});
const receive = (body: TestEvent) =>
  stores.payments.receive({
    event: eventOf(body),
    payload: JSON.stringify(body),
    receivedAt: now,
  });

describe('catchUp', () => {
  it('catchUp stores the missed events of all pages once', async () => {
    const delivered = event('checkout.session.completed', session(), 0);
    stripe.events = [
      delivered,
      event('refund.created', refund(), day),
      event('refund.created', refund({ id: 're_2', amount: 700 }), 2 * day),
      event('checkout.session.completed', session({ payment_intent: 'pi_2' }), 2 * day + 1),
      event('customer.created', { id: 'cus_1' }, 2 * day),
    ];
    await receive(delivered);
    expect(await catchUp(options(), never)).toEqual([
      { type: 'refund.created', createdAt: timeOf(day) },
      { type: 'refund.created', createdAt: timeOf(2 * day) },
      { type: 'checkout.session.completed', createdAt: timeOf(2 * day + 1) },
    ]);
    expect(await stores.analytics.totals(always)).toMatchObject({
      conversions: 2,
      revenue: 9700 + 9700 - 2700,
      refunded: 2700,
    });
    expect(await catchUp(options(), never)).toHaveLength(0);
    expect(await stores.sales.compare()).toEqual({
      checked: 2,
      differences: [],
      unconverted: [],
    });
    expect(new Set(stripe.keys)).toEqual(new Set(['Bearer rk_live_51Nq8ZkT3vYw0sLb']));
  });

  it('catchUp fetches thirty days at first, then from three days before the newest stored event', async () => {
    const since = () => Number(stripe.requests.at(-1)?.searchParams.get('created[gte]')) * 1000;
    await catchUp(options(), never);
    expect(since()).toBe(now - 30 * day * 1000);
    await receive(event('checkout.session.completed', session(), 18 * day));
    await catchUp(options(), never);
    expect(since()).toBe(timeOf(15 * day));
    await catchUp(options({ since: timeOf(2 * day) }), never);
    expect(since()).toBe(timeOf(2 * day));
  });

  it('catchUp ignores test payments on a live site', async () => {
    stripe.events = [{ ...event('checkout.session.completed', session()), livemode: false }];
    expect(await catchUp(options(), never)).toHaveLength(0);
    expect(await catchUp(options({ acceptsTestPayments: true }), never)).toHaveLength(1);
  });

  it('catchUp stores the oldest event first, so that an interrupted run misses none', async () => {
    const session1 = event('checkout.session.completed', session(), 0);
    const session2 = event(
      'checkout.session.completed',
      session({ payment_intent: 'pi_2' }),
      9 * day,
    );
    stripe.events = [session1, session2];
    const stopped = new AbortController();
    const store: Stores['payments'] = {
      ...stores.payments,
      receive(delivery) {
        stopped.abort();
        return stores.payments.receive(delivery);
      },
    };
    expect(await catchUp({ ...options(), store }, stopped.signal)).toHaveLength(1);
    expect(await stores.payments.newest()).toBe(timeOf(0));
    expect(await catchUp(options(), never)).toHaveLength(1);
  });

  it('catchUp stores nothing when it is aborted', async () => {
    stripe.events = [event('checkout.session.completed', session())];
    expect(await catchUp(options(), AbortSignal.abort())).toHaveLength(0);
  });
});
