/**
 * Logs storage errors. During an outage every request fails with the same error, so it is logged once at its
 * start, and once at its end with the number of failed requests.
 */
import type { Log } from '../log.ts';

/** How often recovery is checked, in ms. */
const checkIntervalMs = 1000;

/** How long no request may have failed before an outage is over, in ms. */
const quietMs = 3000;

interface Outage {
  since: number;
  last: number;
  requests: number;
}

export type OutageLog = ReturnType<typeof createOutageLog>;

/** @param isWell resolves when a write succeeds */
export function createOutageLog({
  log,
  isWell,
  now = () => performance.now(),
}: {
  log: Log;
  isWell: () => Promise<void>;
  now?: () => number;
}) {
  const outages = new Map<string, Outage>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const end = ([sentence, { since, last, requests }]: [string, Outage]) => {
    outages.delete(sentence);
    const seconds = Math.ceil((last - since) / 1000);
    log.warn({ reason: sentence, seconds, requests }, 'storage errors: ended');
  };
  const check = async () => {
    const isOver = await isWell().then(
      () => true,
      () => false,
    );
    const over = [...outages].filter(([, { last }]) => isOver && now() - last >= quietMs);
    for (const one of over) end(one);
    timer = undefined;
    if (outages.size > 0) wait();
  };
  const wait = () => {
    if (!isStopped) timer ??= setTimeout(check, checkIntervalMs).unref();
  };
  return {
    /** Records a failed request: `sentence` names the error for the owner, `details` are log fields. */
    record(sentence: string, details: Record<string, unknown>) {
      const outage = outages.get(sentence);
      if (outage) {
        outage.last = now();
        outage.requests += 1;
        return log.debug({ ...details, reason: sentence }, 'storage errors: request failed');
      }
      log.error({ ...details, reason: sentence }, 'storage errors: started');
      outages.set(sentence, { since: now(), last: now(), requests: 1 });
      wait();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
