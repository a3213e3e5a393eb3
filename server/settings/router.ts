import { basename } from 'node:path';
import { z } from 'zod';
import type { Context } from '../app/context.ts';
import { type Check, findingKinds, inForm, topics } from '../launch-check/finding.ts';
import type { Quota } from '../rate-limit/limiter.ts';
import { count, done, isoTime, omittable } from '../text/outputs.ts';
import { minuteMs } from '../time/units.ts';
import { ApiError, refuse } from '../trpc/errors.ts';
import { adminMutation, adminProcedure, router } from '../trpc/trpc.ts';

/** Limits requests to other servers, of all the owner's browsers together. */
const networkQuota: Quota = { max: 10, windowMs: 10 * minuteMs };
const emailQuota: Quota = { max: 5, windowMs: 10 * minuteMs };

const checksOutput = z.object({
  checks: z.array(
    z
      .object({
        topic: z.string(),
        done: z.string().describe('What holds when there are no findings, as a sentence.'),
        findings: z.array(
          z.object({
            kind: z
              .enum(findingKinds)
              .describe('To do before going live, not checked from here, or for information.'),
            where: z
              .string()
              .optional()
              .describe('The variable, or the field of `site.config.ts`, as the owner writes it.'),
            text: z
              .string()
              .describe('The rest of a sentence that begins with `where`, or a whole one.'),
            path: z
              .string()
              .optional()
              .describe('The field of the site that can change it, such as `about.photo`.'),
            line: count
              .optional()
              .describe('The line of the field, with `SITE_CONTENT=file` only.'),
          }),
        ),
      })
      .meta({ id: 'Check' }),
  ),
});

/** The procedures `settings.*`: the launch check, the test of the mail server and the backups. */
export const settingsRouter = router({
  status: adminProcedure({ summary: 'Read what every screen of the owner shows' })
    .output(
      z.object({
        unread: count.describe('Unread messages in the inbox.'),
        alert: z.string().nullable().describe('Owner alerts as text.'),
        isDemo: z.boolean().describe('Whether the data are made up by the command `demo`.'),
      }),
    )
    .query(async ({ ctx }) => ({
      unread: await ctx.contact.unread(),
      alert: await ctx.ownerAlerts(),
      isDemo: await ctx.isDemo(),
    })),

  launchCheck: adminProcedure({ summary: 'Run the launch checks that need no network' })
    .output(checksOutput)
    .query(async ({ ctx }) => listed(ctx, await ctx.launchCheck.local())),

  /** The other checks. It sends requests to other servers, so other sites must not trigger it. */
  networkCheck: adminMutation({
    summary: 'Check links, calendars, the mail domain and the site’s own address',
    errors: ['FOREIGN_ORIGIN', 'RATE_LIMITED'],
  })
    .output(checksOutput)
    .query(async ({ ctx }) => {
      await consume(ctx, 'network-check', networkQuota);
      return listed(ctx, await ctx.launchCheck.network());
    }),

  /** It requests any public address, in the quota of the network check. */
  testAddress: adminMutation({
    summary: 'Test whether an address responds',
    description: 'Connects to public network addresses only.',
    errors: ['RATE_LIMITED'],
  })
    .input(
      z.object({
        address: z.url({
          protocol: /^https?$/,
          error: 'Please enter a web address such as https://….',
        }),
      }),
    )
    .output(
      z.object({
        problem: z
          .string()
          .nullable()
          .describe('What is wrong and what to do, as a sentence; null when it responds.'),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      await consume(ctx, 'network-check', networkQuota);
      return { problem: await ctx.launchCheck.address(input.address) };
    }),

  email: adminProcedure({ summary: 'Get the mail server' })
    .output(
      z.object({
        mailServer: z.object({ host: z.string(), recipients: z.array(z.string()) }).nullable(),
      }),
    )
    .query(({ ctx }) => ({
      mailServer: ctx.mailServer
        ? { host: ctx.mailServer.host, recipients: [...ctx.mailServer.recipients] }
        : null,
    })),

  sendTestEmail: adminMutation({
    summary: 'Send a test email to the owner',
    description: 'Responds once the mail server has taken it.',
    errors: ['NO_MAIL_SERVER', 'DEMO_DATA', 'TEST_EMAIL_FAILED', 'RATE_LIMITED'],
  })
    .output(done)
    .mutation(async ({ ctx }) => {
      if (await ctx.isDemo()) throw new ApiError('DEMO_DATA');
      if (!ctx.mailServer) throw new ApiError('NO_MAIL_SERVER');
      await consume(ctx, 'test-email', emailQuota);
      const result = await ctx.mailServer.sendTest();
      if (result.status !== 'sent') {
        const { error, advice } = result;
        // The mail server's answer is on the second line where there is advice.
        const reason = advice ? `${advice}\n${error}` : error;
        throw new ApiError('TEST_EMAIL_FAILED', { words: { reason } });
      }
      return { ok: true };
    }),

  /** The newest first, and whether the site makes one each night. */
  backups: adminProcedure({ summary: 'List the backups on the server' })
    .output(
      z.object({
        isNightly: z.boolean().describe('Whether the site makes one each night.'),
        backups: z.array(z.object({ name: z.string(), bytes: count, at: isoTime })),
        problem: omittable(z.string()).describe(
          'What keeps the site from making one for a download, and what to do.',
        ),
      }),
    )
    .query(({ ctx }) => {
      const { isNightly, files, problem } = ctx.backups();
      const backups = files.map(({ file, bytes, at }) => ({
        name: basename(file),
        bytes,
        at: new Date(at).toISOString(),
      }));
      return { isNightly, backups, problem };
    }),
});

async function consume({ limiter }: Context, name: string, quota: Quota) {
  refuse(await limiter.consume(name, quota));
}

/** The checks as the API returns them: what the browser can change in sentences of its form. */
const listed = ({ content: { isPinned } }: Context, checks: Check[]) => ({
  checks: checks.map(({ topic, done, findings }) => ({
    topic: topics[topic],
    done,
    findings: isPinned
      ? findings.map(({ kind, where, text, line }) => ({ kind, where, text, line }))
      : inForm(findings),
  })),
});
