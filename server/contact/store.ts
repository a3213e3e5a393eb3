import type { Delivery, OutboxEmail } from '../email/email.ts';

/** A message from the contact form. */
export interface ContactMessage {
  id: string;
  /** Milliseconds since 1970, UTC. */
  receivedAt: number;
  name: string;
  email: string;
  company: string | null;
  message: string;
}

/** What a message takes up on the disk beside its text, in bytes: its row and its index entries. */
export const rowOverhead = 512;

/** Where the owner finds a message. */
export const folders = ['inbox', 'archive', 'spam'] as const;
export type Folder = (typeof folders)[number];

/** What can make a message look like spam (see `spam.ts`). */
export type SpamSign = 'trap' | 'links' | 'words' | 'sender' | 'speed' | 'rate';

/** A message as it is kept. */
export interface StoredMessage extends ContactMessage {
  folder: Folder;
  isRead: boolean;
  /** The signs of spam that were found when it came. A message in the inbox may have one. */
  suspicions: SpamSign[];
  /** What became of the letter that tells of it; undefined: there is none. */
  delivery: Delivery | undefined;
}

/** How a message is to be kept. */
export interface StoreOptions {
  /** The letter that tells the owner of it. */
  email?: OutboxEmail | undefined;
  /** It waits for the next summary instead. */
  isForSummary?: boolean;
  /** Names what was sent, words and all: the same name again is the same message. */
  idempotencyKey?: string | undefined;
  /** Where it is put; the inbox when absent. */
  folder?: 'inbox' | 'spam';
  /** The signs of spam that were found. */
  suspicions?: readonly SpamSign[];
}

/** The end of the page before. */
export type PagePosition = Pick<StoredMessage, 'isRead' | 'receivedAt' | 'id'>;

export interface ListOptions {
  folder: Folder;
  limit: number;
  after?: PagePosition | undefined;
  /** Only what holds this text: in its name, address, company or words. */
  search?: string | undefined;
}

/** How many messages a folder holds. */
export interface FolderCount {
  all: number;
  unread: number;
}

/** How busy the form is, for the owner. */
export interface Flood {
  /** Messages of the last hour that are not in the spam folder. */
  inLastHour: number;
  /** Messages whose summary has not reached the mail server yet. */
  waiting: number;
}

export interface ContactStore {
  /**
   * Keeps a message and, where it is to be mailed, its letter. Resolves once both are on disk; false
   * when the same draft was kept before, and nothing was added.
   */
  add(message: ContactMessage, options?: StoreOptions): Promise<boolean>;
  /**
   * Does all that `add` does and takes the message out again, in one transaction: nobody ever sees it,
   * and the letter is on its way. False when a letter of that name was queued before.
   */
  rehearse(message: ContactMessage, letter: OutboxEmail): Promise<boolean>;
  /** The newest messages first, from every folder or from one. */
  list(options: { limit: number; folder?: Folder }): Promise<StoredMessage[]>;
  /** One page of a folder: what is unread first, the newest first. A page costs the same on any table. */
  page(options: ListOptions): Promise<StoredMessage[]>;
  /** Every message, the oldest first, never more than some of them in memory. */
  all(): AsyncIterable<StoredMessage>;
  /** Puts messages into a folder, or marks them as read or not; ids that are not known are left out. */
  sort(
    ids: readonly string[],
    change: { folder?: Folder; isRead?: boolean; now: number },
  ): Promise<void>;
  counts(): Promise<Record<Folder, FolderCount>>;
  /** Number of unread messages in the inbox. */
  unread(): Promise<number>;
  /** Number of messages in all folders. */
  count(): Promise<number>;
  /** What this person wrote, the newest first. */
  from(email: string): Promise<ContactMessage[]>;
  /** Deletes what this person wrote, and what tells of it in the outbox. Returns the number of messages. */
  erase(email: string): Promise<number>;
  /**
   * Deletes messages that came before `before` (milliseconds since 1970, UTC), but none that is still
   * to be mailed. Returns how many there were.
   */
  deleteOld(before: number): Promise<number>;
  /** The same for messages that entered the spam folder before `before`. */
  deleteOldSpam(before: number): Promise<number>;
  /** Bytes of the messages in the spam folder. */
  spamBytes(): Promise<number>;
  /** Deletes the spam that was received until this time. Returns the number of messages. */
  emptySpam(until: number): Promise<number>;
  /**
   * Queues the letter about the unread spam that no letter has told of. `write` gets the newest of it
   * and the number of all; false when there is none, or a letter of that name was queued before.
   */
  reportSpam(
    now: number,
    write: (newest: StoredMessage[], all: number) => OutboxEmail,
  ): Promise<boolean>;
  /**
   * Queues one summary of messages that wait for it, once the oldest has waited an hour. `write` gets as
   * many as one email can carry, the oldest first, and only the beginning of those with a sign of spam.
   * False when no summary is due; after true, more messages may wait for the next one.
   */
  summarize(now: number, write: (messages: StoredMessage[]) => OutboxEmail): Promise<boolean>;
  flood(now: number): Promise<Flood>;
}
