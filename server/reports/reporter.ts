/** Looks every hour whether there is something to tell the owner, and queues the letter, each once. */
import type { AnalyticsStore } from '../analytics/store.ts';
import type { OutboxEmail } from '../email/email.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { OutboxStore } from '../email/store.ts';
import type { Log } from '../log.ts';
import { silenceEmail } from './silence.ts';
import { weeklyEmail } from './weekly.ts';

const hour = 60 * 60_000;

/** The hour of a Monday from which the report of the week before is sent, on this machine's clocks. */
const breakfast = 7;

export interface ReporterOptions {
  analytics: AnalyticsStore;
  mail: Pick<OutboxStore, 'queue'>;
  postman: Pick<OutboxWorker, 'wake'>;
  /** The site's own address, for the links. */
  address: string | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Reports hourly until the answer is called. */
export function reportHourly(options: ReporterOptions): () => void {
  const run = () =>
    report(options).catch((error: unknown) =>
      options.log.error({ error }, 'the owner could not be told; trying again in an hour'),
    );
  void run();
  const timer = setInterval(run, hour);
  timer.unref();
  return () => clearInterval(timer);
}

/** Queues what is to be told now. The same week or silence is told once, whoever tells it. */
export async function report({
  analytics,
  mail,
  postman,
  address,
  now,
}: ReporterOptions): Promise<void> {
  const at = now();
  const facts = { now: at, address };
  const letters: (OutboxEmail | undefined)[] = [await silenceEmail(analytics, facts)];
  if (isAfterBreakfast(at)) letters.push(await weeklyEmail(analytics, facts));
  for (const letter of letters) {
    if (letter && (await mail.queue(letter, at))) postman.wake();
  }
}

/** From Monday's breakfast on: a server that slept then tells it later in the week. */
function isAfterBreakfast(at: number): boolean {
  const date = new Date(at);
  return date.getDay() !== 1 || date.getHours() >= breakfast;
}
