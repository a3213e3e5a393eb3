import { basename } from 'node:path';
import { TRPCError } from '@trpc/server';
import { type Check, topics } from '../launch-check/finding.ts';
import type { Quota } from '../rate-limit/limiter.ts';
import type { Context } from '../trpc/context.ts';
import { sentences, TestEmailFailed, TooManyRequests } from '../trpc/errors.ts';
import { adminMutation, adminProcedure, router } from '../trpc/trpc.ts';

/** Limits requests to other servers, of all the owner's browsers together. */
const networkQuota: Quota = { max: 10, windowMs: 10 * 60_000 };
const emailQuota: Quota = { max: 5, windowMs: 10 * 60_000 };

/** The procedures `settings.*`: the launch check, the test of the mail server and the backups. */
export const settingsRouter = router({
  /** The checks of the launch check that need no network. */
  launchCheck: adminProcedure.query(async ({ ctx }) => listed(await ctx.launchCheck.local())),

  /** The other checks. It sends requests to other servers, so other sites must not trigger it. */
  networkCheck: adminMutation.query(async ({ ctx }) => {
    await consume(ctx, 'network-check', networkQuota);
    return listed(await ctx.launchCheck.network());
  }),

  /** Where emails go; null without a mail server. */
  email: adminProcedure.query(({ ctx }) => ({
    mailServer: ctx.mailServer
      ? { host: ctx.mailServer.host, recipients: ctx.mailServer.recipients }
      : null,
  })),

  /** Sends a test email to the owner. Responds once the mail server has taken it. */
  sendTestEmail: adminMutation.mutation(async ({ ctx }) => {
    if (!ctx.mailServer) {
      throw new TRPCError({ code: 'CONFLICT', message: sentences.NO_MAIL_SERVER });
    }
    await consume(ctx, 'test-email', emailQuota);
    const result = await ctx.mailServer.sendTest();
    if (result.status !== 'sent') throw new TestEmailFailed(result.error);
    return { ok: true as const };
  }),

  /** The backups on the server, newest first, and whether the site makes one each night. */
  backups: adminProcedure.query(({ ctx }) => {
    const { isNightly, files } = ctx.backups();
    const backups = files.map(({ file, bytes, at }) => ({
      name: basename(file),
      bytes,
      at: new Date(at).toISOString(),
    }));
    return { isNightly, backups };
  }),
});

async function consume({ limiter }: Context, name: string, quota: Quota) {
  const wait = await limiter.consume(name, quota);
  if (wait > 0) throw new TooManyRequests(wait);
}

/** The checks as the API returns them, with the heading of their topic. */
const listed = (checks: Check[]) => ({
  checks: checks.map(({ topic, done, findings }) => ({ topic: topics[topic], done, findings })),
});
