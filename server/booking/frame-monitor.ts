/**
 * Looks after the calendars of the booking dialogs: whether browsers may show them in a frame.
 *
 * A browser tells its page nothing of a frame that was refused, so the server asks, now and then and
 * never on a visitor's request. What is uncertain changes nothing: without a network it is silent.
 */
import type { Log } from '../log.ts';
import { type FrameVerdict, probeFrame } from './frame-probe.ts';

/** Milliseconds: to the first round, between rounds, to another look at one that fails, for an answer. */
const pace = { first: 2000, every: 15 * 60_000, again: 60_000, timeout: 10_000 };
export type Pace = typeof pace;

/** Failures in a row after which a calendar counts as broken: it may just be starting anew. */
const patience = 2;

export interface FrameMonitorOptions {
  /** Addresses of the calendars by their name. */
  calendars: Readonly<Record<string, string>>;
  /** The site's own origin (PUBLIC_URL), when it is known. */
  origin: string | undefined;
  log: Log;
  /**
   * Told the names of the calendars that cannot be framed, in the order of `calendars`, each time
   * they change. The next look waits for what it promises.
   */
  changed: (refused: string[]) => Promise<void>;
  pace?: Pace | undefined;
}

interface Calendar {
  name: string;
  address: string;
  /** What holds for it now. It counts as working until something else is certain. */
  settled: Exclude<FrameVerdict, 'unknown'>;
  failures: number;
}

/** Starts to look after them, one at a time, and returns what ends it. */
export function monitorFrames({
  calendars,
  origin,
  log,
  changed,
  pace: { first, every, again, timeout } = pace,
}: FrameMonitorOptions): () => void {
  const guarded = Object.entries(calendars).map(
    ([name, address]): Calendar => ({ name, address, settled: 'ok', failures: 0 }),
  );
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const round = async () => {
    for (const calendar of guarded) {
      const verdict = await probeFrame(calendar.address, { origin, timeout, signal: over.signal });
      if (over.signal.aborted) return;
      if (!settle(calendar, verdict)) continue;
      const refused = guarded.filter(({ settled }) => settled !== 'ok').map(({ name }) => name);
      await changed(refused);
      if (calendar.settled === 'ok') log.info(sentenceOn(calendar, origin));
      else log.warn(sentenceOn(calendar, origin));
    }
    const isInDoubt = guarded.some(({ failures }) => failures > 0 && failures < patience);
    wait(isInDoubt ? again : every);
  };
  /** Spread a little, so that many sites do not ask one provider at the same moment. */
  const wait = (delay: number) => {
    if (over.signal.aborted) return;
    timer = setTimeout(() => void round(), delay * (0.9 + Math.random() * 0.2));
    timer.unref();
  };

  if (guarded.length > 0) wait(first);
  return () => {
    over.abort();
    clearTimeout(timer);
  };
}

/** Takes a verdict in; answers whether another one holds for the calendar now. */
function settle(calendar: Calendar, verdict: FrameVerdict): boolean {
  if (verdict === 'unknown') return false;
  calendar.failures = verdict === 'broken' ? calendar.failures + 1 : 0;
  if (verdict === 'broken' && calendar.failures < patience) return false;
  const isNew = verdict !== calendar.settled;
  calendar.settled = verdict;
  return isNew;
}

/** What the owner is told. */
function sentenceOn({ address, settled }: Calendar, origin: string | undefined): string {
  const calendar = `The calendar ${address}`;
  const link = 'Visitors now get a link to it instead of the frame.';
  switch (settled) {
    case 'ok':
      return `${calendar} can be shown in its dialog again.`;
    case 'refuses': {
      const hint = origin ? '' : ' If its settings list your site, set PUBLIC_URL too.';
      return `${calendar} does not let your site show it. ${link}${hint}`;
    }
    case 'moved':
      return `${calendar} leads on to another address, or has no https. ${link} Open it in a browser and put the address you see there into site.config.ts.`;
    case 'broken':
      return `${calendar} does not work: its server answers with an error. ${link}`;
  }
}
