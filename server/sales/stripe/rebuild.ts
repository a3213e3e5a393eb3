/** Brings the counted sales up to date with the stored events, once at each start. */
import type { SaleStore } from '../store.ts';
import type { IngestOptions } from './ingest.ts';

/**
 * Deletes test payments from before the site was public, and rebuilds sales that this version of the
 * program reads differently. Returns the function that stops it.
 */
export function rebuildSales({
  store,
  sales,
  acceptsTestPayments,
  log,
}: Pick<IngestOptions, 'store' | 'acceptsTestPayments' | 'log'> & {
  sales: Pick<SaleStore, 'rebuild'>;
}): () => Promise<void> {
  const stopping = new AbortController();
  const run = async () => {
    const tests = acceptsTestPayments ? 0 : await store.deleteTests(stopping.signal);
    if (tests > 0)
      log.info(
        { events: tests },
        'Stripe: deleted the test payments from before the site was live',
      );
    const rebuilt = await sales.rebuild(stopping.signal);
    if (rebuilt > 0) log.info({ sales: rebuilt }, 'sales: rebuilt from their events and reports');
  };
  const running = run().catch((error: unknown) => {
    log.error({ error }, 'Stripe: could not rebuild sales; the next start tries again');
  });
  return () => {
    stopping.abort();
    return running;
  };
}
