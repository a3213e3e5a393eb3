/** Owner alerts: sentences at the top of the dashboard. */
import { pluralize } from '../contract/numbers.ts';
import { adviceOn, codesIn } from '../email/smtp-errors.ts';
import type { Overdue } from '../email/store.ts';
import type { StripeReport } from '../sales/stripe/sync.ts';
import { dayMs, hourMs, minuteMs } from '../time/units.ts';
import type { AlertData } from '../webhooks/event.ts';

/** All current alerts, the most urgent first. */
export function createOwnerAlerts({
  storage,
  files,
  site,
  connections,
  recipients,
  nightly,
  stripe,
  mail,
  webhooks,
  flood,
  spam,
  disk,
  deliveries,
  calendars,
  paused,
  proxy,
  pictures,
  now,
}: {
  /** Why the last write failed; undefined when it succeeded. */
  storage: string | undefined;
  /** That files of the database were deleted or replaced. */
  files: string | undefined;
  /** That visitors see another site than the published one. */
  site: string | undefined;
  /** That what the owner has entered for connections cannot be read any more. */
  connections: string | undefined;
  /** That emails have no recipient. */
  recipients: string | undefined;
  /** Findings of the last nightly job. */
  nightly: string | undefined;
  stripe: StripeReport | undefined;
  /** The emails, and the events of webhooks, that should have been accepted by now. */
  mail: Overdue | undefined;
  webhooks: Overdue | undefined;
  /** That the contact form is flooded. */
  flood: string | undefined;
  /** That the spam folder is nearly full. */
  spam: string | undefined;
  /** That the disk is nearly full. */
  disk: string | undefined;
  /** That the deliveries of a service are refused. */
  deliveries: string | undefined;
  /** That a calendar of the owner cannot be read. */
  calendars: string | undefined;
  /** That visitors cannot book for a while. */
  paused: string | undefined;
  /** That a proxy's address is counted instead of the visitors'. */
  proxy: string | undefined;
  /** That visitors get earlier pictures of the site than those of its texts and colours. */
  pictures: string | undefined;
  /** Milliseconds since 1970, UTC. */
  now: number;
}): AlertData[] {
  const sentences = {
    storage: storage && `Nothing can be saved now. ${storage}`,
    files,
    site,
    connections,
    recipients,
    disk,
    nightly,
    stripe: stripe?.alert,
    difference: differenceOf(stripe),
    mail: mail && delayOf(mail, now),
    webhooks: webhooks && undeliveredOf(webhooks, now),
    flood,
    spam,
    deliveries,
    calendars,
    paused,
    proxy,
    pictures,
  };
  return Object.entries(sentences).flatMap(([kind, text]) => (text ? { kind, text } : []));
}

/** The alerts as one text for the owner's screens, one a line, or null. */
export const inWords = (alerts: readonly AlertData[]): string | null =>
  alerts.map(({ text }) => text).join('\n') || null;

const differenceOf = (stripe: StripeReport | undefined) =>
  stripe?.reconciliation &&
  stripe.reconciliation.differ > 0 &&
  'A payment differs between Stripe and this site. See Money below.';

/** The alert about emails that should have been accepted by now. */
export function delayOf({ count, since, error }: Overdue, now: number): string {
  const emails = count === 1 ? 'An email' : `${count} emails`;
  const advice = error && adviceOn(error);
  const codes = error && codesIn(error);
  const reason = (advice ? ` ${advice}` : '') + (codes ? ` The last result: ${codes}.` : '');
  return `${emails} could not be sent for ${durationOf(now - since)}.${reason} Each is tried again by itself. Messages and calls are saved: read them under Messages and Bookings.`;
}

/** The alert about events that should have been accepted by now. */
export function undeliveredOf({ count, since, error }: Overdue, now: number): string {
  const events = count === 1 ? 'An event' : `${count} events`;
  const undelivered = `${events} could not be delivered to the receiver of your webhooks for ${durationOf(now - since)}.`;
  if (error === 'HTTP 410') {
    return `${undelivered} The receiver said it is gone (410). Correct or remove its address.`;
  }
  const reason =
    error === null
      ? ''
      : ` The last result: ${error}. Check its address, and whether it is running.`;
  return `${undelivered}${reason} Each is tried again by itself.`;
}

/** A duration in ms in its largest unit, rounded down: `7 minutes`, `3 hours`, `2 days`. */
function durationOf(ms: number): string {
  const [size, unit] = units.find(([size]) => ms >= size) ?? ([minuteMs, 'minute'] as const);
  const n = Math.max(1, Math.floor(ms / size));
  return pluralize(n, unit);
}

const units = [
  [dayMs, 'day'],
  [hourMs, 'hour'],
] as const;
