/**
 * Daily self-test of the path from the contact form to the owner's mailbox. An email sent within the
 * last day proves it, so nothing is tested then.
 *
 * Otherwise a test message runs through the same transaction as a visitor's, and its email goes to the
 * owner: only a real one shows that the mail server accepts sender and recipient.
 */

import { emptyFields } from '../contract/contact-fields.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { OutboxStore } from '../email/store.ts';
import type { Log } from '../log.ts';
import { dayMs, hourMs, minuteMs } from '../time/units.ts';
import type { ContactMessage } from './message.ts';
import type { ContactStore } from './store.ts';

export interface SelfTestOptions {
  contact: Pick<ContactStore, 'addTest'>;
  mail: Pick<OutboxStore, 'lastSent' | 'waitingTests'>;
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

/** Queues today's test if one is needed. One that still waits becomes an owner alert like other emails. */
export async function selfTest({
  contact,
  mail,
  outboxWorker,
  now,
}: Omit<SelfTestOptions, 'log'>): Promise<void> {
  const at = now();
  if ((await mail.waitingTests()).length > 0) return;
  const lastSent = await mail.lastSent();
  const age = lastSent === undefined ? Number.POSITIVE_INFINITY : at - lastSent;
  // A negative age comes from a clock that was ahead, and proves nothing.
  if (age >= 0 && age < dayMs) return;
  const id = `test-${new Date(at).toISOString().slice(0, 10)}`;
  const isQueued = await contact.addTest(testMessage(id, at), {
    id,
    subject: 'Test: your contact form reaches you',
    blocks: [{ kind: 'text', text: body }],
  });
  if (isQueued) outboxWorker.wake();
}

const body =
  'This test email was sent like a message from your site’s contact form, and it has arrived. ' +
  'It is only sent when you got no other email from your site for a day. You need not do anything.';

const testMessage = (id: string, at: number): ContactMessage => ({
  ...emptyFields,
  id,
  receivedAt: at,
  name: 'Self-test',
  email: 'self-test@localhost',
  message: body,
});
