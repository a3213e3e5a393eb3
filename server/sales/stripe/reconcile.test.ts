import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshStores } from '../../testing/engines.ts';
import { openTestStripe, type TestStripe } from '../../testing/stripe/api.ts';
import {
  charge,
  dispute,
  event,
  refund,
  session,
  type TestEvent,
  timeOf,
} from '../../testing/stripe/events.ts';
import { type PaymentScenario, paymentScenarios } from '../../testing/stripe/scenarios.ts';
import { eventOf, oldestVersion } from './facts.ts';
import { reconcile } from './reconcile.ts';

const day = 24 * 60 * 60;
const now = timeOf(20 * day);
const never = new AbortController().signal;

const { stores } = freshStores();
let stripe: TestStripe;
/** Events that arrive between the first and the second comparison. */
const settle = vi.fn<() => Promise<void>>();

beforeEach(async () => {
  stripe = await openTestStripe();
  settle.mockReset().mockResolvedValue();
});
afterEach(async () => {
  stripe.close();
});

const receive = (body: TestEvent) =>
  stores.payments.receive({
    event: eventOf(body),
    payload: JSON.stringify(body),
    receivedAt: now,
  });
const compare = (stopped = never, apiKey = 'rk_live_51Nq8ZkT3vYw0sLb', currency = 'USD') =>
  reconcile(
    {
      apiKey,
      endpoint: stripe.endpoint,
      store: stores.payments,
      now: () => now,
      currency,
      settle,
    },
    stopped,
  );

/** Adds a payment at Stripe and, unless it `isMissed`, its event here. */
async function pay(
  payment: string,
  {
    isMissed = false,
    sessionFields = {},
    chargeFields = {},
  }: {
    isMissed?: boolean;
    sessionFields?: Record<string, unknown>;
    chargeFields?: Record<string, unknown>;
  } = {},
) {
  const own = { payment_intent: payment };
  const paid = session({ id: `cs_of_${payment}`, ...own, ...sessionFields });
  stripe.sessions.unshift(paid);
  stripe.charges[payment] = charge({ id: `ch_of_${payment}`, ...own, ...chargeFields });
  if (!isMissed) await receive(event('checkout.session.completed', paid));
}
const side = { amount: 9700, refunded: 0, disputed: 0, currency: 'USD' };
const revenue = (gross: number, refunded: number) => ({ gross, refunded, net: gross - refunded });

describe('reconcile without missed events', () => {
  it('reconcile finds no difference when all events were received', async () => {
    await pay('pi_1');
    await pay('pi_2', {
      sessionFields: { amount_total: 194000 },
      chargeFields: { amount_captured: 194000 },
    });
    expect(await compare()).toEqual({
      at: now,
      payments: 2,
      differ: 0,
      differing: [],
      stripe: revenue(203700, 0),
      ours: revenue(203700, 0),
    });
    expect(settle).not.toHaveBeenCalled();
    expect(stripe.requests.map(({ pathname }) => pathname)).toEqual(['/v1/checkout/sessions']);
    expect(stripe.requests[0]?.searchParams.get('created[gte]')).toBe(
      String(now / 1000 - 30 * day),
    );
  });

  it("reconcile sums payments in the owner's currency and compares all", async () => {
    await pay('pi_1');
    const euros = { currency: 'eur' };
    await pay('pi_2', { sessionFields: euros, chargeFields: euros });
    await pay('pi_3', { isMissed: true, sessionFields: euros, chargeFields: euros });
    expect(await compare(never, undefined, 'EUR')).toMatchObject({
      payments: 3,
      differ: 1,
      stripe: revenue(19_400, 0),
      ours: revenue(9700, 0),
    });
  });

  it('reconcile reads all pages of checkout sessions', async () => {
    for (let n = 1; n <= 130; n += 1) await pay(`pi_${n}`);
    expect(await compare()).toMatchObject({ payments: 130, differ: 0, ours: { net: 130 * 9700 } });
    expect(stripe.requests.map(({ searchParams }) => searchParams.get('starting_after'))).toEqual([
      null,
      'cs_of_pi_31',
    ]);
  });

  it.each(Object.entries(paymentScenarios))(
    'reconcile finds no difference when %s',
    async (_name, scenario) => {
      for (const body of scenario.events) await receive(body);
      setStripeState(scenario);
      const found = await compare();
      expect(found.differing).toEqual([]);
      expect(found.payments).toBe(scenario.sale ? 1 : 0);
    },
  );
});

