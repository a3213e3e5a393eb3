/**
 * Tests once a day that a message would reach the owner, and quietly: nobody wants a test letter every
 * morning. A letter that was sent within the day is the best proof, and then nothing is done. Else a
 * made-up message goes the way of a visitor's through the same transaction, and its letter through the
 * outbox to the mail server, which is asked to let us in: address, encryption and password are right.
 * Only when no letter at all has gone out for a week is the test a letter that really comes.
 */

import { html, page } from '../email/email.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { OutboxStore } from '../email/store.ts';
import { testTime } from '../health/owner-alerts.ts';
import type { Log } from '../log.ts';
import type { ContactMessage, ContactStore } from './store.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export interface SelfTestOptions {
  contact: Pick<ContactStore, 'rehearse'>;
  mail: Pick<OutboxStore, 'lastSent' | 'waitingTest'>;
  postman: Pick<OutboxWorker, 'wake'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Looks a minute after the start and then every hour, until the answer is called. */
export function testDaily(options: SelfTestOptions): () => void {
  const run = () =>
    selfTest(options).catch((error: unknown) =>
      options.log.error({ error }, 'the way of a message to you could not be tested'),
    );
  const first = setTimeout(run, minute);
  const timer = setInterval(run, hour);
  first.unref();
  timer.unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}

/** Begins today's test if there is need of one, and says so in the log when one has not come through. */
export async function selfTest({ contact, mail, postman, now, log }: SelfTestOptions) {
  const at = now();
  const waiting = await mail.waitingTest();
  if (waiting) {
    if (at - waiting.queuedAt > testTime) {
      log.error({ error: waiting.error }, 'the daily test letter has not come through');
    }
    return;
  }
  const last = await mail.lastSent();
  const quiet = last === undefined ? Number.POSITIVE_INFINITY : at - last;
  // A letter of the future was dated by a clock that was ahead, and proves nothing.
  if (quiet >= 0 && quiet < day) return;
  const isDry = quiet >= 0 && quiet < 7 * day;
  const id = `${isDry ? 'dry' : 'test'}-${new Date(at).toISOString().slice(0, 10)}`;
  const isQueued = await contact.rehearse(testMessage(id, at), {
    id,
    ...(isDry && { isDry }),
    subject: 'Test: your contact form reaches you',
    text: `${words}\n`,
    html: page(html`<p>${words}</p>`),
  });
  if (isQueued) postman.wake();
}

const words =
  'This letter took the way of a message from your site’s contact form, and it has arrived. ' +
  'It is only sent when no other letter has reached you for a week.';

const testMessage = (id: string, at: number): ContactMessage => ({
  id,
  receivedAt: at,
  name: 'Self-test',
  email: 'self-test@localhost',
  company: null,
  message: words,
});
