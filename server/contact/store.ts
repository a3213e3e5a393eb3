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

/** Bytes of a message on disk beside its text: its row and its index entries. */
export const rowOverhead = 512;

/** Folders of the owner's inbox. */
export const folders = ['inbox', 'archive', 'spam'] as const;
export type Folder = (typeof folders)[number];

/** Signs of spam (see `spam.ts`). Stored with each message; `trap` is the honeypot. */
export type SpamSign = 'trap' | 'links' | 'words' | 'sender' | 'speed' | 'rate';

/** A message as stored. */
export interface StoredMessage extends ContactMessage {
  folder: Folder;
  isRead: boolean;
  /** Signs of spam found at receipt. A message in the inbox may have one. */
  suspicions: SpamSign[];
  /** Delivery of the email about the message; undefined when there is no email. */
  delivery: Delivery | undefined;
}

/** How to store a message. */
export interface StoreOptions {
  /** The email about the message to the owner. */
  email?: OutboxEmail | undefined;
  /** Reports the message in the next summary instead of an email of its own. */
  isForSummary?: boolean;
  /** Id from `idempotentId`: a message with a stored id is not stored again. */
  idempotencyKey?: string | undefined;
  /** Default: inbox. */
  folder?: 'inbox' | 'spam';
  /** Signs of spam that were found. */
  suspicions?: readonly SpamSign[];
}

/** Position of the last message of a page. */
export type PagePosition = Pick<StoredMessage, 'isRead' | 'receivedAt' | 'id'>;

export interface ListOptions {
  folder: Folder;
  limit: number;
  after?: PagePosition | undefined;
  /** Only messages with this text in their name, address, company or message. */
  search?: string | undefined;
}

/** Number of messages in a folder. */
export interface FolderCount {
  all: number;
  unread: number;
}

/** Activity of the form, for the owner alert. */
export interface Flood {
  /** Messages of the last hour outside the spam folder. */
  inLastHour: number;
  /** Messages whose summary was not sent yet. */
  waiting: number;
}

export interface ContactStore {
  /**
   * Stores a message and its email, if any, in one transaction. Resolves once both are on disk; false,
   * without a change, when the idempotency key was stored before.
   */
  add(message: ContactMessage, options?: StoreOptions): Promise<boolean>;
  /**
   * Self-test: stores a message, deletes it and queues its email, in one transaction, so that the
   * message is never visible. Returns false when an email with this id was queued before.
   */
  addTest(message: ContactMessage, email: OutboxEmail): Promise<boolean>;
  /** The newest messages first, from every folder or from one. */
  list(options: { limit: number; folder?: Folder }): Promise<StoredMessage[]>;
  /**
   * One page of a folder: unread first, then the newest first. Uses keyset pagination, so the cost does
   * not grow with the table.
   */
  page(options: ListOptions): Promise<StoredMessage[]>;
  /** Every message, the oldest first, read in batches of 200. */
  all(): AsyncIterable<StoredMessage>;
  /** Moves messages to a folder, or marks them as read or unread. Ignores unknown ids. */
  sort(
    ids: readonly string[],
    change: { folder?: Folder; isRead?: boolean; now: number },
  ): Promise<void>;
  counts(): Promise<Record<Folder, FolderCount>>;
  /** Number of unread messages in the inbox. */
  unread(): Promise<number>;
  /** Number of messages in all folders. */
  count(): Promise<number>;
  /** Messages from this address, the newest first. */
  from(email: string): Promise<ContactMessage[]>;
  /** Deletes the messages from this address and erases emails about them. Returns the number of messages. */
  erase(email: string): Promise<number>;
  /**
   * Deletes messages received before `before` (milliseconds since 1970, UTC), except those whose email
   * is still queued. Returns their number.
   */
  deleteOld(before: number): Promise<number>;
  /** The same for messages that were moved to the spam folder before `before`. */
  deleteOldSpam(before: number): Promise<number>;
  /** Bytes of the messages in the spam folder. */
  spamBytes(): Promise<number>;
  /** Deletes the spam received until this time. Returns the number of messages. */
  emptySpam(until: number): Promise<number>;
  /**
   * Queues the email about unread spam that was not reported yet. `write` gets the newest messages and
   * the number of all. Returns false when there is none or an email with this id was queued before.
   */
  reportSpam(
    now: number,
    write: (newest: StoredMessage[], all: number) => OutboxEmail,
  ): Promise<boolean>;
  /**
   * Queues one summary, once the oldest waiting message has waited an hour. `write` gets as many
   * messages as fit into one email, the oldest first; those with a sign of spam are truncated. Returns
   * false when no summary is due; after true, more messages may wait for another one.
   */
  summarize(now: number, write: (messages: StoredMessage[]) => OutboxEmail): Promise<boolean>;
  /** Activity of the form in the hour before `now`. */
  flood(now: number): Promise<Flood>;
}
