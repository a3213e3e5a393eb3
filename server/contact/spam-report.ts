/**
 * Daily email about new spam, with the sender and the start of each message, so that the owner finds a
 * false positive within a day. One email for each would bury genuine messages and could exhaust the
 * daily quota of the mail server.
 */

import { html, type OutboxEmail, page } from '../email/email.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { Log } from '../log.ts';
import { lineOf } from './email.ts';
import type { ContactStore, StoredMessage } from './store.ts';

const hour = 60 * 60_000;

export interface SpamReportOptions {
  contact: Pick<ContactStore, 'reportSpam'>;
  outboxWorker: Pick<OutboxWorker, 'wake'>;
  /** URL of the site, for the link. */
  address: string | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Queues the report if it is due, at the start and every hour. Returns the function that stops it. */
export function reportSpamDaily(options: SpamReportOptions): () => void {
  const run = () =>
    reportSpam(options).catch((error: unknown) =>
      options.log.error({ error }, 'spam report: could not queue the email; will retry in an hour'),
    );
  void run();
  const timer = setInterval(run, hour);
  timer.unref();
  return () => clearInterval(timer);
}

/** Queues today's report, if there is unreported spam and no report was queued today. */
export async function reportSpam({
  contact,
  outboxWorker,
  address,
  now,
}: Omit<SpamReportOptions, 'log'>): Promise<void> {
  const at = now();
  const isQueued = await contact.reportSpam(at, (newest, all) =>
    spamEmail(newest, { all, now: at, address }),
  );
  if (isQueued) outboxWorker.wake();
}

function spamEmail(
  newest: StoredMessage[],
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
