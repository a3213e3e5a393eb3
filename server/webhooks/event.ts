/** What happened on the site, as the owner's webhook receiver gets it. */

/** An event. Its id makes queueing idempotent: letters, digits and `-`; `at` in ms since 1970, UTC. */
export type WebhookEvent = { id: string; at: number } & (
  | { type: 'message.received'; data: MessageData }
  | { type: 'booking.created' | 'booking.moved' | 'booking.cancelled'; data: BookingData }
  | { type: 'sale.recorded' | 'sale.refunded'; data: SaleData }
  | { type: 'alert.raised'; data: AlertData }
);

interface MessageData {
  id: string;
  name: string;
  email: string;
  company: string | null;
  message: string;
}

/** Times are ISO 8601, UTC. */
interface BookingData {
  id: string;
  call: string;
  start: string;
  end: string;
  name: string;
  email: string;
  timeZone: string;
  note: string | null;
  source: string | null;
  control: string | null;
}

/** Amounts are in Stripe's unit of the currency. Buyers are not named: the id leads to the payment. */
export interface SaleData {
  id: string;
  timestamp: string;
  amount: number;
  refunded: number;
  currency: string;
  source: string | null;
  control: string | null;
}

/** A sentence for the owner. Its kind stays the same while numbers in the text change. */
export interface AlertData {
  kind: string;
  text: string;
}
