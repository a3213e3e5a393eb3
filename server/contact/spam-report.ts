/**
 * Tells the owner of what was taken for spam: once a day in one letter, with who wrote and how it
 * begins, so that a message that is none is found within a day. One letter for each would bury the
 * real ones, and could use up what the mail server takes of us in a day.
 */

import { html, type NamedLetter, page } from '../email/email.ts';
import type { Postman } from '../email/outbox-worker.ts';
import type { Log } from '../log.ts';
import { lineOf } from './email.ts';
import type { ContactStore, KeptMessage } from './store.ts';

const hour = 60 * 60_000;

export interface SpamTellerOptions {
  contact: Pick<ContactStore, 'tellOfSpam'>;
  postman: Pick<Postman, 'wake'>;
  /** The site's own address, for the link. */
  address: string | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Looks every hour, until the answer is called. */
export function tellOfSpamDaily(options: SpamTellerOptions): () => void {
  const run = () =>
    tellOfSpam(options).catch((error: unknown) =>
      options.log.error({ error }, 'the owner could not be told of spam; trying again in an hour'),
    );
  void run();
  const timer = setInterval(run, hour);
  timer.unref();
  return () => clearInterval(timer);
}

/** Queues today's letter, if there is spam to tell of and none was queued today. */
export async function tellOfSpam({
  contact,
  postman,
  address,
  now,
}: Omit<SpamTellerOptions, 'log'>): Promise<void> {
  const at = now();
  const isQueued = await contact.tellOfSpam(at, (newest, all) =>
    spamLetter(newest, { all, now: at, address }),
  );
  if (isQueued) postman.wake();
}

function spamLetter(
  newest: KeptMessage[],
  { all, now, address }: { all: number; now: number; address: string | undefined },
): NamedLetter {
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
