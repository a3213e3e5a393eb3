/** Records activity reported by a browser as an event, or as an excluded count. */

import { isbot } from 'isbot';
import type { ButtonName } from '../contract/button-names.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import { memoize } from '../memoize.ts';
import type { Activity, ExclusionReason } from './model.ts';
import type { CountVisitor, Visitor } from './visitors.ts';

/** A visitor's activity as reported by the browser. */
export interface ReportedActivity {
  activity: Activity;
  button: ButtonName | null;
  /** Name of the traffic source; null for direct visits. */
  source: string | null;
  /** The browser is automated, or the client is no browser. */
  isAutomated: boolean;
  /** The page reports Global Privacy Control; the request headers may report it too. */
  wantsPrivacy: boolean;
}

/** What recording events uses. */
export interface RecordServices {
  countVisitor: CountVisitor;
  /** Increments the count of excluded events for this reason. */
  exclude: (reason: ExclusionReason) => void;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** Hosts that are no referral sources: calendars, the checkout, the site itself. */
  ignoredReferrers: readonly string[];
}

/** With what `record` reads of a request. */
export interface RecordContext extends RecordServices {
  request: Visitor & { isPrefetch: boolean; wantsPrivacy: boolean };
  session: { isAdmin(): Promise<boolean> };
}

/**
 * Counts the activity once per visitor, UTC day and kind. Resolves when the event is on disk. On a storage
 * error it is counted as excluded, and the error is rethrown.
 */
export const record = (ctx: RecordContext, activity: ReportedActivity): Promise<void> =>
  excludeOnOutage(ctx, () => count(ctx, activity));

/** Runs the work that counts a visit. A storage error adds to the excluded counts and is rethrown. */
export async function excludeOnOutage<T>(
  { exclude }: Pick<RecordContext, 'exclude'>,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (storageErrorSentence(error) !== undefined) exclude('outage');
    throw error;
  }
}

async function count(ctx: RecordContext, reported: ReportedActivity): Promise<void> {
  const reason = await exclusionReason(ctx, reported);
  if (reason) return ctx.exclude(reason);
  const { activity, button, source } = reported;
  const event = { activity, button, source, at: ctx.now() };
  if (!(await ctx.countVisitor(event, ctx.request))) ctx.exclude('rate');
}

/** Why the activity is not counted; undefined when it counts. */
async function exclusionReason(
  ctx: RecordContext,
  reported: ReportedActivity,
): Promise<ExclusionReason | undefined> {
  const { userAgent, isPrefetch, wantsPrivacy } = ctx.request;
  if (isBot(userAgent)) return 'bot';
  if (reported.isAutomated) return 'automated';
  if (isPrefetch) return 'prefetch';
  if (wantsPrivacy || reported.wantsPrivacy) return 'privacy';
  return (await ctx.session.isAdmin()) ? 'owner' : undefined;
}

/** Hosts that are no traffic source: the request's own host and the ignored referrers. */
export const ownHosts = ({
  request,
  ignoredReferrers,
}: Pick<RecordContext, 'request' | 'ignoredReferrers'>) => [
  request.host.toLowerCase().replace(/^www\.|:\d+$/g, ''),
  ...ignoredReferrers,
];

/**
 * Whether a user agent is empty or a known bot. Memoized: the list of bots is one long pattern, and most
 * requests repeat a few user agents.
 */
const isBot = memoize(
  (userAgent: string) => userAgent === '' || isbot(userAgent),
  (userAgent) => userAgent,
);
