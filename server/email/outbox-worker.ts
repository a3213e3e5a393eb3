/**
 * Carries letters from the outbox to the mail server, and never loses one: what is not taken is tried
 * again, after a minute at first and every six hours in the end.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { clockSkew } from '../database/clock-skew.ts';
import type { Log } from '../log.ts';
import type { Deliver, Outcome } from './smtp.ts';
import type { ClaimedEmail, OutboxStore } from './store.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How often the outbox is looked at when nobody says that there is something new. */
const lookEvery = 30_000;
/** How long one letter may take: connecting, greeting and sending, with room to spare. */
const lease = 5 * minute;
/** Longest wait until a letter is tried again. */
const longestWait = 6 * hour;
/** The last refusal. It comes at least 14.5 hours after the first, so a full mailbox or a quota can clear. */
const maxRefusals = 11;
/** How soon it is tried again to write down what became of a letter, in ms, at first and in the end. */
const soonest = 200;
const latest = 5000;
/** Milliseconds that a letter under way is waited for when the process is told to stop. */
const farewell = 1500;

/** Milliseconds to wait after a failure: a minute at first, twice as long after each one before it. */
const backOff = (failuresBefore: number, most: number) =>
  Math.min(most, minute * 2 ** failuresBefore);

/** What the outcome of a try says of the mail server's answer. */
const answers = {
  partly: 'deferral',
  postponed: 'deferral',
  refused: 'refusal',
  unreachable: undefined,
} as const;

export interface OutboxWorker {
  /** There may be something new. */
  wake(): void;
  /** Lets the letter under way arrive, if that is soon, and stops. */
  stop(): Promise<void>;
}

export function startOutboxWorker({
  store,
  deliver,
  now,
  log,
}: {
  store: OutboxStore;
  deliver: Deliver;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}): OutboxWorker {
  let isStopped = false;
  let round: Promise<void> | undefined;
  let isWoken = false;
  /** The mail server itself has failed so often in a row, and is left alone until then. */
  let faults = 0;
  let restsUntil = 0;

  /** What became of letters and is not written down yet, by their names: none of them is sent again. */
  const unwritten = new Map<string, () => Promise<void>>();
  let writeAgainIn = soonest;
  let again: NodeJS.Timeout | undefined;
  /** The outbox could not be looked through the last time, and the log knows. */
  let isOut = false;

  /** Milliseconds for which a mail server that is unreachable now is left alone. */
  const restNow = () => backOff(faults, hour);
  /** How what became of a letter is written down. */
  const writingOf = (letter: ClaimedEmail, outcome: Outcome): (() => Promise<void>) => {
    const { id, deferrals, refusals } = letter;
    const at = now();
    if (outcome.is === 'sent') return () => store.sent(id, at);
    const { error, code } = outcome;
    if (outcome.is === 'refused' && refusals + 1 >= maxRefusals) {
      log.error({ letter: id, error: code }, 'the mail server refused a letter for good');
      return () => store.refused(id, { at, error });
    }
    // An outage before must not delay the next try after an answer of the mail server.
    const wait =
      outcome.is === 'unreachable' ? restNow() : backOff(deferrals + refusals, longestWait);
    log.warn(
      { letter: id, error: code, again: wait / 1000 },
      'a letter could not be sent; trying again',
    );
    const remaining = outcome.is === 'partly' ? outcome.remaining : undefined;
    const answer = answers[outcome.is];
    return () => store.postponed(id, { dueAt: at + wait, error, answer, remaining });
  };
  /** Writes down what became of letters. As long as that fails it is tried again, for ever. */
  const writeDown = async () => {
    for (const [id, write] of unwritten) {
      try {
        await write();
        unwritten.delete(id);
        writeAgainIn = soonest;
      } catch (error) {
        if (writeAgainIn === soonest) {
          log.error({ letter: id, error }, 'what became of a letter could not be written down');
        }
        clearTimeout(again);
        if (!isStopped) again = setTimeout(wake, writeAgainIn).unref();
        writeAgainIn = Math.min(latest, 2 * writeAgainIn);
      }
    }
  };
  const carry = async (letter: ClaimedEmail) => {
    const outcome = await deliver(letter);
    unwritten.set(letter.id, writingOf(letter, outcome));
    await writeDown();
    if (outcome.is === 'unreachable') {
      // Whatever else is due would fail in the same way, and lock the account.
      restsUntil = now() + restNow();
      faults += 1;
      return;
    }
    // Later than any lease of another instance ends: those letters are under way, and not put off.
    if (faults > 0) await store.hurry(now(), now() + lease + clockSkew);
    faults = 0;
    restsUntil = 0;
  };
  const go = async () => {
    // A clock that was ahead for a while must not silence it for as long.
    const rests = () => restsUntil > now() && restsUntil <= now() + hour;
    for (;;) {
      isWoken = false;
      await writeDown();
      if (isStopped || rests()) return;
      const letter = await store.claim({ now: now(), lease, longestWait });
      isOut = false;
      // What was claimed and not carried is due again when its lease is over.
      if (isStopped) return;
      if (letter && !unwritten.has(letter.id)) await carry(letter);
      else if (!letter && !isWoken) return;
    }
  };
  const wake = () => {
    isWoken = true;
    round ??= go()
      .catch((error: unknown) => {
        if (!isOut) log.error({ error }, 'the outbox could not be looked through');
        isOut = true;
      })
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
      clearTimeout(again);
      const last = Promise.resolve(round).then(writeDown);
      await Promise.race([last, pause(farewell, undefined, { ref: false })]);
    },
  };
}
