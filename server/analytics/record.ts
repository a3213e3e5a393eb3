/** From something a browser did to a mark, or to a bare number of those that are not counted. */

import type { Control } from '../contract/controls.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import type { Context } from '../trpc/context.ts';
import type { Activity, ExclusionReason } from './store.ts';
import { isBot, visitorKey } from './visitors.ts';

/** What a visitor did, as their browser tells it. */
export interface Sighting {
  activity: Activity;
  control: Control | null;
  /** Who sent the visitor, by its name; null: nobody. */
  source: string | null;
  /** A program drives the browser, or there is none. */
  isAutomated: boolean;
  /** The page says that the visitor asked not to be counted; the request may say so, too. */
  wantsPrivacy: boolean;
}

/**
 * Counts it, once for each visitor, UTC day and kind. Resolves when it is on disk. What cannot be kept is
 * counted as left out; whoever asked is told that it failed.
 */
export const record = (ctx: Context, sighting: Sighting): Promise<void> =>
  orExclude(ctx, () => count(ctx, sighting));

/** Does what a visit is counted by. When it fails since nothing can be kept now, a visit is left out. */
export async function orExclude<T>(
  { exclude: leaveOut }: Pick<Context, 'exclude'>,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (storageErrorSentence(error) !== undefined) leaveOut('outage');
    throw error;
  }
}

async function count(ctx: Context, sighting: Sighting): Promise<void> {
  const reason = await reasonAgainst(ctx, sighting);
  if (reason) return ctx.exclude(reason);
  const { activity, control, source } = sighting;
  const at = ctx.now();
  const visitor = await visitorKey(ctx.request, at, ctx.salts);
  const mark = { activity, control, source, visitor, at };
  if (!(await ctx.countVisitor(mark, ctx.request.addressBlock))) ctx.exclude('rate');
}

/** Why it is not counted; undefined when it is. */
async function reasonAgainst(
  ctx: Context,
  sighting: Sighting,
): Promise<ExclusionReason | undefined> {
  const { userAgent, isPrefetch, wantsPrivacy } = ctx.request;
  if (isBot(userAgent)) return 'bot';
  if (sighting.isAutomated) return 'automated';
  if (isPrefetch) return 'prefetch';
  if (wantsPrivacy || sighting.wantsPrivacy) return 'privacy';
  return (await ctx.session.isAdmin()) ? 'owner' : undefined;
}

/** Hosts that send nobody: the site's own, as it was asked for, and those it leads to and back. */
export const ownHosts = ({ request, ignoredReferrers: passages }: Context) => [
  request.host.toLowerCase().replace(/^www\.|:\d+$/g, ''),
  ...passages,
];
