/** Once a night everything is recounted, so that the owner learns of a wrong figure from the dashboard. */
import type { AnalyticsStore } from './analytics/store.ts';
import type { Log } from './log.ts';
import type { PaymentStore } from './payments/store.ts';

/** The hour of the server's day in which hardly anybody looks. */
const quietHour = 3;

interface NightlyCheck {
  /** What the last night's check found, in a sentence for the owner; undefined when all agreed. */
  trouble(): string | undefined;
  stop(): void;
}

/** Checks each night at three until it is stopped. */
export function checkNightly({
  analytics,
  payments,
  now,
  log,
}: {
  analytics: Pick<AnalyticsStore, 'compareCounters'>;
  payments: Pick<PaymentStore, 'compare'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}): NightlyCheck {
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
  const wait = () => {
    timer = setTimeout(() => {
      check()
        .catch((error: unknown) => log.error({ error }, 'the nightly check could not be done'))
        .finally(() => {
          if (!isStopped) wait();
        });
    }, untilQuietHour(now()));
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
