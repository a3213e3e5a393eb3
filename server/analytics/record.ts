/** Records activity reported by a browser as an event, or as an excluded count. */

import type { Control } from '../contract/controls.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import type { Context } from '../trpc/context.ts';
import type { Activity, ExclusionReason } from './store.ts';
import { isBot, visitorKey } from './visitors.ts';

/** A visitor's activity as reported by the browser. */
export interface ReportedActivity {
  activity: Activity;
  control: Control | null;
  /** Name of the traffic source; null for direct visits. */
  source: string | null;
  /** The browser is automated, or the client is no browser. */
  isAutomated: boolean;
  /** The page reports Global Privacy Control; the request headers may report it too. */
  wantsPrivacy: boolean;
}

/**
 * Counts the activity once per visitor, UTC day and kind. Resolves when the event is on disk. On a storage
 * error it is counted as excluded, and the error is rethrown.
 */
export const record = (ctx: Context, activity: ReportedActivity): Promise<void> =>
  excludeOnOutage(ctx, () => count(ctx, activity));

/** Runs the work that counts a visit. A storage error adds to the excluded counts and is rethrown. */
export async function excludeOnOutage<T>(
  { exclude }: Pick<Context, 'exclude'>,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (storageErrorSentence(error) !== undefined) exclude('outage');
    throw error;
  }
}

async function count(ctx: Context, reported: ReportedActivity): Promise<void> {
  const reason = await exclusionReason(ctx, reported);
  if (reason) return ctx.exclude(reason);
  const { activity, control, source } = reported;
  const at = ctx.now();
  const visitor = await visitorKey(ctx.request, at, ctx.salts);
  const event = { activity, control, source, visitor, at };
  if (!(await ctx.countVisitor(event, ctx.request.addressBlock))) ctx.exclude('rate');
}

/** Why the activity is not counted; undefined when it counts. */
async function exclusionReason(
  ctx: Context,
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
export const ownHosts = ({ request, ignoredReferrers }: Context) => [
  request.host.toLowerCase().replace(/^www\.|:\d+$/g, ''),
  ...ignoredReferrers,
];
