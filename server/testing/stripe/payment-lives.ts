/**
 * For tests: random lives of a payment at a simulated Stripe account, with the events that each version of
 * the API sends about it, and what is left of the payment by the account's own books.
 */
import fc from 'fast-check';
import type { SettledSale } from '../../sales/sale.ts';
import { charge, dispute, event, refund, session, type TestEvent, timeOf } from './events.ts';

/**
 * Versions that differ in what they send about refunds. Until 2022-08-01 a charge lists its refunds, since
 * 2024-10-28 each refund has events of its own (https://docs.stripe.com/changelog).
 */
export const apiVersions = [
  '2022-08-01',
  '2022-11-15',
  '2023-10-16',
  '2024-10-28.acacia',
  '2025-03-31.basil',
  '2026-04-22.dahlia',
] as const;
export type ApiVersion = (typeof apiVersions)[number];

/** What happens to the payment; `n` chooses the amount, or the refund or dispute it happens to. */
interface Step {
  what:
    | 'refund'
    | 'pending refund'
    | 'refund succeeds'
    | 'refund fails'
    | 'dispute'
    | 'dispute ends';
  n: number;
}

export interface PaymentLife {
  events: TestEvent[];
  /** By the books of the account; undefined when nothing was paid. */
  sale: Pick<SettledSale, 'at' | 'amount' | 'refunded' | 'disputed' | 'currency'> | undefined;
}

const start = fc.record({
  payment: fc.constantFrom('card', 'bank', 'failed bank', 'captured', 'captured in part'),
  /** The buyer pays in euros what is priced in dollars. */
  isConverted: fc.boolean(),
  /** Whether a charge's sum of refunds falls when one fails: Stripe's documentation does not say. */
  sumFalls: fc.boolean(),
});

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    'refund',
    'refund',
    'pending refund',
    'refund succeeds',
    'refund fails',
    'dispute',
    'dispute ends',
  ),
  n: fc.nat(9699),
});

export const paymentLives = (version: ApiVersion): fc.Arbitrary<PaymentLife> =>
  fc
    .tuple(start, fc.array(step, { maxLength: 8 }))
    .map(([start, steps]) => lifeOf(version, start, steps));

interface BookedRefund {
  id: string;
  amount: number;
  status: string;
  created: number;
}

function lifeOf(
  version: ApiVersion,
  { payment, isConverted, sumFalls }: { payment: string; isConverted: boolean; sumFalls: boolean },
  steps: readonly Step[],
): PaymentLife {
  const price = isConverted ? 9700 : 8700;
  const currency = isConverted ? 'eur' : 'usd';
  const events: TestEvent[] = [];
  const refunds: BookedRefund[] = [];
  const disputes: { id: string; amount: number; status: string }[] = [];
  let seconds = 0;
  const send = (type: string, object: Record<string, unknown>) =>
    events.push({ ...event(type, object, seconds), api_version: version });

  const checkout = (payment_status: string) =>
    session({
      payment_status,
      currency,
      amount_total: 8700,
      currency_conversion: isConverted
        ? { amount_total: price, source_currency: 'usd', fx_rate: '1.1149' }
        : null,
    });
  const isImmediate = payment === 'card';
  send('checkout.session.completed', checkout(isImmediate ? 'paid' : 'unpaid'));
  if (!isImmediate) seconds += 1000;
  if (payment === 'failed bank') {
    send('checkout.session.async_payment_failed', checkout('unpaid'));
    return { events, sale: undefined };
  }
  const paidAt = seconds;
  const captured = payment === 'captured in part' ? 5000 : 8700;
  // What was not captured is a refund, too, in older versions (https://docs.stripe.com/changelog/basil).
  const released = version < '2025-03-31' ? 8700 - captured : 0;
  const inForce = () => refunds.filter(({ status }) => status !== 'failed');
  const sumOf = (list: readonly BookedRefund[]) =>
    list.reduce((sum, { amount }) => sum + amount, 0);
  const refundedOf = () => sumOf(inForce());
  const hasRefundEvents = version >= '2024-10-28';
  const refundObject = ({ id, amount, status, created }: BookedRefund) =>
    refund({ id, amount, status, currency, created });
  const rest = released > 0 ? [refund({ id: 're_3TestRest', amount: released, currency })] : [];
  const chargeObject = () =>
    charge({
      currency,
      amount: 8700,
      amount_captured: captured,
      // Without events about refunds, a sum that does not fall could not be read.
      amount_refunded: released + (sumFalls || !hasRefundEvents ? refundedOf() : sumOf(refunds)),
      refunded: refundedOf() === captured,
      // The newest first.
      ...(version < '2022-11-15' && {
        refunds: { object: 'list', data: [...refunds.map(refundObject).reverse(), ...rest] },
      }),
    });
  if (payment === 'bank') send('checkout.session.async_payment_succeeded', checkout('paid'));
  if (payment.startsWith('captured')) send('charge.captured', chargeObject());

  if (hasRefundEvents) for (const one of rest) send('refund.created', one);
  const changed = (booked: BookedRefund, status: string) => {
    booked.status = status;
    send('charge.refund.updated', refundObject(booked));
    if (!hasRefundEvents) return;
    send('refund.updated', refundObject(booked));
    if (status === 'failed') send('refund.failed', refundObject(booked));
  };
  const startOfTests = timeOf() / 1000;
  for (const { what, n } of steps) {
    seconds += 10;
    const left = captured - refundedOf();
    if (what === 'refund' || what === 'pending refund') {
      if (left === 0 || disputes.length > 0) continue;
      const booked = {
        id: `re_3Test${refunds.length}`,
        amount: n % 3 === 0 ? left : 1 + (n % left),
        status: what === 'refund' ? 'succeeded' : 'pending',
        created: startOfTests + seconds,
      };
      refunds.push(booked);
      if (hasRefundEvents) send('refund.created', refundObject(booked));
      send('charge.refunded', chargeObject());
    } else if (what === 'refund succeeds' || what === 'refund fails') {
      const open = refunds.filter(({ status }) => status === 'pending');
      const candidates = what === 'refund fails' ? inForce() : open;
      const booked = candidates[n % Math.max(candidates.length, 1)];
      if (booked) changed(booked, what === 'refund fails' ? 'failed' : 'succeeded');
    } else if (what === 'dispute') {
      if (left === 0 || disputes.length > 0) continue;
      disputes.push({ id: 'du_1Test', amount: left, status: 'needs_response' });
      send('charge.dispute.created', dispute({ ...disputes[0], currency }));
    } else if (disputes[0]?.status === 'needs_response') {
      disputes[0].status = n % 2 === 0 ? 'lost' : 'won';
      send('charge.dispute.closed', dispute({ ...disputes[0], currency }));
    }
  }

  const disputedBy = (status: string) =>
    disputes.reduce((sum, one) => sum + (one.status === status ? one.amount : 0), 0);
  const amount = Math.round((price * captured) / 8700);
  const priceOf = (charged: number) => Math.round((charged / captured) * amount);
  const refunded = Math.min(amount, priceOf(refundedOf() + disputedBy('lost')));
  return {
    events,
    sale: {
      at: timeOf(paidAt),
      amount,
      refunded,
      disputed: Math.min(amount - refunded, priceOf(disputedBy('needs_response'))),
      currency: 'USD',
    },
  };
}
