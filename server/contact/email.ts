/** The emails about messages to the owner: one for each message, a summary of a flood, a report of spam. */
import { randomUUID } from 'node:crypto';
import { html, type OutboxEmail, page } from '../email/email.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { Log } from '../log.ts';
import { repeat } from '../repeat.ts';
import { inLine, inLines } from '../text/printable.ts';
import { type ContactMessage, type Flood, floodAfter, type ListedMessage } from './message.ts';
import type { ContactStore } from './store.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Returns the email about a message. A reply to it goes to the visitor. */
export function emailOf({ id, name, email, company, message }: ContactMessage): OutboxEmail {
  const sender = senderOf({ name, company });
  return {
    id: `contact-${id}`,
    replyTo: { name: truncate(name, 120), address: email },
    subject: `Message from ${sender}`,
    text: `${message}\n\n-- \n${sender}\n${email}\nSent with the form on your site. Answer this e-mail to answer them.`,
    html: page(
      html`<p style="white-space:pre-wrap;overflow-wrap:anywhere">${message}</p><hr><p>${sender}<br><a href="mailto:${encodeURIComponent(email)}">${email}</a></p><p><small>Sent with the form on your site. Answer this e-mail to answer them.</small></p>`,
    ),
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
    minute,
    () => summarize(options),
    (error) => log.error({ error }, 'flood summary: could not queue the email'),
  );
  const stopReports = repeat(
    hour,
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
  const lead = `${count} came while your contact form was flooded. They are in this one email.`;
  const clear = messages.filter(({ suspicions }) => suspicions.length === 0);
  const doubtful = messages.filter(({ suspicions }) => suspicions.length > 0);
  const doubt = 'These have a sign of spam. Open Messages on your dashboard to read them:';
  const foot =
    address === undefined ? 'Your dashboard: Messages.' : `${address}/analytics/messages`;
  const lines = doubtful.map(lineOf);
  return {
    id: `summary-${randomUUID()}`,
    subject: `${count} from your contact form`,
    text: [
      lead,
      ...clear.map((one) => `\n${senderOf(one)} <${one.email}>\n\n${indented(one.message)}`),
      ...(lines.length > 0 ? [`\n${doubt}\n`, ...lines] : []),
      `\n${foot}`,
    ].join('\n'),
    html: page(
      html`<p>${lead}</p>${clear.map(
        (one) =>
          html`<hr><p>${senderOf(one)}<br><a href="mailto:${encodeURIComponent(one.email)}">${one.email}</a></p><p style="white-space:pre-wrap;overflow-wrap:anywhere">${one.message}</p>`,
      )}${
        lines.length === 0
          ? ''
          : html`<hr><p>${doubt}</p><ul>${lines.map((line) => html`<li style="overflow-wrap:anywhere">${line}</li>`)}</ul>`
      }<hr><p>${address === undefined ? foot : html`<a href="${foot}">All messages</a>`}</p>`,
    ),
  };
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
  const lead = `${count} put into your spam folder. Please look whether one of them is for you.`;
  const where = address === undefined ? undefined : `${address}/analytics/messages?folder=spam`;
  const lines = newest.map(lineOf);
  const rest = all > newest.length ? [`… and ${all - newest.length} more.`] : [];
  const foot = where ?? 'They are on your dashboard: Messages, Spam.';
  return {
    // The id is the local date, so that at most one report is queued per day.
    id: `spam-${new Date(now).toLocaleDateString('sv-SE')}`,
    subject: `In your spam folder: ${all === 1 ? 'one message' : `${all} messages`}`,
    text: [lead, '', ...lines, ...rest, '', foot].join('\n'),
    html: page(html`<p>${lead}</p><ul>${[...lines, ...rest].map((line) => html`<li style="overflow-wrap:anywhere">${line}</li>`)}</ul>
      <p>${where === undefined ? foot : html`<a href="${where}">Your spam folder</a>`}</p>`),
  };
}

/** Returns name and company in one line of at most 120 characters. */
const senderOf = ({ name, company }: Pick<ContactMessage, 'name' | 'company'>) =>
  truncate(company ? `${name}, ${company}` : name, 120);

/** Returns the sender and the start of the message in one line. */
const lineOf = ({ name, email, message }: ListedMessage) =>
  `${abbreviate(name, 60)} <${abbreviate(email, 80)}>: ${abbreviate(message, 120)}`;

const truncate = (text: string, length: number) => [...inLine(text)].slice(0, length).join('');

const abbreviate = (text: string, length: number) =>
  [...inLine(text)].length > length ? `${truncate(text, length)} …` : inLine(text);

/** Indents the text, so that it cannot imitate the heading of another message. */
const indented = (text: string) =>
  inLines(text)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
