import type { FormFields } from '../contract/contact-fields.ts';
import type { Delivery, OutboxEmail } from '../email/email.ts';
import type { WebhookEvent } from '../webhooks/event.ts';

/** A message from the contact form. */
export interface ContactMessage extends FormFields {
  id: string;
  /** Milliseconds since 1970, UTC. */
  receivedAt: number;
}

/** Bytes of a message on disk beside its text: its row and its index entries. */
export const rowOverhead = 512;

/** Folders of the owner's inbox. */
export const folders = ['inbox', 'archive', 'spam'] as const;
export type Folder = (typeof folders)[number];

/** Signs of spam (see `submission.ts`). Stored with each message; `trap` is the honeypot. */
export const spamSigns = ['trap', 'links', 'words', 'sender', 'speed', 'rate'] as const;
export type SpamSign = (typeof spamSigns)[number];

/** A message of the inbox. */
export interface ListedMessage extends ContactMessage {
  folder: Folder;
  isRead: boolean;
  /** Signs of spam found at receipt. A message in the inbox may have one. */
  suspicions: SpamSign[];
}

/** A message as stored, with the delivery of its email. */
export interface StoredMessage extends ListedMessage {
  /** Delivery of the email about the message; undefined when there is no email. */
  delivery: Delivery | undefined;
}

/** How to store a message. */
export interface StoreOptions {
  /** The email about the message to the owner. */
  email?: OutboxEmail | undefined;
  /** The event about the message for the webhook receiver. */
  event?: WebhookEvent | undefined;
  /** Reports the message in the next summary instead of an email of its own. */
  isForSummary?: boolean;
  /** A message with a stored key is not stored again. */
  idempotencyKey?: string | undefined;
  /** Default: inbox. */
  folder?: 'inbox' | 'spam';
  /** Signs of spam that were found. */
  suspicions?: readonly SpamSign[];
}

/** Position of the last message of a page. */
type PagePosition = Pick<StoredMessage, 'isRead' | 'receivedAt' | 'id'>;

export interface ListOptions {
  folder: Folder;
  limit: number;
  after?: PagePosition | undefined;
  /** Only messages with this text in a field of the form. */
  search?: string | undefined;
}

/** Number of messages in a folder. */
export interface FolderCount {
  all: number;
  unread: number;
}

/** More messages per hour than this, not counting spam, are a flood. */
export const floodAfter = 20;

/** Activity of the form, for the owner alert. */
export interface Flood {
  /** Messages of the last hour outside the spam folder. */
  inLastHour: number;
  /** Messages whose summary was not sent yet. */
  waiting: number;
}
