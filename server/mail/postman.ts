/**
 * Carries letters from the outbox to the mail server, and never loses one: what is not taken is tried
 * again, after a minute at first and every six hours in the end.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Deliver, Outcome } from './smtp.ts';
import type { ClaimedLetter, MailStore } from './store.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How often the outbox is looked at when nobody says that there is something new. */
const lookEvery = 30_000;
/** How long one letter may take: connecting, greeting and sending, with room to spare. */
const lease = 5 * minute;
/** Longest wait until a letter is tried again. */
const longestWait = 6 * hour;
/** A refusal this often in a row, over half a day, is meant: a full mailbox or a limit would be gone. */
const meantAfter = 9;
/** Milliseconds that a letter under way is waited for when the process is told to stop. */
const farewell = 1500;

export interface Postman {
  /** There may be something new. */
  wake(): void;
  /** Lets the letter under way arrive, if that is soon, and stops. */
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
  /** The mail server itself has failed so often in a row, and is left alone until then. */
  let faults = 0;
  let restsUntil = 0;

  const settle = async ({ id, attempts }: ClaimedLetter, outcome: Outcome) => {
    if (outcome.is === 'sent') return insist(() => store.sent(id, now()));
    const { error, code } = outcome;
    if (outcome.is === 'refused' && attempts + 1 >= meantAfter) {
      log.error({ letter: id, error: code }, 'the mail server refused a letter for good');
      return store.refused(id, { at: now(), error });
    }
    const wait = Math.min(longestWait, minute * 2 ** attempts);
    log.warn(
      { letter: id, error: code, again: wait / 1000 },
      'a letter could not be sent; trying again',
    );
    const remaining = outcome.is === 'partly' ? { remaining: outcome.remaining } : {};
    return store.postponed(id, { dueAt: now() + wait, error, ...remaining });
  };
  const carry = async (letter: ClaimedLetter) => {
    const outcome = await deliver(letter);
    await settle(letter, outcome);
    if (outcome.is === 'unreachable') {
      // Whatever else is due would fail in the same way, and lock the account.
      restsUntil = now() + Math.min(hour, minute * 2 ** faults);
      faults += 1;
      return;
    }
    if (faults > 0) await store.hurry(now(), now() + lease);
    faults = 0;
    restsUntil = 0;
  };
  const go = async () => {
    // A clock that was ahead for a while must not silence it for as long.
    const rests = () => restsUntil > now() && restsUntil <= now() + hour;
    while (!isStopped && !rests()) {
      isWoken = false;
      const letter = await store.claim({ now: now(), lease, longestWait });
      // What was claimed and not carried is due again when its lease is over.
      if (isStopped) return;
      if (letter) await carry(letter);
      else if (!isWoken) return;
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
  // What was refused may have been the owner's to mend: a new start tries it once more.
  void store.revive(now()).then(wake, wake);
  const timer = setInterval(wake, lookEvery);
  timer.unref();
  return {
    wake,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await Promise.race([round, pause(farewell, undefined, { ref: false })]);
    },
  };
}

/** A letter that was taken must not be sent again because the database was busy for a moment. */
async function insist(write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries === 5) throw error;
      await pause(tries * 200);
    }
  }
}
