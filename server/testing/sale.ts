/** For tests: a sale with some fields changed. */
import type { Sale } from '../sales/sale.ts';

/** A direct sale of 97 dollars at noon on 10 March 2026, UTC. */
export const sampleSale = (changes: Partial<Sale> = {}): Sale => ({
  id: 'order-1',
  at: Date.UTC(2026, 2, 10, 12),
  amount: 9700,
  refunded: 0,
  disputed: 0,
  currency: 'USD',
  email: null,
  source: null,
  firstSource: null,
  button: null,
  ...changes,
});
