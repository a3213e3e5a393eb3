/**
 * Tells the owner of what was taken for spam: once a day in one letter, with who wrote and how it
 * begins, so that a message that is none is found within a day. One letter for each would bury the
 * real ones, and could use up what the mail server takes of us in a day.
 */

import { html, type OutboxEmail, page } from '../email/email.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { Log } from '../log.ts';
import { lineOf } from './email.ts';
import type { ContactStore, StoredMessage } from './store.ts';

const hour = 60 * 60_000;

export interface SpamReportOptions {
  contact: Pick<ContactStore, 'reportSpam'>;
  postman: Pick<OutboxWorker, 'wake'>;
  /** The site's own address, for the link. */
  address: string | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Looks every hour, until the answer is called. */
export function reportSpamDaily(options: SpamReportOptions): () => void {
  const run = () =>
    reportSpam(options).catch((error: unknown) =>
      options.log.error({ error }, 'the owner could not be told of spam; trying again in an hour'),
    );
  void run();
  const timer = setInterval(run, hour);
  timer.unref();
  return () => clearInterval(timer);
}

/** Queues today's letter, if there is spam to tell of and none was queued today. */
export async function reportSpam({
  contact,
  postman,
  address,
  now,
}: Omit<SpamReportOptions, 'log'>): Promise<void> {
  const at = now();
  const isQueued = await contact.reportSpam(at, (newest, all) =>
    spamLetter(newest, { all, now: at, address }),
  );
  if (isQueued) postman.wake();
}

function spamLetter(
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
    // One name for each day on this machine's clocks: one letter a day.
    id: `spam-${new Date(now).toLocaleDateString('sv-SE')}`,
    subject: `In your spam folder: ${all === 1 ? 'one message' : `${all} messages`}`,
    text: [lead, '', ...lines, ...rest, '', foot].join('\n'),
    html: page(html`<p>${lead}</p><ul>${[...lines, ...rest].map((line) => html`<li style="overflow-wrap:anywhere">${line}</li>`)}</ul>
      <p>${where === undefined ? foot : html`<a href="${where}">Your spam folder</a>`}</p>`),
  };
}
