import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshStores } from '../testing/engines.ts';
import { openTestStripe, type TestStripe } from '../testing/stripe/api.ts';
import {
  charge,
  dispute,
  event,
  refund,
  session,
  type TestEvent,
  timeOf,
} from '../testing/stripe/events.ts';
import { type PaymentScenario, paymentScenarios } from '../testing/stripe/situations.ts';
import { eventOf } from './facts.ts';
import { reconcile } from './reconcile.ts';

const day = 24 * 60 * 60;
const now = timeOf(20 * day);
const never = new AbortController().signal;

const { stores } = freshStores();
let stripe: TestStripe;
/** What comes while a difference is given time. */
const settle = vi.fn<() => Promise<void>>();

beforeEach(async () => {
  stripe = await openTestStripe();
  settle.mockReset().mockResolvedValue();
});
afterEach(async () => {
  stripe.close();
});

const receive = (told: TestEvent) =>
  stores.payments.receive({
    event: eventOf(told),
    payload: JSON.stringify(told),
    receivedAt: now,
  });
const compare = (stopped = never, apiKey = 'rk_live_51Nq8ZkT3vYw0sLb') =>
  reconcile(
    { apiKey, endpoint: stripe.endpoint, store: stores.payments, now: () => now, settle },
    stopped,
  );

/** A payment that Stripe knows of, and, unless it `isMissed`, we too. */
async function pay(
  payment: string,
  {
    isMissed = false,
    of = {},
    charged = {},
  }: { isMissed?: boolean; of?: Record<string, unknown>; charged?: Record<string, unknown> } = {},
) {
  const own = { payment_intent: payment };
  const paid = session({ id: `cs_of_${payment}`, ...own, ...of });
  stripe.sessions.unshift(paid);
  stripe.charges[payment] = charge({ id: `ch_of_${payment}`, ...own, ...charged });
  if (!isMissed) await receive(event('checkout.session.completed', paid));
}
const side = { amount: 9700, refunded: 0, disputed: 0, currency: 'USD' };
const takings = (gross: number, refunded: number) => ({ gross, refunded, net: gross - refunded });

describe('when all was heard', () => {
  it('both say the same', async () => {
    await pay('pi_1');
    await pay('pi_2', { of: { amount_total: 194000 }, charged: { amount_captured: 194000 } });
    expect(await compare()).toEqual({
      at: now,
      payments: 2,
      differ: 0,
      differing: [],
      stripe: takings(203700, 0),
      ours: takings(203700, 0),
    });
    expect(settle).not.toHaveBeenCalled();
    expect(stripe.requests.map(({ pathname }) => pathname)).toEqual(['/v1/checkout/sessions']);
    expect(stripe.requests[0]?.searchParams.get('created[gte]')).toBe(
      String(now / 1000 - 30 * day),
    );
  });

  it('a hundred payments and more are asked for page after page', async () => {
    for (let n = 1; n <= 130; n += 1) await pay(`pi_${n}`);
    expect(await compare()).toMatchObject({ payments: 130, differ: 0, ours: { net: 130 * 9700 } });
    expect(stripe.requests.map(({ searchParams }) => searchParams.get('starting_after'))).toEqual([
      null,
      'cs_of_pi_31',
    ]);
  });

  it.each(Object.entries(paymentScenarios))('%s', async (_name, situation) => {
    for (const told of situation.events) await receive(told);
    become(situation);
    const found = await compare();
    expect(found.differing).toEqual([]);
    expect(found.payments).toBe(situation.sale ? 1 : 0);
  });
});

/** Makes Stripe's side what the events of a situation led to. */
function become({ events }: PaymentScenario): void {
  const last = (kind: string) => {
    const objects = events.map(({ data }) => data.object).filter(({ object }) => object === kind);
    return [...new Map(objects.map((object) => [object.id, object])).values()];
  };
  stripe.sessions = last('checkout.session').map((of) => ({
    ...of,
    // Asked for, it is expanded whatever the events were.
    payment_intent: of.payment_intent && 'pi_3TestA',
  }));
  stripe.refunds = last('refund');
  stripe.disputes = last('dispute');
  const [of] = stripe.sessions;
  const refunded = stripe.refunds
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amount }) => sum + Number(amount), 0);
  stripe.charges.pi_3TestA = charge({
    amount_captured: of?.amount_total,
    amount_refunded: refunded,
    currency: of?.currency,
    disputed: stripe.disputes.length > 0,
  });
}

