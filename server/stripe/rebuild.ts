/** Brings the counted sales up to date with the stored events, once at each start. */
import type { IngestOptions } from './ingest.ts';

/**
 * Deletes test payments from before the site was public, and rebuilds sales that this version of the
 * program reads differently. Returns the function that stops it.
 */
export function rebuildSales({
  store,
  acceptsTestPayments,
  log,
}: Pick<IngestOptions, 'store' | 'acceptsTestPayments' | 'log'>): () => Promise<void> {
  const stopping = new AbortController();
  const run = async () => {
    const tests = acceptsTestPayments ? 0 : await store.deleteTests(stopping.signal);
    if (tests > 0) log.info({ events: tests }, 'Stripe: deleted test payments of the time before');
    const sales = await store.rebuild(stopping.signal);
    if (sales > 0) log.info({ sales }, 'Stripe: rebuilt sales from their events');
  };
  const running = run().catch((error: unknown) => {
    log.error({ error }, 'Stripe: could not rebuild sales; the next start tries again');
  });
  return () => {
    stopping.abort();
    return running;
  };
}
