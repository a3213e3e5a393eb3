/** Owner alerts: sentences at the top of the dashboard. */
import { testTime } from '../contact/self-test.ts';
import type { OutboxState, OutboxStore } from '../email/store.ts';
import type { StripeReport } from '../stripe/sync.ts';
import { dayMs } from '../time/units.ts';
import type { AlertData } from '../webhooks/event.ts';

/** All current alerts, the most urgent first. */
export function createOwnerAlerts({
  storage,
  nightly,
  stripe,
  mail,
  webhooks,
  test,
  flood,
  spam,
  disk,
  calendars,
  paused,
  now,
}: {
  /** Why the last write failed; undefined when it succeeded. */
  storage: string | undefined;
  /** Findings of the last nightly job. */
  nightly: string | undefined;
  stripe: StripeReport | undefined;
  /** Undefined: there is no mail server. */
  mail: OutboxState | undefined;
  /** Undefined: there is no webhook receiver. */
  webhooks: OutboxState | undefined;
  /** The daily test email that is still in the outbox. */
  test: Awaited<ReturnType<OutboxStore['waitingTest']>>;
  /** That the contact form is flooded. */
  flood: string | undefined;
  /** That the spam folder is nearly full. */
  spam: string | undefined;
  /** That the disk is nearly full. */
  disk: string | undefined;
  /** That a calendar of the owner cannot be read. */
  calendars: string | undefined;
  /** That visitors cannot book for a while. */
  paused: string | undefined;
  /** Milliseconds since 1970, UTC. */
  now: number;
}): AlertData[] {
  const sentences = {
    storage: storage && `Nothing can be saved now. ${storage}`,
    disk,
    nightly,
    stripe: stripe?.alert,
    difference: differenceOf(stripe),
    mail: mail && delayOf(mail, now),
    test: test && failureOf(test, now),
    webhooks: webhooks && undeliveredOf(webhooks, now),
    flood,
    spam,
    calendars,
    paused,
  };
  return Object.entries(sentences).flatMap(([kind, text]) => (text ? { kind, text } : []));
}

/** The alerts as one text for the dashboard, or null. */
export const inWords = (alerts: readonly AlertData[]): string | null =>
  alerts.map(({ text }) => text).join(' ') || null;

const differenceOf = (stripe: StripeReport | undefined) =>
  stripe?.reconciliation &&
  stripe.reconciliation.differ > 0 &&
  'A payment differs between Stripe and this site. See Money below.';

/** The alert about rejected or delayed emails; undefined when there is none. */
export function delayOf({ refused, oldestWaiting }: OutboxState, now: number): string | undefined {
  if (refused > 0) {
    const emails = refused === 1 ? 'an email' : `${refused} emails`;
    return `Your mail server rejected ${emails} to you. Read the messages under Messages. The log has the reason; a restart tries again.`;
  }
  if (oldestWaiting === undefined || now - oldestWaiting < dayMs) return undefined;
  return 'Your mail server has accepted no email for a day. Read the messages under Messages. The log has the reason.';
}

/** The alert about rejected or delayed events; undefined when there is none. */
export function undeliveredOf(
  { refused, oldestWaiting }: OutboxState,
  now: number,
): string | undefined {
  if (refused > 0) {
    const events = refused === 1 ? 'an event' : `${refused} events`;
    return `The receiver of your webhooks rejected ${events}. The log has the reason; a restart tries again.`;
  }
  if (oldestWaiting === undefined || now - oldestWaiting < dayMs) return undefined;
  return 'An event for the receiver of your webhooks has waited for a day. The log has the reason.';
}

/** The alert about the test email. After a day `delayOf` reports the same mail server instead. */
function failureOf(
  { queuedAt, error }: { queuedAt: number; error: string | null },
  now: number,
): string | undefined {
  if (now - queuedAt < testTime || now - queuedAt >= dayMs) return undefined;
  const reason = error === null ? '' : ` Your mail server says: ${error.slice(0, 200)}.`;
  return `The daily test email was not accepted.${reason} Messages from visitors are saved: read them under Messages.`;
}
