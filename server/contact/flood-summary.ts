/**
 * Hourly summary email of the messages of a flood, instead of one email for each. It contains messages
 * without a sign of spam in full, and one line for each of the others.
 */

import { html, type OutboxEmail, page } from '../email/email.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { Log } from '../log.ts';
import { inLines } from '../text/printable.ts';
import { lineOf, senderOf } from './email.ts';
import { messageId } from './message-id.ts';
import type { ContactStore, StoredMessage } from './store.ts';

const minute = 60_000;

export interface SummaryOptions {
  contact: Pick<ContactStore, 'summarize'>;
  outboxWorker: Pick<OutboxWorker, 'wake'>;
  /** URL of the site, for the link. */
  address: string | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Queues due summaries every minute. Returns the function that stops it. */
export function summarizeHourly(options: SummaryOptions): () => void {
  const run = () =>
    summarize(options).catch((error: unknown) =>
      options.log.error({ error }, 'flood summary: could not queue the email'),
    );
  void run();
  const timer = setInterval(run, minute);
  timer.unref();
  return () => clearInterval(timer);
}

/** Queues the summaries that are due, each in its own transaction so that other writes can interleave. */
export async function summarize({ contact, outboxWorker, address, now, log }: SummaryOptions) {
  const at = now();
  const write = (messages: StoredMessage[]) => summaryOf(messages, { now: at, address });
  let emails = 0;
  while (await contact.summarize(at, write)) {
    emails += 1;
    outboxWorker.wake();
  }
  if (emails > 0) log.info({ emails }, 'flood summary: queued');
}

function summaryOf(
  messages: StoredMessage[],
  { now, address }: { now: number; address: string | undefined },
): OutboxEmail {
  const count = messages.length === 1 ? 'One message' : `${messages.length} messages`;
  const lead = `${count} came while your contact form was flooded. They are in this one email.`;
  const clear = messages.filter(({ suspicions }) => suspicions.length === 0);
  const doubtful = messages.filter(({ suspicions }) => suspicions.length > 0);
  const doubt = 'These have a sign of spam. Open Messages on your dashboard to read them:';
  const foot =
    address === undefined ? 'Your dashboard: Messages.' : `${address}/analytics/messages`;
  const lines = doubtful.map(lineOf);
  return {
    id: `summary-${messageId(now)}`,
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

/** Indents the text, so that it cannot imitate the heading of another message. */
const indented = (text: string) =>
  inLines(text)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
