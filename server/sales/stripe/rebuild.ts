/** Brings the counted sales up to date with the stored events. */
import type { SaleStore } from '../store.ts';
import type { IngestOptions } from './ingest.ts';

/**
 * Deletes test payments from before the site was public, and rebuilds sales that count differently: this version of
 * the program reads their events in another way, or the owner named other Payment Links.
 */
export function createRebuild({
  store,
  sales,
  acceptsTestPayments,
  log,
}: Pick<IngestOptions, 'store' | 'acceptsTestPayments' | 'log'> & {
  sales: Pick<SaleStore, 'rebuild'>;
}) {
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
  let running = Promise.resolve();
  return {
    /** Runs once the run before, if any, has ended. */
    start() {
      running = running.then(run).catch((error: unknown) => {
        log.error({ error }, 'Stripe: could not rebuild sales; the next start tries again');
      });
    },
    /** Resolves once it has stopped. */
    stop(): Promise<void> {
      stopping.abort();
      return running;
    },
  };
}
