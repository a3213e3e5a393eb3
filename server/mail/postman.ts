/**
 * Carries letters from the outbox to the mail server, and never loses one: what is not taken is tried
 * again, after a minute at first and every six hours in the end, for ever.
 */
import type { Log } from '../log.ts';
import type { Deliver } from './smtp.ts';
import type { ClaimedLetter, MailStore } from './store.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How often the outbox is looked at when nobody says that there is something new. */
const lookEvery = 30_000;
/** How long a letter may take: connecting, greeting and sending, with room to spare. */
const lease = 5 * minute;
/** Letters that are carried in one go. */
const armful = 10;

export interface Postman {
  /** There may be something new. */
  wake(): void;
  /** Lets the letter under way arrive, and stops. */
  stop(): Promise<void>;
}

export function startPostman({
  store,
  deliver,
  now,
  log,
}: {
  store: MailStore;
  deliver: Deliver;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}): Postman {
  let isStopped = false;
  let round: Promise<void> | undefined;
  let isWoken = false;

  const carry = async (letter: ClaimedLetter) => {
    const { id, attempts } = letter;
    const outcome = await deliver(letter);
    if (outcome.is === 'sent') return store.sent(id, now());
    const { error } = outcome;
    if (outcome.is === 'refused') {
      log.error({ letter: id, error }, 'the mail server refused a letter for good');
      return store.refused(id, { at: now(), error });
    }
    const wait = Math.min(6 * hour, minute * 2 ** attempts);
    log.warn({ letter: id, error, again: wait / 1000 }, 'a letter could not be sent; trying again');
    return store.postponed(id, { dueAt: now() + wait, error });
  };
  const go = async () => {
    while (!isStopped) {
      isWoken = false;
      const letters = await store.claim({ now: now(), lease, limit: armful });
      for (const letter of letters) {
        // What was claimed and not carried is due again when its lease is over.
        if (isStopped) return;
        await carry(letter);
      }
      if (letters.length === 0 && !isWoken) return;
    }
  };
  const wake = () => {
    isWoken = true;
    round ??= go()
      .catch((error: unknown) => log.error({ error }, 'the outbox could not be looked through'))
      .finally(() => {
        round = undefined;
      });
  };
  wake();
  const timer = setInterval(wake, lookEvery);
  timer.unref();
  return {
    wake,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await round;
    },
  };
}