/** Sets Stripe's objects to the state after these events. */
function setStripeState({ events }: PaymentScenario): void {
  const last = (kind: string) => {
    const objects = events.map(({ data }) => data.object).filter(({ object }) => object === kind);
    return [...new Map(objects.map((object) => [object.id, object])).values()];
  };
  stripe.sessions = last('checkout.session').map((checkout) => ({
    ...checkout,
    // The test API expands it on request.
    payment_intent: checkout.payment_intent && 'pi_3TestA',
  }));
  stripe.refunds = last('refund');
  stripe.disputes = last('dispute');
  const [checkout] = stripe.sessions;
  const listed = (until = Number.POSITIVE_INFINITY) =>
    stripe.refunds
      .filter(({ status, created }) => status === 'succeeded' && Number(created) <= until)
      .reduce((sum, { amount }) => sum + Number(amount), 0);
  const [known] = last('charge');
  const reported = events.findLast(({ data }) => data.object.object === 'charge');
  const isOnlySum = reported !== undefined && reported.api_version < oldestVersion;
  const unlisted = isOnlySum ? Number(known?.amount_refunded ?? 0) - listed(reported.created) : 0;
  if (unlisted > 0) stripe.refunds.push(refund({ id: 're_unlisted', amount: unlisted }));
  const isPaid = checkout?.payment_status !== 'unpaid' || known !== undefined;
  stripe.charges.pi_3TestA = charge({
    amount_captured: known?.amount_captured ?? checkout?.amount_total,
    amount_refunded: listed(),
    captured: isPaid,
    status: isPaid ? 'succeeded' : 'pending',
    currency: checkout?.currency,
    disputed: stripe.disputes.length > 0,
  });
}

