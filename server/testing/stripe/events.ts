/** Test events in the format of Stripe's API of 2026, and their signatures. */
import Stripe from 'stripe';

export const secret = 'whsec_3kF9tQ0aZ7xLm2Vd';

/** Seconds since 1970, as in Stripe's API. */
const start = Date.UTC(2026, 2, 10, 12) / 1000;

export interface TestEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
  data: { object: Record<string, unknown> };
}

let serial = 0;

/** An event `after` seconds after the start time of the tests. */
export function event(type: string, object: Record<string, unknown>, after = 0): TestEvent {
  serial += 1;
  return {
    id: `evt_1Test${String(serial).padStart(16, '0')}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: start + after,
    livemode: true,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object },
  };
}

/** The same of a version of the API that reports no refunds by themselves. */
export const olderEvent: typeof event = (...args) => ({
  ...event(...args),
  api_version: '2023-10-16',
});

/** The same events for another payment, with ids of their own. */
export const ofPayment = (events: readonly TestEvent[], n: number): TestEvent[] =>
  JSON.parse(JSON.stringify(events).replaceAll(/\b(evt|pi|re|du|ch|cs)_(\w+)/g, `$1_$2x${n}`));

/** When `event(…, after)` happened, milliseconds since 1970. */
export const timeOf = (after = 0) => (start + after) * 1000;

/** A checkout session of one payment. */
export const session = (change: Record<string, unknown> = {}) => ({
  id: 'cs_live_a1B2c3',
  object: 'checkout.session',
  amount_subtotal: 9700,
  amount_total: 9700,
  client_reference_id: null,
  created: start - 60,
  currency: 'usd',
  currency_conversion: null,
  customer: null,
  customer_creation: 'if_required',
  customer_details: { email: 'ada@example.com', name: 'Ada', phone: null, address: null },
  customer_email: null,
  livemode: true,
  metadata: {},
  mode: 'payment',
  payment_intent: 'pi_3TestA',
  payment_link: 'plink_1Test',
  payment_status: 'paid',
  status: 'complete',
  ...change,
});

export const refund = (change: Record<string, unknown> = {}) => ({
  id: 're_3TestA',
  object: 'refund',
  amount: 2000,
  balance_transaction: 'txn_3Test',
  charge: 'ch_3TestA',
  created: start + 100,
  currency: 'usd',
  metadata: {},
  payment_intent: 'pi_3TestA',
  reason: 'requested_by_customer',
  status: 'succeeded',
  ...change,
});

export const dispute = (change: Record<string, unknown> = {}) => ({
  id: 'du_1TestA',
  object: 'dispute',
  amount: 9700,
  charge: 'ch_3TestA',
  created: start + 200,
  currency: 'usd',
  evidence_details: { due_by: start + 1_000_000, has_evidence: false },
  is_charge_refundable: false,
  livemode: true,
  metadata: {},
  payment_intent: 'pi_3TestA',
  reason: 'fraudulent',
  status: 'needs_response',
  ...change,
});

/** Returns the `Stripe-Signature` header of this body. */
export const signed = (payload: string, { key = secret, at = Date.now() } = {}) =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: key,
    timestamp: Math.floor(at / 1000),
  });

/** The charge that paid a session. */
export const charge = (change: Record<string, unknown> = {}) => ({
  id: 'ch_3TestA',
  object: 'charge',
  amount: 9700,
  amount_captured: 9700,
  amount_refunded: 0,
  balance_transaction: 'txn_1Test',
  captured: true,
  created: start,
  currency: 'usd',
  disputed: false,
  livemode: true,
  paid: true,
  payment_intent: 'pi_3TestA',
  refunded: false,
  status: 'succeeded',
  ...change,
});