describe('a difference', () => {
  it('is a payment that is missing here', async () => {
    await pay('pi_1');
    await pay('pi_2', { isMissed: true });
    expect(await compare()).toEqual({
      at: now,
      payments: 2,
      differ: 1,
      differing: [{ payment: 'pi_2', stripe: side, ours: undefined }],
      stripe: takings(19400, 0),
      ours: takings(9700, 0),
    });
  });

  it('is a refund that is missing here', async () => {
    await pay('pi_1', { charged: { amount_refunded: 2000 } });
    stripe.refunds = [refund({ payment_intent: 'pi_1' })];
    expect(await compare()).toMatchObject({
      differing: [{ payment: 'pi_1', stripe: { ...side, refunded: 2000 }, ours: side }],
      stripe: takings(9700, 2000),
      ours: takings(9700, 0),
    });
  });

  it('is a pending refund that is missing here, though the charge does not tell of it yet', async () => {
    await pay('pi_1');
    await receive(event('refund.created', refund({ payment_intent: 'pi_1', status: 'pending' })));
    // Ours knows of 20 dollars, Stripe of 20 and 7 more.
    stripe.refunds = [
      refund({ payment_intent: 'pi_1', status: 'pending' }),
      refund({ id: 're_2', payment_intent: 'pi_1', status: 'pending', amount: 700 }),
    ];
    expect(await compare()).toMatchObject({
      differing: [{ stripe: { refunded: 2700 }, ours: { refunded: 2000 } }],
    });
    await receive(event('refund.created', { ...stripe.refunds[1] }));
    expect(await compare()).toMatchObject({ differ: 0, ours: takings(9700, 2700) });
  });

  it('is a refund that failed, which is not known here', async () => {
    await pay('pi_1');
    await receive(event('refund.created', refund({ payment_intent: 'pi_1' })));
    stripe.refunds = [refund({ payment_intent: 'pi_1', status: 'failed' })];
    expect(await compare()).toMatchObject({
      differing: [{ stripe: { refunded: 0 }, ours: { refunded: 2000 } }],
    });
  });

  it('is a dispute that was lost, which is not known here', async () => {
    await pay('pi_1', { charged: { disputed: true } });
    await receive(event('charge.dispute.created', dispute({ payment_intent: 'pi_1' })));
    stripe.disputes = [dispute({ payment_intent: 'pi_1', status: 'lost' })];
    expect(await compare()).toMatchObject({
      differing: [
        {
          stripe: { ...side, refunded: 9700, disputed: 0 },
          ours: { ...side, refunded: 0, disputed: 9700 },
        },
      ],
      stripe: takings(9700, 9700),
      ours: takings(9700, 0),
    });
  });

  it('is a dispute, though nobody told of it and no refund stands in the charge', async () => {
    await pay('pi_1', { charged: { disputed: true } });
    stripe.disputes = [dispute({ payment_intent: 'pi_1', amount: 5000 })];
    expect(await compare()).toMatchObject({
      differing: [{ stripe: { ...side, disputed: 5000 }, ours: side }],
      stripe: takings(9700, 0),
    });
  });

  it('is seen in another currency too, and not added to the dollars', async () => {
    const euros = { of: { currency: 'eur' }, charged: { currency: 'eur' } };
    await pay('pi_1', euros);
    await pay('pi_2', { ...euros, isMissed: true });
    expect(await compare()).toMatchObject({
      payments: 2,
      differing: [{ payment: 'pi_2', stripe: { amount: 9700, currency: 'EUR' } }],
      stripe: takings(0, 0),
      ours: takings(0, 0),
    });
  });

  it('is a checkout that cost nothing and is missing here', async () => {
    const free = { payment_status: 'no_payment_required', amount_total: 0, payment_intent: null };
    await pay('pi_1', { isMissed: true, of: free });
    expect(await compare()).toMatchObject({
      differing: [{ payment: 'cs_of_pi_1', stripe: { ...side, amount: 0 } }],
    });
  });

  it('is a sale that Stripe does not know of', async () => {
    await receive(event('checkout.session.completed', session()));
    expect(await compare()).toMatchObject({
      payments: 1,
      differing: [{ payment: 'pi_3TestA', stripe: undefined, ours: side }],
      stripe: takings(0, 0),
      ours: takings(9700, 0),
    });
  });

  it('is less money taken than the checkout came to', async () => {
    await pay('pi_1', { charged: { amount_captured: 5000 } });
    expect(await compare()).toMatchObject({
      differing: [{ stripe: { amount: 5000 }, ours: { amount: 9700 } }],
    });
  });

  it('is told twenty times at most, and counted', async () => {
    for (let n = 1; n <= 25; n += 1) await pay(`pi_${n}`, { isMissed: true });
    const found = await compare();
    expect([found.differ, found.differing.length]).toEqual([25, 20]);
    expect(found.stripe.net).toBe(25 * 9700);
  });
});

