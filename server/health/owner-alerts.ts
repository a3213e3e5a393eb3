/** Owner alerts: sentences at the top of the dashboard. */
import type { OutboxState, OutboxStore } from '../email/store.ts';
import type { StripeReport } from '../stripe/sync.ts';

const day = 24 * 60 * 60_000;

/** How long the test email may take, in ms: mail servers defer emails (greylisting). */
export const testTime = 2 * 60 * 60_000;

/** All current alerts in one text, or null. */
export function createOwnerAlerts({
  storage,
  nightly,
  stripe,
  mail,
  test,
  flood,
  spam,
  disk,
  now,
}: {
  /** Why the last write failed. */
  storage: string | undefined;
  /** What the last night's check found. */
  nightly: string | undefined;
  stripe: StripeReport | undefined;
  /** Undefined: there is no mail server. */
  mail: OutboxState | undefined;
  /** The daily test email that is still in the outbox. */
  test: Awaited<ReturnType<OutboxStore['waitingTest']>>;
  /** That the contact form is flooded. */
  flood: string | undefined;
  /** That the spam folder is nearly full. */
  spam: string | undefined;
  /** That the disk is nearly full. */
  disk: string | undefined;
  /** Milliseconds since 1970, UTC. */
  now: number;
}): string | null {
  const sentences = [
    storage && `Nothing can be kept now. ${storage}`,
    disk,
    nightly,
    stripe?.alert,
    differenceOf(stripe),
    mail && delayOf(mail, now),
    test && failureOf(test, now),
    flood,
    spam,
  ];
  return sentences.filter(Boolean).join(' ') || null;
}

const differenceOf = (stripe: StripeReport | undefined) =>
  stripe?.reconciliation &&
  stripe.reconciliation.differ > 0 &&
  'Stripe and this site say different things of a payment: see Money below.';

/** The alert about rejected or delayed emails; undefined when there is none. */
export function delayOf({ refused, oldestWaiting }: OutboxState, now: number): string | undefined {
  if (refused > 0) {
    const letters = refused === 1 ? 'a letter' : `${refused} letters`;
    return `Your mail server refuses ${letters} to you. What they say is under Messages. The log says why; a new start tries again.`;
  }
  if (oldestWaiting === undefined || now - oldestWaiting < day) return undefined;
  return 'Your mail server has taken no letter for a day. What they say is under Messages. The log says why.';
}

/** The alert about the test email. After a day `delayOf` reports the same mail server instead. */
function failureOf(
  { queuedAt, error }: { queuedAt: number; error: string | null },
  now: number,
): string | undefined {
  if (now - queuedAt < testTime || now - queuedAt >= day) return undefined;
  const reason = error === null ? '' : ` It says: ${error.slice(0, 200)}.`;
  return `The daily test of your mail has not come through.${reason} What visitors write is kept, and is under Messages.`;
}
