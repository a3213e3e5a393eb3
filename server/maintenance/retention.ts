/** Lets go of people of long ago: of messages, and of who bought. What was counted stays counted. */
import type { AnalyticsStore } from '../analytics/store.ts';
import type { AuthStore } from '../auth/store.ts';
import type { ContactStore } from '../contact/store.ts';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import type { PaymentStore } from '../stripe/store.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

/** How long a message stays in the spam folder. */
const spamDays = 30;

/** How long sign-ins and refused attempts are kept, and how many rows of refused ones at most. */
const signInDays = 90;
const mostRefused = 10_000;

/** Deletes what is older than the owner keeps. To be called once a night. */
export type Retention = () => Promise<void>;

export interface RetentionOptions {
  env: Pick<Env, 'KEEP_MESSAGES_DAYS' | 'KEEP_BUYERS_DAYS'>;
  stores: {
    auth: Pick<AuthStore, 'deleteOldAttempts'>;
    contact: Pick<ContactStore, 'deleteOld' | 'deleteOldSpam'>;
    analytics: Pick<AnalyticsStore, 'deleteBuyers'>;
    payments: Pick<PaymentStore, 'deleteBuyers'>;
    wipeDeletedRows(): Promise<boolean>;
  };
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** Milliseconds that have passed, by a clock that nobody sets. */
  elapsed?: () => number;
  log: Log;
}

export function createRetention({
  env,
  stores: { auth, contact, analytics, payments, wipeDeletedRows },
  now,
  elapsed = () => performance.now(),
  log,
}: RetentionOptions): Retention {
  const { KEEP_MESSAGES_DAYS: messagesDays, KEEP_BUYERS_DAYS: buyersDays } = env;
  let drift = now() - elapsed();

  return async () => {
    const before = drift;
    drift = now() - elapsed();
    if (drift - before > hour) {
      // What is deleted is gone: a night is time enough to set the clock right.
      return log.warn('the clock has jumped ahead: nothing is deleted for its age tonight');
    }
    const signIns = await auth.deleteOldAttempts({
      before: now() - signInDays * day,
      most: mostRefused,
    });
    const messages =
      messagesDays === undefined ? 0 : await contact.deleteOld(now() - messagesDays * day);
    const spam = await contact.deleteOldSpam(now() - spamDays * day);
    const horizon = buyersDays === undefined ? undefined : now() - buyersDays * day;
    const events = horizon === undefined ? 0 : await payments.deleteBuyers(horizon);
    const sales = horizon === undefined ? 0 : await analytics.deleteBuyers(horizon);
    if (signIns + messages + spam + events + sales === 0) return;
    await wipeDeletedRows();
    if (messages + spam + events + sales === 0) return;
    log.info({ messages, spam, sales, events }, 'messages and buyers of long ago were deleted');
  };
}
