import type { Letter, NamedLetter } from './letter.ts';

/** A letter that is to be sent now. */
export interface ClaimedLetter extends Letter {
  id: string;
  /** Milliseconds since 1970, UTC. */
  queuedAt: number;
  /** How often it was tried before. */
  attempts: number;
}

/** How the outbox is. */
interface MailState {
  waiting: number;
  /** When the letter that waits longest was queued, milliseconds since 1970, UTC. */
  oldestWaiting: number | undefined;
  /** Letters that the mail server refused for good. */
  refused: number;
}

export interface MailStore {
  /** Queues a letter; false when one of that name was queued before. */
  queue(letter: NamedLetter, now: number): Promise<boolean>;
  /**
   * Letters that are due, oldest first. For `lease` ms nobody else is given them: long enough to send
   * them and to say so.
   */
  claim(options: { now: number; lease: number; limit: number }): Promise<ClaimedLetter[]>;
  /** It was taken by the mail server. */
  sent(id: string, at: number): Promise<void>;
  /** It was not, and is to be tried again. */
  postponed(id: string, options: { dueAt: number; error: string }): Promise<void>;
  /** It was not, and never will be. */
  refused(id: string, options: { at: number; error: string }): Promise<void>;
  state(): Promise<MailState>;
}
