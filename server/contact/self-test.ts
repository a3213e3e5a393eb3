/**
 * Daily self-test of the path from the contact form to the owner's mailbox. An email sent within the
 * last day proves it, so nothing is tested then.
 *
 * Otherwise a test message runs through the same transaction as a visitor's, and its email through the
 * outbox as a dry run: it connects to the mail server and logs in. After a week without any email the
 * test sends a real one.
 */

import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { OutboxStore } from '../email/store.ts';
import type { Log } from '../log.ts';
import { dayMs, hourMs, minuteMs } from '../time/units.ts';
import type { ContactMessage } from './message.ts';
import type { ContactStore } from './store.ts';

/** How long the test email may take, in ms: mail servers defer emails (greylisting). */
const testTime = 2 * hourMs;

export interface SelfTestOptions {
  contact: Pick<ContactStore, 'addTest'>;
  mail: Pick<OutboxStore, 'lastSent' | 'waitingTest'>;
  outboxWorker: Pick<OutboxWorker, 'wake'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Runs the self-test a minute after the start and then every hour. Returns the function that stops it. */
export function testDaily(options: SelfTestOptions): () => void {
  const run = () =>
    selfTest(options).catch((error: unknown) =>
      options.log.error({ error }, 'self-test: could not run; will retry in an hour'),
    );
  const first = setTimeout(run, minuteMs);
  const timer = setInterval(run, hourMs);
  first.unref();
  timer.unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}

/** Queues today's test if one is needed. Logs an error when the last one was not sent for two hours. */
export async function selfTest({ contact, mail, outboxWorker, now, log }: SelfTestOptions) {
  const at = now();
  const waiting = await mail.waitingTest();
  if (waiting) {
    if (at - waiting.queuedAt > testTime) {
      log.error(
        { error: waiting.error },
        'self-test: the test email was not sent; check the mail server',
      );
    }
    return;
  }
  const lastSent = await mail.lastSent();
  const age = lastSent === undefined ? Number.POSITIVE_INFINITY : at - lastSent;
  // A negative age comes from a clock that was ahead, and proves nothing.
  if (age >= 0 && age < dayMs) return;
  const isDry = age >= 0 && age < 7 * dayMs;
  const id = `${isDry ? 'dry' : 'test'}-${new Date(at).toISOString().slice(0, 10)}`;
  const isQueued = await contact.addTest(testMessage(id, at), {
    id,
    ...(isDry && { isDry }),
    subject: 'Test: your contact form reaches you',
    blocks: [{ kind: 'text', text: body }],
  });
  if (isQueued) outboxWorker.wake();
}

const body =
  'This test email was sent like a message from your site’s contact form, and it has arrived. ' +
  'It is only sent when you got no other email from your site for a week.';

const testMessage = (id: string, at: number): ContactMessage => ({
  id,
  receivedAt: at,
  name: 'Self-test',
  email: 'self-test@localhost',
  company: null,
  message: body,
});
