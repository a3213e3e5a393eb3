/**
 * What is done once a night: everything is recounted, so that the owner learns of a wrong figure from
 * the dashboard, what is old enough is let go of, and a backup is made. A night that was missed, because
 * the machine was off, is made up for soon after the next start.
 */
import type { AnalyticsStore } from '../analytics/store.ts';
import type { Log } from '../log.ts';
import type { PaymentStore } from '../stripe/store.ts';
import type { LeaseResult, NightlyLease, NightlyRun } from './lease.ts';
import type { Retention } from './retention.ts';

/** The hour of the server's day in which hardly anybody looks. */
const quietHour = 3;

const day = 24 * 60 * 60_000;

/** For how long the night's work is one instance's, and how long another waits until it looks again, in ms. */
const lease = 3 * 60 * 60_000;
const lookAgain = 60 * 60_000;

/** How long after a start a missed night is made up for, in ms: the first visitors come first. */
const afterStart = 2 * 60_000;

interface Nightly {
  /**
   * What went wrong in the last night, whichever instance worked then, in sentences for the owner;
   * undefined when nothing did.
   */
  trouble(): Promise<string | undefined>;
  stop(): void;
}

/** Works each night at three until it is stopped. */
export function startNightlyJob({
  analytics,
  payments,
  keepDays,
  backUp,
  record,
  remembers,
  retention,
  now,
  log,
}: {
  analytics: Pick<AnalyticsStore, 'compareCounters' | 'prune' | 'cleanSources'>;
  payments: Pick<PaymentStore, 'compare' | 'cleanSources'>;
  /** For how many days single marks are kept; undefined: for ever. */
  keepDays: number | undefined;
  /** Makes the backup of the night; undefined: none is made. */
  backUp: ((signal: AbortSignal) => Promise<void>) | undefined;
  record: NightlyLease;
  /** Whether what a night came to is written down: that of the development server is none to remember. */
  remembers: boolean;
  /** Lets go of people of long ago. */
  retention: Retention;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}): Nightly {
  const stopping = new AbortController();
  const stopped = stopping.signal;
  let timer: NodeJS.Timeout | undefined;
  /** What this instance did last. */
  let own: NightlyRun | undefined;
  const recorded = () => record.read().catch(() => undefined);

  const check = async () => {
    const counters = await analytics.compareCounters();
    const sales = await payments.compare();
    const n = counters.differences.length + sales.differences.length;
    if (n === 0) return undefined;
    const found = `Last night’s check found ${n === 1 ? 'a figure that does' : `${n} figures that do`} not add up. npm run admin -- verify says which.`;
    log.error({ counters: counters.differences.length, payments: sales.differences.length }, found);
    return found;
  };
  const prune = async () => {
    if (keepDays === undefined) return;
    const marks = await analytics.prune(Math.floor(now() / day) - keepDays);
    if (marks > 0) log.info({ marks }, 'visits and clicks of long ago were deleted');
  };
  const cleanSources = async () => {
    await payments.cleanSources();
    await analytics.cleanSources();
  };
  const backup = async () => {
    if (backUp === undefined || stopped.aborted) return;
    await backUp(stopped);
    log.info('the backup of the night is made');
  };
  /** What went wrong, in a sentence. */
  const attempt = async (task: () => Promise<unknown>, failure: Failure) => {
    try {
      const found = await task();
      return typeof found === 'string' ? found : undefined;
    } catch (error) {
      if (stopped.aborted) return undefined;
      log.error({ error }, failure.logged);
      return failure.told?.(error);
    }
  };
  /** Whose the work of this night is; when that cannot be found out, somebody's. */
  const turn = async (): Promise<LeaseResult> => {
    const at = now();
    try {
      return await record.acquire({ now: at, since: begunBefore(at), lease });
    } catch (error) {
      log.error({ error }, 'it could not be found out whose the work of the night is');
      return 'theirs';
    }
  };
  const work = async () => {
    const whose = await turn();
    if (stopped.aborted) return;
    if (whose === 'ours') await workThrough();
    if (!stopped.aborted) wait(whose === 'theirs' ? lookAgain : untilQuietHour(now()));
  };
  const workThrough = async () => {
    const at = now();
    const trouble = [
      // What is deleted can be checked this one last time.
      await attempt(check, failures.check),
      await attempt(prune, failures.prune),
      // Before the backup: whom it lets go of is in none that is made from now on.
      await attempt(retention, failures.retention),
      await attempt(cleanSources, failures.sources),
      await attempt(backup, failures.backup),
    ];
    // A night that was broken off is made up for.
    if (stopped.aborted) return;
    const night = { at, trouble: trouble.filter((one) => one !== undefined) };
    own = night;
    if (remembers) await attempt(() => record.write(night), failures.record);
  };
  const wait = (ms: number) => {
    timer = setTimeout(work, ms);
    timer.unref();
  };
  void recorded().then((last) => {
    if (!stopped.aborted) wait(isMissed(last?.at, now()) ? afterStart : untilQuietHour(now()));
  });
  return {
    async trouble() {
      const last = await recorded();
      const latest = own && own.at >= (last?.at ?? 0) ? own : last;
      return latest?.trouble.join(' ') || undefined;
    },
    stop() {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}

interface Failure {
  logged: string;
  /** What the owner is told, where it concerns them. */
  told?: (error: unknown) => string;
}

const failures = {
  check: {
    logged: 'the nightly check could not be done',
    told: () => 'Last night’s check could not be done: the log says why.',
  },
  prune: { logged: 'old visits and clicks could not be deleted' },
  retention: { logged: 'messages and buyers of long ago could not be deleted' },
  sources: { logged: 'nightly job: could not remove email addresses from sources' },
  backup: {
    logged: 'the backup of the night could not be made',
    told: (error) =>
      `Last night’s backup could not be made. ${error instanceof Error ? error.message : ''}`.trim(),
  },
  record: { logged: 'what the night came to could not be written down' },
} satisfies Record<string, Failure>;

/** Whether no work was done since the quiet hour began last. A time in the future tells nothing. */
const isMissed = (last: number | undefined, at: number): boolean =>
  last === undefined || last > at || last < begunBefore(at);

/** When the quiet hour began last. */
function begunBefore(at: number): number {
  const begun = new Date(at);
  begun.setHours(quietHour, 0, 0, 0);
  if (begun.getTime() > at) begun.setDate(begun.getDate() - 1);
  return begun.getTime();
}

/** Milliseconds until the quiet hour begins next. */
function untilQuietHour(at: number): number {
  const next = new Date(at);
  next.setHours(quietHour, 0, 0, 0);
  if (next.getTime() <= at) next.setDate(next.getDate() + 1);
  return next.getTime() - at;
}
