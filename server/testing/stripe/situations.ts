/** For tests: what can become of a payment at Stripe, and the sale it must end as. */
import type { SettledSale } from '../../analytics/store.ts';
import { dispute, event, refund, session, type TestEvent, timeOf } from './events.ts';

export interface PaymentScenario {
  events: TestEvent[];
  /** Undefined: nobody paid. */
  sale: Partial<SettledSale> | undefined;
}

const completed = (change: Record<string, unknown> = {}, after = 0) =>
  event('checkout.session.completed', session(change), after);
const unpaid = { payment_status: 'unpaid' };

export const paymentScenarios: Record<string, PaymentScenario> = {
  'a card is charged at once': {
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
  'a bank transfer arrives days later: it is paid then': {
    events: [
      completed(unpaid),
      event('checkout.session.async_payment_succeeded', session(), 300_000),
    ],
    sale: { at: timeOf(300_000), amount: 9700 },
  },
  'a bank transfer never arrives': {
    events: [
      completed(unpaid),
      event('checkout.session.async_payment_failed', session(unpaid), 300_000),
    ],
    sale: undefined,
  },
  'a session is complete, and its payment still on the way': {
    events: [completed(unpaid)],
    sale: undefined,
  },
  'two events tell of one payment: the first says when': {
    events: [
      completed(),
      completed({}, 5),
      event('checkout.session.async_payment_succeeded', session(), 9),
    ],
    sale: { at: timeOf(), amount: 9700 },
  },
  'a coupon of 100 % makes it free': {
    events: [
      completed({ payment_status: 'no_payment_required', amount_total: 0, payment_intent: null }),
    ],
    sale: { amount: 0, refunded: 0 },
  },
  'a card is put on file for later': {
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
  'a part is refunded': {
    events: [completed(), event('refund.created', refund(), 100)],
    sale: { amount: 9700, refunded: 2000 },
  },
  'two parts are refunded, told of by five events': {
    events: [
      completed(),
      event('refund.created', refund({ status: 'pending' }), 100),
      event('refund.updated', refund(), 110),
      event('charge.refund.updated', refund(), 110),
      event('refund.created', refund({ id: 're_3TestB', amount: 700 }), 200),
      event(
        'charge.refunded',
        { id: 'ch_3TestA', object: 'charge', amount_refunded: 2700, payment_intent: 'pi_3TestA' },
        200,
      ),
    ],
    sale: { amount: 9700, refunded: 2700 },
  },
  'all of it is refunded': {
    events: [completed(), event('refund.created', refund({ amount: 9700 }), 100)],
    sale: { amount: 9700, refunded: 9700 },
  },
  'a refund is pending: the money is as good as gone': {
    events: [completed(), event('refund.created', refund({ status: 'pending' }), 100)],
    sale: { refunded: 2000 },
  },
  'a refund fails: the money is back': {
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
  'an older version of the API lists the refunds in their charge': {
    events: [
      completed(),
      event(
        'charge.refunded',
        {
          id: 'ch_3TestA',
          object: 'charge',
          amount_refunded: 2000,
          payment_intent: 'pi_3TestA',
          refunds: { object: 'list', data: [refund()] },
        },
        100,
      ),
      event('refund.created', refund(), 100),
    ],
    sale: { refunded: 2000 },
  },
  'a bank asks: nothing is taken yet': {
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
  'a dispute is prevented, and its money refunded': {
    events: [
      completed(),
      event('charge.dispute.created', dispute(), 200),
      event('charge.dispute.closed', dispute({ status: 'prevented' }), 300),
      event('refund.created', refund({ amount: 9700 }), 301),
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
  'a part is refunded, then all of it is disputed and lost': {
    events: [
      completed(),
      event('refund.created', refund(), 100),
      event('charge.dispute.created', dispute(), 200),
      event('charge.dispute.closed', dispute({ status: 'lost' }), 900),
    ],
    sale: { amount: 9700, refunded: 9700, disputed: 0 },
  },
  'a refund without its sale waits': {
    events: [event('refund.created', refund(), 100)],
    sale: undefined,
  },
  'nothing is known of the buyer, and no metadata are there': {
    events: [
      completed({ customer_details: null, customer_email: null, metadata: null, customer: null }),
    ],
    sale: { email: null, source: null },
  },
  'the seller’s own link says where the buyer came from': {
    events: [completed({ metadata: { utm_source: 'newsletter' } })],
    sale: { source: 'newsletter' },
  },
  'a currency without cents': {
    events: [
      completed({ amount_total: 12000, currency: 'jpy' }),
      event('refund.created', refund({ amount: 2000, currency: 'jpy' }), 100),
    ],
    sale: { amount: 12000, refunded: 2000, currency: 'JPY' },
  },
  'another currency': {
    events: [completed({ currency: 'eur' })],
    sale: { amount: 9700, currency: 'EUR' },
  },
  'the buyer pays in their own currency, and gets a third of it back': {
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
  'Stripe was asked to expand the payment': {
    events: [
      completed({ payment_intent: { id: 'pi_3TestA', object: 'payment_intent' } }),
      event('refund.created', refund(), 100),
    ],
    sale: { amount: 9700, refunded: 2000 },
  },
};
