/**
 * What is done once a night: everything is recounted, so that the owner learns of a wrong figure from
 * the dashboard, and what is old enough is let go of.
 */
import type { AnalyticsStore } from './analytics/store.ts';
import type { Log } from './log.ts';
import type { PaymentStore } from './payments/store.ts';

/** The hour of the server's day in which hardly anybody looks. */
const quietHour = 3;

const day = 24 * 60 * 60_000;

interface Nightly {
  /** What the last night's check found, in a sentence for the owner; undefined when all agreed. */
  trouble(): string | undefined;
  stop(): void;
}

/** Works each night at three until it is stopped. */
export function workNightly({
  analytics,
  payments,
  keepDays,
  now,
  log,
}: {
  analytics: Pick<AnalyticsStore, 'compareCounters' | 'prune'>;
  payments: Pick<PaymentStore, 'compare'>;
  /** For how many days single marks are kept; undefined: for ever. */
  keepDays: number | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}): Nightly {
  let found: string | undefined;
  let timer: NodeJS.Timeout;
  let isStopped = false;

  const check = async () => {
    const counters = await analytics.compareCounters();
    const sales = await payments.compare();
    const n = counters.differences.length + sales.differences.length;
    found =
      n === 0
        ? undefined
        : `Last night’s check found ${n === 1 ? 'a figure that does' : `${n} figures that do`} not add up. npm run admin -- verify says which.`;
    if (found)
      log.error(
        { counters: counters.differences.length, payments: sales.differences.length },
        found,
      );
  };
  const prune = async () => {
    if (keepDays === undefined) return;
    const marks = await analytics.prune(Math.floor(now() / day) - keepDays);
    if (marks > 0) log.info({ marks }, 'visits and clicks of long ago were deleted');
  };
  const attempt = (task: () => Promise<void>, failure: string) =>
    task().catch((error: unknown) => log.error({ error }, failure));
  const work = async () => {
    // What is deleted can be checked this one last time.
    await attempt(check, 'the nightly check could not be done');
    await attempt(prune, 'old visits and clicks could not be deleted');
    if (!isStopped) wait();
  };
  const wait = () => {
    timer = setTimeout(work, untilQuietHour(now()));
    timer.unref();
  };
  wait();
  return {
    trouble: () => found,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Milliseconds until the quiet hour begins next. */
function untilQuietHour(at: number): number {
  const next = new Date(at);
  next.setHours(quietHour, 0, 0, 0);
  if (next.getTime() <= at) next.setDate(next.getDate() + 1);
  return next.getTime() - at;
}
