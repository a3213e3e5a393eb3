/** A sale, and what is computed of it. */
import type { Row } from '../database/schema.ts';

/** The fields of a sale, each with its column in `conversion` and `sale_report`. */
export const saleFields = {
  /** The checkout's id. Idempotent: the same id is the same sale. */
  id: 'id',
  /** When it was paid, milliseconds since 1970, UTC. */
  at: 'at',
  /** Amount paid, in the currency's smallest unit (cents). */
  amount: 'amount',
  /** Amount returned by refunds and lost disputes; at most `amount`. */
  refunded: 'refunded',
  /** Amount in open disputes. */
  disputed: 'disputed',
  /** ISO 4217, upper case. */
  currency: 'currency',
  email: 'email',
  /** Last-touch source, as the checkout reported it; null for direct visits. */
  source: 'source',
  /** First-touch source; null when unknown. */
  firstSource: 'first_source',
  /** The call-to-action that led to the checkout; null when unknown. */
  button: 'button',
} as const;

/** A sale. */
export type Sale = {
  -readonly [Field in keyof typeof saleFields]: Row<'sale_report'>[(typeof saleFields)[Field]];
};

type SaleColumns = {
  [Field in keyof Sale as (typeof saleFields)[Field]]: Sale[Field];
};

/** The columns of a sale's row. */
export const saleRow = (sale: Sale) =>
  Object.fromEntries(
    Object.entries(saleFields).map(([field, column]) => [column, sale[field as keyof Sale]]),
  ) as SaleColumns;

/** Money of a sale by its own date: what was refunded or lost in a dispute, or the tax that it contains. */
export interface SaleEntry extends Pick<Row<'sale_entry'>, 'kind'> {
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
