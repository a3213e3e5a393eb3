/** A sale, and what is computed of it. */
import type { Row } from '../database/schema.ts';

/** A sale. */
export interface Sale {
  /** The checkout's id. Idempotent: the same id is the same sale. */
  id: string;
  /** When it was paid, milliseconds since 1970, UTC. */
  at: number;
  /** Amount paid, in the currency's smallest unit (cents). */
  amount: number;
  /** Amount returned by refunds and lost disputes; at most `amount`. */
  refunded: number;
  /** Amount in open disputes. */
  disputed: number;
  /** ISO 4217, upper case. */
  currency: string;
  email: string | null;
  /** Last-touch source, as the checkout reported it; null for direct visits. */
  source: string | null;
  /** First-touch source and the call-to-action that led to the checkout; null when unknown. */
  firstSource: string | null;
  button: string | null;
}

/** Money of a sale by its own date: what was refunded or lost in a dispute, or the tax that it contains. */
export interface SaleEntry {
  kind: 'refund' | 'dispute' | 'tax';
  /** Milliseconds since 1970, UTC. */
  at: number;
  /** In the sale's currency, in its smallest unit; negative when less was refunded than reported before. */
  amount: number;
}

/** A sale computed from all that is known of it. Its id is stored separately. */
export interface SettledSale extends Omit<Sale, 'id'> {
  /**
   * Whether a payment at Stripe or a report of another checkout says what was sold. `other` sales are
   * stored, but not counted: of something else than the product, or counted under another id.
   */
  origin: Row<'conversion'>['origin'];
  /** Oldest first; none of `other` sales. Refunds and lost disputes add up to `refunded`. */
  entries: SaleEntry[];
}
