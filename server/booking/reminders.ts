/** Queues a reminder of each call on the day before. */
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { Log } from '../log.ts';
import { repeat } from '../repeat.ts';
import { dayMs, minuteMs } from '../time/units.ts';
import { type EmailOptions, reminderOf } from './emails.ts';
import type { BookingStore } from './store.ts';

/** How often it looks for calls, and how long before a call its reminder is sent, in ms. */
const every = 5 * minuteMs;
const before = dayMs;

export interface ReminderOptions {
  bookings: Pick<BookingStore, 'remind'>;
  key: () => Promise<Buffer>;
  emails: Omit<EmailOptions, 'key'>;
  outboxWorker: Pick<OutboxWorker, 'wake'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Sends reminders from now on. Returns the function that stops it. */
export const remindVisitors = (options: ReminderOptions): (() => void) =>
  repeat(
    every,
    () => remind(options),
    (error) => options.log.error({ error }, 'call reminders: could not queue an email; will retry'),
  );

/** Queues the reminders that are due. A call that was booked on the day before needs none. */
export async function remind({
  bookings,
  key,
  emails,
  outboxWorker,
  now,
}: ReminderOptions): Promise<void> {
  const options = { ...emails, key: await key() };
  const queued = await bookings.remind(now(), before, (booking) => [reminderOf(booking, options)]);
  if (queued > 0) outboxWorker.wake();
}
