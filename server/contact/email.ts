/** The emails about messages to the owner: one for each message, a summary of a flood, a report of spam. */
import { randomUUID } from 'node:crypto';
import { optionalTexts } from '../contract/contact-fields.ts';
import type { Block, OutboxEmail } from '../email/email.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { Log } from '../log.ts';
import { repeat } from '../repeat.ts';
import { maxEmailLength } from '../text/inputs.ts';
import { inLine } from '../text/printable.ts';
import { hourMs, minuteMs } from '../time/units.ts';
import { type ContactMessage, type Flood, floodAfter, type ListedMessage } from './message.ts';
import type { ContactStore } from './store.ts';

/** Returns the email about a message. A reply to it goes to the visitor. */
export function emailOf(received: ContactMessage): OutboxEmail {
  const { id, name, email, message } = received;
  const sender = senderOf(received);
  // A mail server would reject the whole email for a longer address.
  const isAnswerable = email.length <= maxEmailLength;
  return {
    id: `contact-${id}`,
    ...(isAnswerable && { replyTo: { name: truncate(name, 120), address: email } }),
    subject: `Message from ${sender}`,
    blocks: [
      ...quoteOf(message),
      {
        kind: 'signature',
        name: sender,
        address: truncate(email, maxEmailLength),
        note: isAnswerable
          ? 'Sent with the form on your site. Reply to this email to answer them.'
          : 'Sent with the form on your site. This is the start of their address, which is too long for email.',
      },
    ],
  };
}

export interface ReportOptions {
  contact: Pick<ContactStore, 'summarize' | 'reportSpam'>;
  outboxWorker: Pick<OutboxWorker, 'wake'>;
  /** URL of the site, for the link. */
  address: string | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/**
 * Queues the summaries and reports that are due: summaries every minute, reports every hour. Returns the
 * function that stops it.
 */
export function reportMessages(options: ReportOptions): () => void {
  const { log } = options;
  const stopSummaries = repeat(
    minuteMs,
    () => summarize(options),
    (error) => log.error({ error }, 'flood summary: could not queue the email'),
  );
  const stopReports = repeat(
    hourMs,
    () => reportSpam(options),
    (error) =>
      log.error({ error }, 'spam report: could not queue the email; will retry in an hour'),
  );
  return () => {
    stopSummaries();
    stopReports();
  };
}

/**
 * Queues the summaries of a flood that are due: one email an hour, with messages without a sign of spam in
 * full and one line for each of the others. Each has its own transaction, so that other writes can interleave.
 */
export async function summarize({
  contact,
  outboxWorker,
  address,
  now,
  log,
}: ReportOptions): Promise<void> {
  const at = now();
  let emails = 0;
  while (await contact.summarize(at, (messages) => summaryOf(messages, address))) {
    emails += 1;
    outboxWorker.wake();
  }
  if (emails > 0) log.info({ emails }, 'flood summary: queued');
}

function summaryOf(messages: ListedMessage[], address: string | undefined): OutboxEmail {
  const count = messages.length === 1 ? 'One message' : `${messages.length} messages`;
  const clear = messages.filter(({ suspicions }) => suspicions.length === 0);
  const doubtful = messages.filter(({ suspicions }) => suspicions.length > 0);
  return {
    id: `summary-${randomUUID()}`,
    subject: `${count} from your contact form`,
    blocks: [
      {
        kind: 'text',
        text: `${count} came while your contact form was flooded. They are in this one email.`,
      },
      ...clear.flatMap((one): Block[] => [
        { kind: 'sender', name: senderOf(one), address: one.email },
        ...quoteOf(one.message, { isIndented: true }),
      ]),
      ...doubtfulBlocks(doubtful),
      address === undefined
        ? { kind: 'text', text: 'They are on your dashboard: Messages.' }
        : { kind: 'button', label: 'All messages', url: `${address}/analytics/messages` },
    ],
  };
}

function doubtfulBlocks(messages: ListedMessage[]): Block[] {
  if (messages.length === 0) return [];
  return [
    {
      kind: 'heading',
      text: 'These have a sign of spam. Open Messages on your dashboard to read them:',
    },
    { kind: 'list', items: messages.map(lineOf) },
  ];
}

/** Returns the owner alert about a flood; undefined when there is none and no summary waits. */
export function floodSentence(
  { inLastHour, waiting }: Flood,
  isMailed: boolean,
): string | undefined {
  const count = waiting === 1 ? 'One message waits' : `${waiting} messages wait`;
  const sentences = [
    inLastHour > floodAfter && `Many messages are arriving: ${inLastHour} in the last hour.`,
    isMailed && waiting > 0 && `${count} for the hourly summary email.`,
  ].filter(Boolean);
  if (sentences.length === 0) return undefined;
  return [...sentences, 'All of them are under Messages.'].join(' ');
}

/**
 * Queues today's report of new spam, so that the owner finds a false positive within a day. One email for
 * each would bury genuine messages and could exhaust the daily quota of the mail server.
 */
export async function reportSpam({
  contact,
  outboxWorker,
  address,
  now,
}: ReportOptions): Promise<void> {
  const at = now();
  const isQueued = await contact.reportSpam(at, (newest, all) =>
    spamEmail(newest, { all, now: at, address }),
  );
  if (isQueued) outboxWorker.wake();
}

function spamEmail(
  newest: ListedMessage[],
  { all, now, address }: { all: number; now: number; address: string | undefined },
): OutboxEmail {
  const count = all === 1 ? 'One message was' : `${all} messages were`;
  const rest = all > newest.length ? [`… and ${all - newest.length} more.`] : [];
  return {
    // The id is the local date, so that at most one report is queued per day.
    id: `spam-${new Date(now).toLocaleDateString('sv-SE')}`,
    subject: `In your spam folder: ${all === 1 ? 'one message' : `${all} messages`}`,
    blocks: [
      {
        kind: 'text',
        text: `${count} put into your spam folder. Please look whether one of them is for you.`,
      },
      { kind: 'list', items: [...newest.map(lineOf), ...rest] },
      address === undefined
        ? { kind: 'text', text: 'They are on your dashboard: Messages, Spam.' }
        : {
            kind: 'button',
            label: 'Your spam folder',
            url: `${address}/analytics/messages?folder=spam`,
          },
    ],
  };
}

/** Characters of a message that an email quotes. Mail servers reject emails of many megabytes. */
const quotedLength = 100_000;

function quoteOf(message: string, layout: { isIndented?: true } = {}): Block[] {
  const text = message.slice(0, quotedLength).toWellFormed();
  const rest: Block = {
    kind: 'text',
    text: 'The message goes on. All of it is on your dashboard: Messages.',
  };
  return [{ kind: 'quote', text, ...layout }, ...(message.length > quotedLength ? [rest] : [])];
}

/** Returns the name and the optional fields in one line of at most 120 characters. */
const senderOf = (message: ContactMessage) =>
  truncate([message.name, ...optionalTexts(message)].join(', '), 120);

/** Returns the sender and the start of the message in one line. */
const lineOf = ({ name, email, message }: ListedMessage) =>
  `${abbreviate(name, 60)} <${abbreviate(email, 80)}>: ${abbreviate(message, 120)}`;

const truncate = (text: string, length: number) => startOf(text, length).slice(0, length).join('');

const abbreviate = (text: string, length: number) =>
  startOf(text, length).length > length ? `${truncate(text, length)} …` : inLine(text);

/** The characters at the start of a text, more than `length` if it has them. A field may have a megabyte. */
const startOf = (text: string, length: number) => [
  ...inLine(text.slice(0, 10 * length).toWellFormed()),
];
