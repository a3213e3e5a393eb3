import type { Email, OutboxEmail } from './email.ts';

/** An email that is due, claimed by one instance. */
export interface ClaimedEmail extends Email {
  id: string;
  /** Milliseconds since 1970, UTC. */
  queuedAt: number;
  /** Number of temporary rejections by the mail server (4xx). */
  deferrals: number;
  /** Number of permanent rejections by the mail server (5xx). */
  refusals: number;
}

/** Counts of the outbox. */
export interface OutboxState {
  waiting: number;
  /** When the oldest waiting email was queued, milliseconds since 1970, UTC. */
  oldestWaiting: number | undefined;
  /** Emails that were given up because the mail server rejected them too often. */
  refused: number;
}

export interface OutboxStore {
  /** Queues an email; false when one with this id was queued before. */
  queue(email: OutboxEmail, now: number): Promise<boolean>;
  /**
   * Claims the email that has been due longest. The lease of `lease` ms keeps other instances from
   * sending it meanwhile. An email due later than `longestWait` from now counts as due: it was
   * postponed by a clock that was ahead.
   */
  claim(options: {
    now: number;
    lease: number;
    longestWait: number;
  }): Promise<ClaimedEmail | undefined>;
  /** Records that the mail server accepted the email. */
  sent(id: string, at: number): Promise<void>;
  /**
   * Schedules a retry at `dueAt`, to the `remaining` recipients only if given. `rejection` is undefined
   * when the mail server was unreachable.
   */
  postponed(
    id: string,
    options: {
      dueAt: number;
      error: string;
      rejection?: 'deferral' | 'refusal' | undefined;
      remaining?: string[] | undefined;
    },
  ): Promise<void>;
  /**
   * Makes emails that are due after `from` due now, for a mail server that is reachable again. Emails
   * with refusals keep their backoff, which gives the owner half a day; leases end before `from`.
   */
  retryDeferred(now: number, from: number): Promise<void>;
  /** Puts the emails that were given up back into the queue. */
  retryRefused(now: number): Promise<void>;
  /** Gives the email up. */
  refused(id: string, options: { at: number; error: string }): Promise<void>;
  state(): Promise<OutboxState>;
  /** When the last email was sent, except dry runs; milliseconds since 1970, UTC. */
  lastSent(): Promise<number | undefined>;
  /** The oldest self-test email that was not sent yet, with the error of its last attempt. */
  waitingTest(): Promise<{ queuedAt: number; error: string | null } | undefined>;
}
