import type { NamedLetter } from '../mail/letter.ts';

/** A message from the contact form, as it is kept. */
export interface ContactMessage {
  id: string;
  /** Milliseconds since 1970, UTC. */
  receivedAt: number;
  name: string;
  email: string;
  company: string | null;
  message: string;
}

export interface ContactStore {
  /** Keeps a message and, where it is to be mailed, its letter. Resolves once both are on disk. */
  add(message: ContactMessage, letter?: NamedLetter): Promise<void>;
  /** The newest messages first. */
  list(options: { limit: number }): Promise<ContactMessage[]>;
  count(): Promise<number>;
  /** What this person wrote, the newest first. */
  from(email: string): Promise<ContactMessage[]>;
  /** Deletes what this person wrote, and what tells of it in the outbox. Returns the number of messages. */
  erase(email: string): Promise<number>;
  /**
   * Deletes messages that came before `before` (milliseconds since 1970, UTC), but none that is still
   * to be mailed. Returns how many there were.
   */
  forget(before: number): Promise<number>;
}
