import type { SettledSale } from '../analytics/store.ts';
import type { StripeEvent } from './facts.ts';

/** An event and its body as it was signed. */
interface Delivery {
  event: StripeEvent;
  /** JSON. */
  payload: string;
  /** Milliseconds since 1970, UTC. */
  receivedAt: number;
}

/** A payment whose sale is not what the inbox makes of it. */
export interface PaymentDifference {
  payment: string;
  /** The sale that the dashboard counts. */
  stored: SettledSale | undefined;
  /** The sale that the inbox says it is. */
  rebuilt: SettledSale | undefined;
}

export interface PaymentCheck {
  /** Number of payments that were made again from the inbox. */
  checked: number;
  differences: PaymentDifference[];
}

export interface PaymentStore {
  /**
   * Keeps an event and makes the sale of its payment anew, in one step: when it resolves, both are on
   * disk. Returns false when the event was kept before.
   */
  receive(delivery: Delivery): Promise<boolean>;
  /** When the newest event in the inbox happened by Stripe's clock, milliseconds since 1970, UTC. */
  newest(): Promise<number | undefined>;
  /** The sale that is counted for a payment. */
  sale(payment: string): Promise<SettledSale | undefined>;
  /**
   * Payments, real ones or trials, whose checkout began at `since` (milliseconds since 1970, UTC) or
   * later, whatever became of them. One may come twice.
   */
  checkoutsSince(since: number, kind: { isLive: boolean }): AsyncIterable<string>;
  /**
   * What Stripe said of this person, event by event: those that name their e-mail address, and all
   * others of the same payments.
   */
  eventsOf(email: string): Promise<unknown[]>;
  /**
   * Takes the person out of these events and the sales made of them, for good: what is told of the
   * same payments later is kept without them, too. No figure changes. Returns the number of events.
   */
  erase(email: string): Promise<number>;
  /** Replaces sources that name a person in events from which the person was taken, by `email` or `phone`. */
  cleanSources(): Promise<void>;
  /** The same with all events before `before`, milliseconds since 1970, UTC. */
  eraseBuyersBefore(before: number): Promise<number>;
  /** Makes every sale again from the inbox and compares it with the one that is counted. */
  compare(): Promise<PaymentCheck>;
}
