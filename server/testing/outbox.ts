/** For tests: counts the results that a worker of the outbox has stored. */
import type { OutboxQueue } from '../email/store.ts';

type Results = Pick<OutboxQueue<unknown>, 'sent' | 'postponed' | 'refused'>;

/**
 * Wraps a store of the outbox. A worker that stops awaits the result of an attempt for 1.5 s only, so a test
 * waits for `stored` before it reads the outbox or moves its clock.
 */
export function countResults<Store extends Results>(store: Store, stored: () => void) {
  const counted =
    <Args extends unknown[]>(write: (...args: Args) => Promise<void>) =>
    async (...args: Args) => {
      await write(...args);
      stored();
    };
  const { sent, postponed, refused } = store;
  return {
    ...store,
    sent: counted(sent),
    postponed: counted(postponed),
    refused: counted(refused),
  };
}