describe('reconcile reports', () => {
  it('reconcile reports a payment that is missing here', async () => {
    await pay('pi_1');
    await pay('pi_2', { isMissed: true });
    expect(await compare()).toEqual({
      at: now,
      payments: 2,
      differ: 1,
      differing: [{ payment: 'pi_2', stripe: side, ours: undefined, isOther: false }],
      stripe: revenue(19400, 0),
      ours: revenue(9700, 0),
    });
  });

  it('reconcile reports a refund that is missing here', async () => {
    await pay('pi_1', { chargeFields: { amount_refunded: 2000 } });
    stripe.refunds = [refund({ payment_intent: 'pi_1' })];
    expect(await compare()).toMatchObject({
      differing: [{ payment: 'pi_1', stripe: { ...side, refunded: 2000 }, ours: side }],
      stripe: revenue(9700, 2000),
      ours: revenue(9700, 0),
    });
  });

  it('reconcile reports a failed refund that stays in the sum of its charge', async () => {
    await pay('pi_1', { chargeFields: { amount_refunded: 2000 } });
    const own = { payment_intent: 'pi_1' };
    await receive(event('refund.created', refund(own), 100));
    stripe.refunds = [refund({ ...own, status: 'failed' })];
    expect(await compare()).toMatchObject({
      differing: [{ payment: 'pi_1', stripe: { refunded: 0 }, ours: { refunded: 2000 } }],
    });
  });

  it('reconcile reports a missing pending refund that the charge does not contain yet', async () => {
    await pay('pi_1');
    await receive(event('refund.created', refund({ payment_intent: 'pi_1', status: 'pending' })));
    // 20 dollars are refunded here, 27 at Stripe.
    stripe.refunds = [
      refund({ payment_intent: 'pi_1', status: 'pending' }),
      refund({ id: 're_2', payment_intent: 'pi_1', status: 'pending', amount: 700 }),
    ];
    expect(await compare()).toMatchObject({
      differing: [{ stripe: { refunded: 2700 }, ours: { refunded: 2000 } }],
    });
    await receive(event('refund.created', { ...stripe.refunds[1] }));
    expect(await compare()).toMatchObject({ differ: 0, ours: revenue(9700, 2700) });
  });

  it('reconcile reports a failed refund that still counts here', async () => {
    await pay('pi_1');
    await receive(event('refund.created', refund({ payment_intent: 'pi_1' })));
    stripe.refunds = [refund({ payment_intent: 'pi_1', status: 'failed' })];
    expect(await compare()).toMatchObject({
      differing: [{ stripe: { refunded: 0 }, ours: { refunded: 2000 } }],
    });
  });

  it('reconcile reports a lost dispute that is still open here', async () => {
    await pay('pi_1', { chargeFields: { disputed: true } });
    await receive(event('charge.dispute.created', dispute({ payment_intent: 'pi_1' })));
    stripe.disputes = [dispute({ payment_intent: 'pi_1', status: 'lost' })];
    expect(await compare()).toMatchObject({
      differing: [
        {
          stripe: { ...side, refunded: 9700, disputed: 0 },
          ours: { ...side, refunded: 0, disputed: 9700 },
        },
      ],
      stripe: revenue(9700, 9700),
      ours: revenue(9700, 0),
    });
  });

  it('reconcile reports a dispute without an event or a refund', async () => {
    await pay('pi_1', { chargeFields: { disputed: true } });
    stripe.disputes = [dispute({ payment_intent: 'pi_1', amount: 5000 })];
    expect(await compare()).toMatchObject({
      differing: [{ stripe: { ...side, disputed: 5000 }, ours: side }],
      stripe: revenue(9700, 0),
    });
  });

  it('reconcile reports a difference in another currency without adding it to the dollars', async () => {
    const euros = { sessionFields: { currency: 'eur' }, chargeFields: { currency: 'eur' } };
    await pay('pi_1', euros);
    await pay('pi_2', { ...euros, isMissed: true });
    expect(await compare()).toMatchObject({
      payments: 2,
      differing: [{ payment: 'pi_2', stripe: { amount: 9700, currency: 'EUR' } }],
      stripe: revenue(0, 0),
      ours: revenue(0, 0),
    });
  });

  it('reconcile reports a differing payment of another product without adding it to the sums', async () => {
    await stores.sales.setPaymentLinks(['plink_1Test']);
    const sessionFields = { payment_link: 'plink_2Test' };
    await pay('pi_1');
    await pay('pi_2', { sessionFields });
    await pay('pi_3', { sessionFields, chargeFields: { amount_refunded: 2000 } });
    stripe.refunds = [refund({ payment_intent: 'pi_3' })];
    await pay('pi_4', { isMissed: true, sessionFields });
    await stores.sales.rebuild(never);
    expect(await compare()).toMatchObject({
      payments: 4,
      differing: [{ payment: 'pi_4' }, { payment: 'pi_3' }],
      stripe: revenue(9700, 0),
      ours: revenue(9700, 0),
    });
    stripe.sessions = stripe.sessions.filter(({ payment_intent }) => payment_intent !== 'pi_2');
    expect(await compare()).toMatchObject({
      differ: 3,
      stripe: revenue(9700, 0),
      ours: revenue(9700, 0),
    });
  });

  it('reconcile reports a free checkout that is missing here', async () => {
    const free = { payment_status: 'no_payment_required', amount_total: 0, payment_intent: null };
    await pay('pi_1', { isMissed: true, sessionFields: free });
    expect(await compare()).toMatchObject({
      differing: [{ payment: 'cs_of_pi_1', stripe: { ...side, amount: 0 } }],
    });
  });

  it('reconcile reports a sale that is missing at Stripe', async () => {
    await receive(event('checkout.session.completed', session()));
    expect(await compare()).toMatchObject({
      payments: 1,
      differing: [{ payment: 'pi_3TestA', stripe: undefined, ours: side }],
      stripe: revenue(0, 0),
      ours: revenue(9700, 0),
    });
  });

  it('reconcile reports a charge below the total of its checkout', async () => {
    await pay('pi_1', { chargeFields: { amount_captured: 5000 } });
    expect(await compare()).toMatchObject({
      differing: [{ stripe: { amount: 5000 }, ours: { amount: 9700 } }],
    });
  });

  it('reconcile lists at most twenty differences and counts all', async () => {
    for (let n = 1; n <= 25; n += 1) await pay(`pi_${n}`, { isMissed: true });
    const found = await compare();
    expect([found.differ, found.differing.length]).toEqual([25, 20]);
    expect(found.stripe.net).toBe(25 * 9700);
  });
});

