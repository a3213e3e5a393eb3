import { uptime } from 'node:os';
import type { SiteConfig } from '../../site.defaults.ts';
import type { AuthStore } from '../auth/store.ts';
import type { BookingStore } from '../booking/store.ts';
import type { ContactStore } from '../contact/store.ts';
import type { PhotoStore } from '../content/photos.ts';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import type { SaleStore } from '../sales/store.ts';
import type { PaymentStore } from '../sales/stripe/store.ts';
import { dayMs, hourMs } from '../time/units.ts';
import type { WebhookStore } from '../webhooks/store.ts';

/** How long a message stays in the spam folder. */
export const spamDays = 30;

/** How long the webhook receiver may take no event before it is lost. */
const eventDays = 30;

/** How long logins and rejected attempts are kept, and how many rows of rejected ones at most. */
export const signInDays = 90;
const maxRejected = 10_000;

/** How long the owner's log is kept. */
const actDays = 365;

/** How long a photo is kept that no version, no draft and no file names. */
const photoDays = 30;

/** Deletes data beyond its retention period. Call it once a night. */
export type Retention = () => Promise<void>;

export interface RetentionOptions {
  env: Pick<Env, 'KEEP_MESSAGES_DAYS' | 'KEEP_BOOKINGS_DAYS' | 'KEEP_BUYERS_DAYS'>;
  stores: {
    auth: Pick<AuthStore, 'deleteOldAttempts' | 'deleteOldActs'>;
    contact: Pick<ContactStore, 'deleteOld' | 'deleteOldSpam'>;
    bookings: Pick<BookingStore, 'deleteOld'>;
    sales: Pick<SaleStore, 'eraseBuyersBefore'>;
    payments: Pick<PaymentStore, 'eraseBuyersBefore'>;
    webhooks: Pick<WebhookStore, 'eraseOld'>;
    photos: Pick<PhotoStore, 'deleteUnused'>;
    wipeDeletedRows(): Promise<boolean>;
  };
  /** The config of `site.config.ts`. */
  file: SiteConfig;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** Milliseconds on a monotonic clock that also counts while the machine sleeps. */
  elapsed?: () => number;
  log: Log;
}

/** Creates the retention task. It skips a night after the system clock jumped ahead. */
export function createRetention({
  env,
  stores: { auth, contact, bookings, sales, payments, webhooks, photos, wipeDeletedRows },
  file,
  now,
  // `performance.now()` stops while a Linux machine sleeps, which would look like a clock that jumped.
  elapsed = () => uptime() * 1000,
  log,
}: RetentionOptions): Retention {
  const {
    KEEP_MESSAGES_DAYS: messagesDays,
    KEEP_BOOKINGS_DAYS: bookingsDays,
    KEEP_BUYERS_DAYS: buyersDays,
  } = env;
  let drift = now() - elapsed();

  return async () => {
    const previousDrift = drift;
    drift = now() - elapsed();
    if (drift - previousDrift > hourMs) {
      // Deletion is final, so leave the owner a day to correct the clock.
      return log.warn('nightly job: the clock jumped ahead, skipped retention; check the clock');
    }
    const logins = await auth.deleteOldAttempts({
      before: now() - signInDays * dayMs,
      most: maxRejected,
    });
    const acts = await auth.deleteOldActs(now() - actDays * dayMs);
    const messages =
      messagesDays === undefined ? 0 : await contact.deleteOld(now() - messagesDays * dayMs);
    const calls =
      bookingsDays === undefined ? 0 : await bookings.deleteOld(now() - bookingsDays * dayMs);
    const spam = await contact.deleteOldSpam(now() - spamDays * dayMs);
    const undelivered = await webhooks.eraseOld(now() - eventDays * dayMs);
    const pictures = await photos.deleteUnused({ before: now() - photoDays * dayMs, file });
    const horizon = buyersDays === undefined ? undefined : now() - buyersDays * dayMs;
    const events = horizon === undefined ? 0 : await payments.eraseBuyersBefore(horizon);
    const reported = horizon === undefined ? 0 : await sales.eraseBuyersBefore(horizon);
    const others = logins + acts + undelivered + pictures;
    if (others + messages + calls + spam + events + reported === 0) return;
    await wipeDeletedRows();
    if (messages + calls + spam + events + reported === 0) return;
    log.info(
      { messages, bookings: calls, spam, sales: reported, events },
      'nightly job: deleted old messages, bookings and buyers',
    );
  };
}
