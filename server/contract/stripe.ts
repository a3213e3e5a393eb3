/** What the site needs at Stripe. */

interface Right {
  access: 'Read' | 'Write';
  /**
   * Names that tick it in Stripe’s form for a new key. Stripe documents neither these nor the form, so that some have
   * two; it ignores one that it does not have.
   */
  permissions: readonly string[];
}

const read = (...permissions: string[]): Right => ({ access: 'Read', permissions });

/** Without these a key is refused, by the names that Stripe’s page for restricted keys has. */
export const readRights = {
  Events: read('rak_event_read'),
  'Checkout Sessions': read('rak_checkout_session_read', 'rak_bucket_checkout_read'),
  PaymentIntents: read('rak_payment_intent_read'),
  'Charges and Refunds': read('rak_charge_read', 'rak_refund_read'),
  Disputes: read('rak_dispute_read'),
  'Balance transaction sources': read('rak_balance_transaction_source_read'),
} satisfies Record<string, Right>;

/** All that the site’s key may do: also make the webhook, list the Payment Links and name the account. */
export const rights: Record<string, Right> = {
  ...readRights,
  'Webhook Endpoints': { access: 'Write', permissions: ['rak_webhook_write'] },
  'Payment Links': read('rak_payment_link_read', 'rak_bucket_payment_links_read'),
  Prices: read('rak_plan_read'),
  Accounts: read('rak_accounts_kyc_basic_read'),
};

/** The page at Stripe that makes a key of this name, with the rights ticked. */
export const newKeyAddress = (name: string): string => {
  const permissions = Object.values(rights).flatMap((right) => right.permissions);
  const query = [['name', name], ...permissions.map((one) => ['permissions[]', one])];
  return `https://dashboard.stripe.com/apikeys/create?${new URLSearchParams(query)}`;
};

/** The types of Stripe’s events that affect a sale. */
export const stripeEvents = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
  'charge.refunded',
  'charge.captured',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const;
