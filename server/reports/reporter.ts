/** Checks hourly for alerts and weekly reports to the owner, and queues each email once. */
import type { AnalyticsStore } from '../analytics/store.ts';
import type { OutboxEmail } from '../email/email.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { OutboxStore } from '../email/store.ts';
import type { Log } from '../log.ts';
import { repeat } from '../repeat.ts';
import { hourMs } from '../time/units.ts';
import { dateAt, timeOf, weekdayOf } from '../time/zone.ts';
import { silenceEmail } from './silence.ts';
import { weeklyEmail } from './weekly.ts';

/** Hour on Monday from which the weekly report is sent, by the owner's clock. */
const mondayHour = 7;

export interface ReporterOptions {
  analytics: AnalyticsStore;
  outbox: Pick<OutboxStore, 'queue'>;
  outboxWorker: Pick<OutboxWorker, 'wake'>;
  /** Time zone of the owner. */
  timeZone: string;
  /** URL of the site, for links in emails. */
  address: string | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Reports now and then hourly; returns a function that stops it. */
export const reportHourly = (options: ReporterOptions): (() => void) =>
  repeat(
    hourMs,
    () => report(options),
    (error) =>
      options.log.error({ error }, 'owner reports: could not queue an email; retrying in an hour'),
  );

/** Queues the emails that are due. Idempotent by email id, also across instances. */
export async function report({
  analytics,
  outbox,
  outboxWorker,
  timeZone,
  address,
  now,
}: ReporterOptions): Promise<void> {
  const at = now();
  const options = { now: at, timeZone, address };
  const emails: (OutboxEmail | undefined)[] = [await silenceEmail(analytics, options)];
  if (isReportDue(at, timeZone)) emails.push(await weeklyEmail(analytics, options));
  for (const email of emails) {
    if (email && (await outbox.queue(email, at))) outboxWorker.wake();
  }
}

/** From Monday at `mondayHour` to Sunday, so that a server that was down on Monday reports later. */
function isReportDue(at: number, timeZone: string): boolean {
  const today = dateAt(at, timeZone);
  return weekdayOf(today) !== 1 || at >= timeOf(today, mondayHour * 60, timeZone);
}
