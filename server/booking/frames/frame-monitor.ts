/**
 * Frame monitor: checks whether browsers may show the calendars of the booking dialogs in a frame.
 *
 * A page cannot detect that a browser refused a frame, so the server checks, periodically and never
 * on a visitor's request. An uncertain result, such as a network failure, changes nothing.
 */
import type { Log } from '../../log.ts';
import { minuteMs } from '../../time/units.ts';
import { type FrameVerdict, probeFrame } from './frame-probe.ts';

/** Milliseconds: delay of the first check, interval, retry after a failure, timeout of one check. */
const pace = { first: 2000, every: 15 * minuteMs, again: 60_000, timeout: 10_000 };
export type Pace = typeof pace;

/** Failures in a row after which a calendar counts as broken, since a provider may be restarting. */
const maxFailures = 2;

export interface FrameMonitorOptions {
  /** Addresses of the calendars by their name. */
  calendars: Readonly<Record<string, string>>;
  /** The site's own origin (PUBLIC_URL); undefined when it is not known. */
  origin: string | undefined;
  log: Log;
  /**
   * Called with the names of the calendars that cannot be framed, in the order of `calendars`, each
   * time they change. The monitor awaits it before the next check.
   */
  changed: (refused: string[]) => Promise<void>;
  pace?: Pace | undefined;
}

interface Calendar {
  name: string;
  address: string;
  /** The last certain verdict; `ok` at first. */
  verdict: Exclude<FrameVerdict, 'unknown'>;
  failures: number;
}

/** Starts to check the calendars, one at a time. Returns the function that stops it. */
export function monitorFrames({
  calendars,
  origin,
  log,
  changed,
  pace: { first, every, again, timeout } = pace,
}: FrameMonitorOptions): () => void {
  const monitored = Object.entries(calendars).map(
    ([name, address]): Calendar => ({ name, address, verdict: 'ok', failures: 0 }),
  );
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const checkAll = async () => {
    for (const calendar of monitored) {
      const verdict = await probeFrame(calendar.address, {
        origin,
        timeout,
        signal: stopped.signal,
      });
      if (stopped.signal.aborted) return;
      if (!update(calendar, verdict)) continue;
      const refused = monitored.filter((one) => one.verdict !== 'ok').map(({ name }) => name);
      await changed(refused);
      const level = calendar.verdict === 'ok' ? 'info' : 'warn';
      log[level]({ calendar: calendar.address }, messageOf(calendar.verdict, origin));
    }
    const isFailing = monitored.some(({ failures }) => failures > 0 && failures < maxFailures);
    schedule(isFailing ? again : every);
  };
  /** Adds jitter, so that many sites do not check one provider at the same moment. */
  const schedule = (delay: number) => {
    if (stopped.signal.aborted) return;
    timer = setTimeout(() => void checkAll(), delay * (0.9 + Math.random() * 0.2));
    timer.unref();
  };

  if (monitored.length > 0) schedule(first);
  return () => {
    stopped.abort();
    clearTimeout(timer);
  };
}

/** Records a verdict; returns whether the calendar's state has changed. */
function update(calendar: Calendar, verdict: FrameVerdict): boolean {
  if (verdict === 'unknown') return false;
  calendar.failures = verdict === 'broken' ? calendar.failures + 1 : 0;
  if (verdict === 'broken' && calendar.failures < maxFailures) return false;
  const isNew = verdict !== calendar.verdict;
  calendar.verdict = verdict;
  return isNew;
}

/** The log message of a verdict. */
function messageOf(verdict: Calendar['verdict'], origin: string | undefined): string {
  switch (verdict) {
    case 'ok':
      return 'frame monitor: the calendar can be framed again';
    case 'refuses':
      return origin
        ? 'frame monitor: the calendar does not allow your site to frame it; visitors get a link'
        : 'frame monitor: the calendar does not allow your site to frame it; visitors get a link. If its settings list your site, set PUBLIC_URL too';
    case 'moved':
      return 'frame monitor: the calendar redirects to another address or has no https; visitors get a link. Put the address that a browser ends up at into site.config.ts';
    case 'broken':
      return 'frame monitor: the server of the calendar returns an error; visitors get a link';
  }
}