describe('reconcile ignores', () => {
  it('reconcile ignores a difference that is gone at the second comparison', async () => {
    await pay('pi_1', { isMissed: true });
    settle.mockImplementation(async () => {
      await receive(event('checkout.session.completed', { ...stripe.sessions[0] }));
    });
    expect(await compare()).toMatchObject({ payments: 1, differ: 0, ours: revenue(9700, 0) });
  });

  it('reconcile ignores a difference that is new at the second comparison', async () => {
    await pay('pi_1', { isMissed: true });
    settle.mockImplementation(() => pay('pi_2', { isMissed: true }));
    expect(await compare()).toMatchObject({
      payments: 1,
      differing: [{ payment: 'pi_1' }],
      stripe: revenue(9700, 0),
    });
  });

  it('reconcile finds no difference when the buyer saw the price in their own currency', async () => {
    // Stripe's format since 2025: amounts in the price's currency, and the presented amount beside them.
    const presentment_details = { presentment_amount: 8700, presentment_currency: 'eur' };
    await pay('pi_1', {
      sessionFields: { presentment_details },
      chargeFields: { presentment_details },
    });
    expect(await compare()).toMatchObject({ differ: 0, ours: revenue(9700, 0) });
  });

  it('reconcile finds no difference when an older webhook version sent a converted price', async () => {
    await pay('pi_1', { isMissed: true, chargeFields: { amount_refunded: 3233 } });
    stripe.refunds = [refund({ payment_intent: 'pi_1', amount: 3233 })];
    await receive(
      event('checkout.session.completed', {
        ...stripe.sessions[0],
        amount_total: 8700,
        currency: 'eur',
        currency_conversion: { amount_total: 9700, source_currency: 'usd', fx_rate: '1.1149' },
      }),
    );
    await receive(
      event('refund.created', refund({ payment_intent: 'pi_1', amount: 2900, currency: 'eur' })),
    );
    expect(await compare()).toMatchObject({ differ: 0, ours: revenue(9700, 3233) });
  });

  it('reconcile identifies a subscription by its checkout', async () => {
    const sessionFields = {
      mode: 'subscription',
      payment_intent: null,
      invoice: 'in_1',
      subscription: 'sub_1',
    };
    await pay('pi_1', { sessionFields });
    expect(await compare()).toMatchObject({ payments: 1, differ: 0, ours: revenue(9700, 0) });
  });

  it('reconcile ignores a checkout created more than thirty days ago', async () => {
    const old = { created: now / 1000 - 31 * day };
    await pay('pi_1', { sessionFields: old });
    await receive(event('checkout.session.async_payment_succeeded', session(old), 19 * day));
    expect(await compare()).toMatchObject({ payments: 0, differ: 0 });
  });

  it('reconcile compares live payments with a live key and test payments with a test key', async () => {
    await receive({ ...event('checkout.session.completed', session()), livemode: false });
    expect(await compare()).toMatchObject({ payments: 0, differ: 0 });
    expect(await compare(never, 'rk_test_51Nq8ZkT3vYw0sLb')).toMatchObject({ differ: 1 });
  });

  it('reconcile ignores an abandoned or unpaid checkout', async () => {
    await pay('pi_1', {
      isMissed: true,
      sessionFields: { status: 'expired', payment_status: 'unpaid' },
    });
    await pay('pi_2', {
      sessionFields: { payment_status: 'unpaid' },
      chargeFields: { status: 'pending' },
    });
    expect(await compare()).toMatchObject({ payments: 0, differ: 0 });
  });
});

it('reconcile rejects when it is aborted or Stripe denies permission', async () => {
  await pay('pi_1');
  await expect(compare(AbortSignal.abort())).rejects.toThrow(/abort/i);
  stripe.failure = {
    path: /sessions/,
    status: 403,
    error: { type: 'invalid_request_error', message: 'The provided key does not have …' },
  };
  await expect(compare()).rejects.toMatchObject({ type: 'StripePermissionError' });
});
