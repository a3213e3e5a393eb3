import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Stores } from '../app/stores.ts';
import { createLog } from '../log.ts';
import { freshStores } from '../testing/engines.ts';
import { openTestStripe, type TestStripe } from '../testing/stripe/api.ts';
import { event, refund, session, type TestEvent, timeOf } from '../testing/stripe/events.ts';
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
  // So that a few events are many pages.
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
const receive = (told: TestEvent) =>
  stores.payments.receive({
    event: eventOf(told),
    payload: JSON.stringify(told),
    receivedAt: now,
  });

describe('catching up', () => {
  it('takes what was missed, page after page, and nothing twice', async () => {
    const heard = event('checkout.session.completed', session(), 0);
    stripe.events = [
      heard,
      event('refund.created', refund(), day),
      event('refund.created', refund({ id: 're_2', amount: 700 }), 2 * day),
      event('checkout.session.completed', session({ payment_intent: 'pi_2' }), 2 * day + 1),
      event('customer.created', { id: 'cus_1' }, 2 * day),
    ];
    await receive(heard);
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
    expect(await stores.payments.compare()).toEqual({ checked: 2, differences: [] });
    expect(new Set(stripe.keys)).toEqual(new Set(['Bearer rk_live_51Nq8ZkT3vYw0sLb']));
  });

  it('asks for thirty days the first time, then for what Stripe may still be trying to deliver', async () => {
    const since = () => Number(stripe.requests.at(-1)?.searchParams.get('created[gte]')) * 1000;
    await catchUp(options(), never);
    expect(since()).toBe(now - 30 * day * 1000);
    await receive(event('checkout.session.completed', session(), 18 * day));
    await catchUp(options(), never);
    expect(since()).toBe(timeOf(15 * day));
    await catchUp(options({ since: timeOf(2 * day) }), never);
    expect(since()).toBe(timeOf(2 * day));
  });

  it('leaves trial payments out on a live site', async () => {
    stripe.events = [{ ...event('checkout.session.completed', session()), livemode: false }];
    expect(await catchUp(options(), never)).toHaveLength(0);
    expect(await catchUp(options({ acceptsTestPayments: true }), never)).toHaveLength(1);
  });

  it('takes the oldest first, so that being cut off misses none', async () => {
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
      receive(letter) {
        stopped.abort();
        return stores.payments.receive(letter);
      },
    };
    expect(await catchUp({ ...options(), store }, stopped.signal)).toHaveLength(1);
    expect(await stores.payments.newest()).toBe(timeOf(0));
    expect(await catchUp(options(), never)).toHaveLength(1);
  });

  it('ends when it is told to', async () => {
    stripe.events = [event('checkout.session.completed', session())];
    expect(await catchUp(options(), AbortSignal.abort())).toHaveLength(0);
  });
});