describe('no difference', () => {
  it('is what arrives while it is given time', async () => {
    await pay('pi_1', { isMissed: true });
    settle.mockImplementation(async () => {
      await receive(event('checkout.session.completed', { ...stripe.sessions[0] }));
    });
    expect(await compare()).toMatchObject({ payments: 1, differ: 0, ours: takings(9700, 0) });
  });

  it('is what differs for the first time at the second look: it is under way', async () => {
    await pay('pi_1', { isMissed: true });
    settle.mockImplementation(() => pay('pi_2', { isMissed: true }));
    expect(await compare()).toMatchObject({
      payments: 1,
      differing: [{ payment: 'pi_1' }],
      stripe: takings(9700, 0),
    });
  });

  it('is a price that the buyer saw in their own currency', async () => {
    // As Stripe tells it since 2025: all in the price's currency, and what was seen beside it.
    const presentment_details = { presentment_amount: 8700, presentment_currency: 'eur' };
    await pay('pi_1', { of: { presentment_details }, charged: { presentment_details } });
    expect(await compare()).toMatchObject({ differ: 0, ours: takings(9700, 0) });
  });

  it('is a converted price that a webhook of an older version told the older way', async () => {
    await pay('pi_1', { isMissed: true, charged: { amount_refunded: 3233 } });
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
    expect(await compare()).toMatchObject({ differ: 0, ours: takings(9700, 3233) });
  });

  it('is a subscription, which is known by its checkout', async () => {
    const of = {
      mode: 'subscription',
      payment_intent: null,
      invoice: 'in_1',
      subscription: 'sub_1',
    };
    await pay('pi_1', { of });
    expect(await compare()).toMatchObject({ payments: 1, differ: 0, ours: takings(9700, 0) });
  });

  it('is a sale of a checkout that began longer ago', async () => {
    const old = { created: now / 1000 - 31 * day };
    await pay('pi_1', { of: old });
    await receive(event('checkout.session.async_payment_succeeded', session(old), 19 * day));
    expect(await compare()).toMatchObject({ payments: 0, differ: 0 });
  });

  it('is a trial, asked with a live key, or a sale, asked with a test key', async () => {
    await receive({ ...event('checkout.session.completed', session()), livemode: false });
    expect(await compare()).toMatchObject({ payments: 0, differ: 0 });
    expect(await compare(never, 'rk_test_51Nq8ZkT3vYw0sLb')).toMatchObject({ differ: 1 });
  });

  it('is a checkout that was left, or is not paid yet', async () => {
    await pay('pi_1', { isMissed: true, of: { status: 'expired', payment_status: 'unpaid' } });
    await pay('pi_2', { of: { payment_status: 'unpaid' }, charged: { status: 'pending' } });
    expect(await compare()).toMatchObject({ payments: 0, differ: 0 });
  });
});

it('ends when it is told to, and when Stripe refuses', async () => {
  await pay('pi_1');
  await expect(compare(AbortSignal.abort())).rejects.toThrow(/abort/i);
  stripe.failure = {
    path: /sessions/,
    status: 403,
    error: { type: 'invalid_request_error', message: 'The provided key does not have …' },
  };
  await expect(compare()).rejects.toMatchObject({ type: 'StripePermissionError' });
});
