/**
 * The nightly job: it checks the counters against their rows, deletes old data, and makes a backup. The
 * dashboard shows its problems. A missed run, because the machine was off, starts soon after the next
 * start of the site.
 */
import type { AnalyticsStore } from '../analytics/store.ts';
import type { Log } from '../log.ts';
import type { SaleStore } from '../sales/store.ts';
import type { LeaseResult, NightlyLease, NightlyRun } from '../stores/lease.ts';
import { dayMs, hourMs, minuteMs } from '../time/units.ts';
import type { Retention } from './retention.ts';

/** The hour of the run, in the server's time zone: traffic is lowest then. */
const runHour = 3;

/** How long an instance holds the lease, in ms. */
const leaseMs = 3 * hourMs;

/** When to try again while another instance holds the lease, in ms. */
const retryMs = hourMs;

/** Delay of a missed run after a start, in ms, so that it does not slow the first visitors down. */
const catchUpDelayMs = 2 * minuteMs;

interface NightlyJob {
  /**
   * The problems of the last run, by whichever instance, as sentences for the owner; undefined when
   * there were none.
   */
  alert(): Promise<string | undefined>;
  stop(): void;
}

/** Says which money no figure deducts; undefined when there is none. */
function unconvertedSentence([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `A refund or dispute of ${first}${more} is in another currency than its sale, and is not deducted from the revenue. See it at Stripe.`;
}

/** Starts the job, which runs every night at three until it is stopped. */
export function startNightlyJob({
  analytics,
  sales,
  keepDays,
  backUp,
  lease,
  recordsRuns,
  retention,
  reencrypt,
  now,
  log,
}: {
  analytics: Pick<AnalyticsStore, 'compareCounters' | 'prune'>;
  sales: Pick<SaleStore, 'compare'>;
  /** Retention of single events, in days; undefined: they are never deleted. */
  keepDays: number | undefined;
  /** Makes the nightly backup; undefined: skip it. */
  backUp: ((signal: AbortSignal) => Promise<void>) | undefined;
  lease: NightlyLease;
  /** Whether to record runs. The development server does not. */
  recordsRuns: boolean;
  /** Deletes old messages, buyers and logins. */
  retention: Retention;
  /** Encrypts connections with the newest secret: at night, when every instance has the secrets of a rotation. */
  reencrypt: () => Promise<void>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}): NightlyJob {
  const abort = new AbortController();
  const stopped = abort.signal;
  let timer: NodeJS.Timeout | undefined;
  /** The last run of this instance, in case it could not be recorded. */
  let ownRun: NightlyRun | undefined;
  const readLastRun = () => lease.read().catch(() => undefined);

  const check = async () => {
    const counters = await analytics.compareCounters();
    const compared = await sales.compare();
    const foreign = unconvertedSentence(compared.unconverted);
    const n = counters.differences.length + compared.differences.length;
    if (n === 0) return foreign;
    log.error(
      {
        counters: counters.differences.length,
        sales: compared.differences.length,
      },
      'nightly job: figures do not add up; run npm run admin -- verify',
    );
    const found = `Last night’s check found ${n === 1 ? 'a figure that does' : `${n} figures that do`} not add up. npm run admin -- verify says which.`;
    return [found, foreign].filter(Boolean).join(' ');
  };
  const prune = async () => {
    if (keepDays === undefined) return;
    const events = await analytics.prune(Math.floor(now() / dayMs) - keepDays);
    if (events > 0) log.info({ events }, 'nightly job: deleted old visits and clicks');
  };
  const backup = async () => {
    if (backUp === undefined || stopped.aborted) return;
    await backUp(stopped);
    log.info('nightly job: backup completed');
  };
  /** Runs a task; returns its problem as a sentence for the owner, if there is one. */
  const attempt = async (task: () => Promise<unknown>, failure: Failure) => {
    try {
      const problem = await task();
      return typeof problem === 'string' ? problem : undefined;
    } catch (error) {
      if (stopped.aborted) return undefined;
      log.error({ error }, failure.message);
      return failure.alert?.(error);
    }
  };
  /** Which instance runs tonight's job. On error, assume another one does. */
  const acquireLease = async (): Promise<LeaseResult> => {
    const at = now();
    try {
      return await lease.acquire({ now: at, since: lastRunTime(at), leaseMs });
    } catch (error) {
      log.error({ error }, 'nightly job: could not acquire the lease; retrying in an hour');
      return 'held';
    }
  };
  const runIfAcquired = async () => {
    const result = await acquireLease();
    if (stopped.aborted) return;
    if (result === 'acquired') await runTasks();
    if (!stopped.aborted) schedule(result === 'held' ? retryMs : msUntilRun(now()));
  };
  const runTasks = async () => {
    const at = now();
    const problems = [
      // Before the deletions, which remove rows that can still be checked now.
      await attempt(check, failures.check),
      await attempt(prune, failures.prune),
      // Before the backup, so that no new backup contains deleted people.
      await attempt(retention, failures.retention),
      await attempt(reencrypt, failures.reencrypt),
      await attempt(backup, failures.backup),
    ];
    // Do not record an interrupted run: it is repeated after the next start.
    if (stopped.aborted) return;
    const run = { at, problems: problems.filter((problem) => problem !== undefined) };
    ownRun = run;
    if (recordsRuns) await attempt(() => lease.write(run), failures.record);
  };
  const schedule = (ms: number) => {
    timer = setTimeout(runIfAcquired, ms);
    timer.unref();
  };
  void readLastRun().then((last) => {
    if (!stopped.aborted) schedule(isMissed(last?.at, now()) ? catchUpDelayMs : msUntilRun(now()));
  });
  return {
    async alert() {
      const last = await readLastRun();
      const latest = ownRun && ownRun.at >= (last?.at ?? 0) ? ownRun : last;
      return latest?.problems.join(' ') || undefined;
    },
    stop() {
      abort.abort();
      clearTimeout(timer);
    },
  };
}

interface Failure {
  /** The log message. */
  message: string;
  /** The sentence for the owner, where the failure concerns them. */
  alert?: (error: unknown) => string;
}

const failures = {
  check: {
    message: 'nightly job: could not check the figures',
    alert: () => 'Last night’s check could not be done: the log says why.',
  },
  prune: { message: 'nightly job: could not delete old visits and clicks' },
  retention: { message: 'nightly job: could not delete old messages and buyers' },
  reencrypt: { message: 'nightly job: could not encrypt the connections anew' },
  backup: {
    message: 'nightly job: backup failed',
    alert: (error) =>
      `Last night’s backup could not be made. ${error instanceof Error ? error.message : ''}`.trim(),
  },
  record: { message: 'nightly job: could not record the run' },
} satisfies Record<string, Failure>;

/** Whether the last scheduled run did not happen. A time in the future (a wrong clock) does not count. */
const isMissed = (last: number | undefined, at: number): boolean =>
  last === undefined || last > at || last < lastRunTime(at);

/** The last scheduled time of the run, at or before `at`. */
function lastRunTime(at: number): number {
  const last = new Date(at);
  last.setHours(runHour, 0, 0, 0);
  if (last.getTime() > at) last.setDate(last.getDate() - 1);
  return last.getTime();
}

/** Milliseconds until the next scheduled run. */
function msUntilRun(at: number): number {
  const next = new Date(at);
  next.setHours(runHour, 0, 0, 0);
  if (next.getTime() <= at) next.setDate(next.getDate() + 1);
  return next.getTime() - at;
}
