/** Test scenarios: a payment's events at Stripe and the resulting sale. */
import type { SettledSale } from '../../sales/sale.ts';
import {
  charge,
  dispute,
  event,
  olderEvent,
  refund,
  session,
  type TestEvent,
  timeOf,
} from './events.ts';

export interface PaymentScenario {
  events: TestEvent[];
  /** Undefined when the payment is unpaid. */
  sale: Partial<SettledSale> | undefined;
}

const completed = (change: Record<string, unknown> = {}, after = 0) =>
  event('checkout.session.completed', session(change), after);
const unpaid = { payment_status: 'unpaid' };

export const paymentScenarios: Record<string, PaymentScenario> = {
  'a card is charged immediately': {
    events: [completed()],
    sale: {
      at: timeOf(),
      amount: 9700,
      refunded: 0,
      disputed: 0,
      currency: 'USD',
      email: 'ada@example.com',
    },
  },
  'a bank transfer is paid days later': {
    events: [
      completed(unpaid),
      event('checkout.session.async_payment_succeeded', session(), 300_000),
    ],
    sale: { at: timeOf(300_000), amount: 9700 },
  },
  'a bank transfer fails': {
    events: [
      completed(unpaid),
      event('checkout.session.async_payment_failed', session(unpaid), 300_000),
    ],
    sale: undefined,
  },
  'a session is complete but its payment is pending': {
    events: [completed(unpaid)],
    sale: undefined,
  },
  'several events report one payment, dated by the first': {
    events: [
      completed(),
      completed({}, 5),
      event('checkout.session.async_payment_succeeded', session(), 9),
    ],
    sale: { at: timeOf(), amount: 9700 },
  },
  'a 100% coupon makes the checkout free': {
    events: [
      completed({ payment_status: 'no_payment_required', amount_total: 0, payment_intent: null }),
    ],
    sale: { amount: 0, refunded: 0 },
  },
  'a card is saved for later': {
    events: [
      completed({
        mode: 'setup',
        payment_status: 'no_payment_required',
        amount_total: null,
        payment_intent: null,
      }),
    ],
    sale: undefined,
  },
  'a subscription starts with a free trial': {
    events: [
      completed({
        mode: 'subscription',
        payment_status: 'no_payment_required',
        amount_total: 0,
        payment_intent: null,
      }),
    ],
    sale: undefined,
  },
  'the payment is partly refunded': {
    events: [completed(), event('refund.created', refund(), 100)],
    sale: { amount: 9700, refunded: 2000 },
  },
  'two partial refunds arrive in five events': {
    events: [
      completed(),
      event('refund.created', refund({ status: 'pending' }), 100),
      event('refund.updated', refund(), 110),
      event('charge.refund.updated', refund(), 110),
      event('refund.created', refund({ id: 're_3TestB', amount: 700 }), 200),
      event('charge.refunded', charge({ amount_refunded: 2700 }), 200),
    ],
    sale: { amount: 9700, refunded: 2700 },
  },
  'the payment is fully refunded': {
    events: [completed(), event('refund.created', refund({ amount: 9700 }), 100)],
    sale: { amount: 9700, refunded: 9700 },
  },
  'a refund is pending': {
    events: [completed(), event('refund.created', refund({ status: 'pending' }), 100)],
    sale: { refunded: 2000 },
  },
  'a refund fails': {
    events: [
      completed(),
      event('refund.created', refund({ status: 'pending' }), 100),
      event('refund.updated', refund(), 150),
      event(
        'refund.failed',
        refund({ status: 'failed', failure_reason: 'expired_or_canceled_card' }),
        900,
      ),
    ],
    sale: { refunded: 0 },
  },
  'a refund is canceled': {
    events: [
      completed(),
      event('refund.created', refund({ status: 'requires_action' }), 100),
      event('refund.updated', refund({ status: 'canceled' }), 150),
    ],
    sale: { refunded: 0 },
  },
  'one of two refunds fails': {
    events: [
      completed(),
      event('refund.created', refund(), 100),
      event('refund.created', refund({ id: 're_3TestB', amount: 700 }), 200),
      event('refund.failed', refund({ id: 're_3TestB', amount: 700, status: 'failed' }), 300),
    ],
    sale: { refunded: 2000 },
  },
  'an older API version lists the refunds in their charge': {
    events: [
      completed(),
      event(
        'charge.refunded',
        charge({ amount_refunded: 2000, refunds: { object: 'list', data: [refund()] } }),
        100,
      ),
      event('refund.created', refund(), 100),
    ],
    sale: { refunded: 2000 },
  },
  'the API version reports only the sum of the refunds': {
    events: [
      completed(),
      olderEvent('charge.refunded', charge({ amount_refunded: 2000 }), 100),
      olderEvent('charge.refunded', charge({ amount_refunded: 9700, refunded: true }), 200),
    ],
    sale: { amount: 9700, refunded: 9700 },
  },
  'a refund fails that was reported only in a sum, and then another one': {
    events: [
      completed(),
      olderEvent('charge.refunded', charge({ amount_refunded: 5000 }), 100),
      olderEvent('charge.refund.updated', refund({ amount: 5000, status: 'failed' }), 300),
      olderEvent('charge.refunded', charge({ amount_refunded: 3000 }), 400),
      olderEvent('charge.refund.updated', refund({ amount: 5000, status: 'failed' }), 500),
    ],
    sale: { amount: 9700, refunded: 3000 },
  },
  'the API version changes between two refunds': {
    events: [
      completed(),
      olderEvent('charge.refunded', charge({ amount_refunded: 2000 }), 100),
      event(
        'refund.created',
        refund({ id: 're_3TestB', amount: 700, created: timeOf(200) / 1000 }),
        200,
      ),
    ],
    sale: { amount: 9700, refunded: 2700 },
  },
  'a refund fails, but stays in the sum of its charge': {
    events: [
      completed(),
      event('refund.created', refund(), 100),
      event('charge.refunded', charge({ amount_refunded: 2000 }), 100),
      event('refund.failed', refund({ status: 'failed' }), 300),
      event(
        'refund.created',
        refund({ id: 're_3TestB', amount: 700, created: timeOf(400) / 1000 }),
        400,
      ),
      event('charge.refunded', charge({ amount_refunded: 2700 }), 400),
    ],
    sale: { amount: 9700, refunded: 700 },
  },
  'an authorized payment is captured in part': {
    events: [
      completed(unpaid),
      event('charge.captured', charge({ amount_captured: 5000 }), 400),
      event('refund.created', refund(), 500),
    ],
    sale: { at: timeOf(400), amount: 5000, refunded: 2000 },
  },
  'an older API version refunds what was not captured': {
    events: [
      completed(unpaid),
      event('refund.created', refund({ id: 're_3TestRest', amount: 4700 }), 400),
      event('charge.captured', charge({ amount_captured: 5000, amount_refunded: 4700 }), 400),
      event('refund.created', refund({ amount: 1000 }), 500),
    ],
    sale: { at: timeOf(400), amount: 5000, refunded: 1000 },
  },
  'a bank opens an inquiry': {
    events: [
      completed(),
      event('charge.dispute.created', dispute({ status: 'warning_needs_response' }), 200),
      event('charge.dispute.closed', dispute({ status: 'warning_closed' }), 900),
    ],
    sale: { refunded: 0, disputed: 0 },
  },
  'a dispute is open': {
    events: [
      completed(),
      event('charge.dispute.created', dispute(), 200),
      event('charge.dispute.funds_withdrawn', dispute(), 201),
      event('charge.dispute.updated', dispute({ status: 'under_review' }), 300),
    ],
    sale: { refunded: 0, disputed: 9700 },
  },
  'a dispute is won': {
    events: [
      completed(),
      event('charge.dispute.created', dispute(), 200),
      event('charge.dispute.closed', dispute({ status: 'won' }), 900),
      event('charge.dispute.funds_reinstated', dispute({ status: 'won' }), 901),
    ],
    sale: { refunded: 0, disputed: 0 },
  },
  'a dispute is prevented and its payment refunded': {
    events: [
      completed(),
      event('charge.dispute.created', dispute(), 200),
      event('charge.dispute.closed', dispute({ status: 'prevented' }), 300),
      event('refund.created', refund({ amount: 9700 }), 301),
    ],
    sale: { refunded: 9700, disputed: 0 },
  },
  'a refund ends a dispute': {
    events: [
      completed(),
      event('charge.dispute.created', dispute(), 200),
      event('refund.created', refund({ amount: 9700 }), 300),
      event('charge.dispute.closed', dispute({ status: 'charge_refunded' }), 301),
    ],
    sale: { refunded: 9700, disputed: 0 },
  },
  'a dispute is lost': {
    events: [
      completed(),
      event('charge.dispute.created', dispute(), 200),
      event('charge.dispute.closed', dispute({ status: 'lost' }), 900),
    ],
    sale: { refunded: 9700, disputed: 0 },
  },
  'a partly refunded payment is disputed and lost': {
    events: [
      completed(),
      event('refund.created', refund(), 100),
      event('charge.dispute.created', dispute(), 200),
      event('charge.dispute.closed', dispute({ status: 'lost' }), 900),
    ],
    sale: { amount: 9700, refunded: 9700, disputed: 0 },
  },
  'a refund arrives before its checkout': {
    events: [event('refund.created', refund(), 100)],
    sale: undefined,
  },
  'buyer details and metadata are missing': {
    events: [
      completed({ customer_details: null, customer_email: null, metadata: null, customer: null }),
    ],
    sale: { email: null, source: null },
  },
  'the metadata of the payment link contain the source': {
    events: [completed({ metadata: { utm_source: 'newsletter' } })],
    sale: { source: 'newsletter' },
  },
  'the currency has no cents': {
    events: [
      completed({ amount_total: 12000, currency: 'jpy' }),
      event('refund.created', refund({ amount: 2000, currency: 'jpy' }), 100),
    ],
    sale: { amount: 12000, refunded: 2000, currency: 'JPY' },
  },
  'the currency is not US dollars': {
    events: [completed({ currency: 'eur' })],
    sale: { amount: 9700, currency: 'EUR' },
  },
  'the buyer pays in their own currency and a third is refunded': {
    events: [
      completed({
        amount_total: 8700,
        currency: 'eur',
        currency_conversion: { amount_total: 9700, source_currency: 'usd', fx_rate: '1.1149' },
      }),
      event('refund.created', refund({ amount: 2900, currency: 'eur' }), 100),
    ],
    sale: { amount: 9700, refunded: 3233, currency: 'USD' },
  },
  'the buyer pays in their own currency and all of it is refunded in thirds': {
    events: [
      completed({
        amount_total: 8700,
        currency: 'eur',
        currency_conversion: { amount_total: 9700, source_currency: 'usd', fx_rate: '1.1149' },
      }),
      ...['re_1', 're_2', 're_3'].map((id, i) =>
        event('refund.created', refund({ id, amount: 2900, currency: 'eur' }), 100 + i),
      ),
    ],
    sale: { amount: 9700, refunded: 9700, currency: 'USD' },
  },
  'the payment intent is expanded': {
    events: [
      completed({ payment_intent: { id: 'pi_3TestA', object: 'payment_intent' } }),
      event('refund.created', refund(), 100),
    ],
    sale: { amount: 9700, refunded: 2000 },
  },
};
