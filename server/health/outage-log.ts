/**
 * Tells the log of faults of the place of storage. While the database is away every request meets the
 * same one: it is told when it begins, and at its end how many met it.
 */
import type { Log } from '../log.ts';

/** How often it is looked whether it is over, in ms. */
const lookEvery = 1000;

/** So long nobody has met it any more when it is over, in ms. */
const quiet = 3000;

interface Outage {
  since: number;
  last: number;
  requests: number;
}

export interface OutageLog {
  /** A request met this fault: `sentence` says which to the owner, `facts` what happened. */
  record(sentence: string, facts: Record<string, unknown>): void;
  stop(): void;
}

/** @param isWell resolves when something could be kept */
export function createOutageLog({
  log,
  isWell,
  now = () => performance.now(),
}: {
  log: Log;
  isWell: () => Promise<void>;
  now?: () => number;
}): OutageLog {
  const outages = new Map<string, Outage>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const end = ([sentence, { since, last, requests }]: [string, Outage]) => {
    outages.delete(sentence);
    const seconds = Math.ceil((last - since) / 1000);
    log.warn({ was: sentence, seconds, requests }, 'everything can be kept again');
  };
  const look = async () => {
    const isOver = await isWell().then(
      () => true,
      () => false,
    );
    const over = [...outages].filter(([, { last }]) => isOver && now() - last >= quiet);
    for (const one of over) end(one);
    timer = undefined;
    if (outages.size > 0) wait();
  };
  const wait = () => {
    if (!isStopped) timer ??= setTimeout(look, lookEvery).unref();
  };
  return {
    record(sentence, facts) {
      const outage = outages.get(sentence);
      if (outage) {
        outage.last = now();
        outage.requests += 1;
        return log.debug(facts, sentence);
      }
      log.error(facts, sentence);
      outages.set(sentence, { since: now(), last: now(), requests: 1 });
      wait();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
