/** Checks hourly for alerts and weekly reports to the owner, and queues each email once. */
import type { AnalyticsStore } from '../analytics/store.ts';
import type { OutboxEmail } from '../email/email.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { OutboxStore } from '../email/store.ts';
import type { Log } from '../log.ts';
import { silenceEmail } from './silence.ts';
import { weeklyEmail } from './weekly.ts';

const hour = 60 * 60_000;

/** Hour on Monday from which the weekly report is sent, in the server's time zone. */
const mondayHour = 7;

export interface ReporterOptions {
  analytics: AnalyticsStore;
  outbox: Pick<OutboxStore, 'queue'>;
  outboxWorker: Pick<OutboxWorker, 'wake'>;
  /** URL of the site, for links in emails. */
  address: string | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Reports now and then hourly; returns a function that stops it. */
export function reportHourly(options: ReporterOptions): () => void {
  const run = () =>
    report(options).catch((error: unknown) =>
      options.log.error({ error }, 'owner reports: could not be queued; retrying in an hour'),
    );
  void run();
  const timer = setInterval(run, hour);
  timer.unref();
  return () => clearInterval(timer);
}

/** Queues the emails that are due. Idempotent by email id, also across instances. */
export async function report({
  analytics,
  outbox,
  outboxWorker,
  address,
  now,
}: ReporterOptions): Promise<void> {
  const at = now();
  const options = { now: at, address };
  const emails: (OutboxEmail | undefined)[] = [await silenceEmail(analytics, options)];
  if (isReportDue(at)) emails.push(await weeklyEmail(analytics, options));
  for (const email of emails) {
    if (email && (await outbox.queue(email, at))) outboxWorker.wake();
  }
}

/** From Monday at `mondayHour` to Sunday, so that a server that was down on Monday reports later. */
function isReportDue(at: number): boolean {
  const date = new Date(at);
  return date.getDay() !== 1 || date.getHours() >= mondayHour;
}
