import type { Email, OutboxEmail } from './email.ts';

/** A letter that is to be sent now. */
export interface ClaimedEmail extends Email {
  id: string;
  /** Milliseconds since 1970, UTC. */
  queuedAt: number;
  /** How often the mail server answered that it does not take it now (4xx). */
  deferrals: number;
  /** How often the mail server answered that it does not take it (5xx). */
  refusals: number;
}

/** How the outbox is. */
export interface OutboxState {
  waiting: number;
  /** When the letter that waits longest was queued, milliseconds since 1970, UTC. */
  oldestWaiting: number | undefined;
  /** Letters that the mail server refused for good. */
  refused: number;
}

export interface OutboxStore {
  /** Queues a letter; false when one of that name was queued before. */
  queue(letter: OutboxEmail, now: number): Promise<boolean>;
  /**
   * The letter that is due longest. For `lease` ms nobody else is given it: long enough to send it and
   * to say so. One that is due later than `longestWait` from now was put off by a clock that was
   * ahead, and is due, too.
   */
  claim(options: {
    now: number;
    lease: number;
    longestWait: number;
  }): Promise<ClaimedEmail | undefined>;
  /** It was taken by the mail server. */
  sent(id: string, at: number): Promise<void>;
  /**
   * It was not sent, or not to the `remaining` readers, and is tried again at `dueAt`. `answer` is what
   * the mail server said; undefined: it was unreachable.
   */
  postponed(
    id: string,
    options: {
      dueAt: number;
      error: string;
      answer?: 'deferral' | 'refusal' | undefined;
      remaining?: string[] | undefined;
    },
  ): Promise<void>;
  /**
   * Makes emails that are due after `from` due now, except those the mail server has refused before: their
   * waits give the owner half a day. Leases end before `from` and stay.
   */
  hurry(now: number, from: number): Promise<void>;
  /** What was refused waits again. */
  revive(now: number): Promise<void>;
  /** It was not, and never will be. */
  refused(id: string, options: { at: number; error: string }): Promise<void>;
  state(): Promise<OutboxState>;
  /** When the last letter was sent that was no dry one, milliseconds since 1970, UTC. */
  lastSent(): Promise<number | undefined>;
  /** The oldest test that has not come through, with the reason of the last try. */
  waitingTest(): Promise<{ queuedAt: number; error: string | null } | undefined>;
}
