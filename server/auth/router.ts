import { z } from 'zod';
import type { Context } from '../app/context.ts';
import { weaknessOf, wordsOf } from '../contract/password-strength.ts';
import { done, isoTime, omittable } from '../text/outputs.ts';
import { storableText } from '../text/storable.ts';
import { isoOf } from '../time/iso.ts';
import { minuteMs } from '../time/units.ts';
import { ApiError, type ErrorCode, sentenceOf } from '../trpc/errors.ts';
import { adminMutation, adminProcedure, publicMutation, router } from '../trpc/trpc.ts';
import { browserName } from './browser-name.ts';
import { attemptsInWords, type SignInClient } from './sign-in-log.ts';
import type { EntryKey, LogEntry, SignInMethod } from './store.ts';

const credentials = z.object(
  { password: z.string('Please enter the password.').min(1, 'Please enter the password.') },
  'Please send an object with the password.',
);

const link = z.object(
  { token: z.string('Please send the link’s token.').min(1, 'Please send the link’s token.') },
  'Please send an object with the link’s token.',
);

const newPassword = z.object(
  {
    currentPassword: z.string('Please enter your password.').min(1, 'Please enter your password.'),
    newPassword: z.string('Please enter a new password.'),
  },
  'Please send an object with currentPassword and newPassword.',
);

const sessionsOutput = z.object({
  sessions: z.array(
    z
      .object({
        id: z.string(),
        browser: z.string(),
        createdAt: isoTime,
        seenAt: isoTime.describe('Stored once an hour.'),
        isThis: z.boolean(),
      })
      .meta({ id: 'Session' }),
  ),
  fixedPassword: z
    .string()
    .nullable()
    .describe('Why the password cannot be changed here; null when it can.'),
});

/** Entries in one page of the log. */
const pageSize = 50;

/** The time of an entry and its key. */
const cursor = storableText
  .regex(/^\d{1,15} ./, 'before must be the value of next on the page before.')
  .transform((text): EntryKey => {
    const space = text.indexOf(' ');
    return { at: Number(text.slice(0, space)), key: text.slice(space + 1) };
  });

const logOutput = z.object({
  entries: z.array(
    z
      .object({
        at: isoTime,
        act: z.string().describe('Such as `signed_in` or `key_created`; later versions add some.'),
        browser: omittable(z.string()).describe('Missing where a command did it.'),
        detail: omittable(z.string()).describe('A few words, never a secret.'),
      })
      .meta({ id: 'LogEntry' }),
  ),
  next: omittable(z.string()).describe('`before` of the next page.'),
});

/** Limits attempts with links, apart from passwords, whose quota strangers can use up. */
const linkQuota = { name: 'sign-in-link', max: 30, windowMs: 10 * minuteMs };

const loginErrors = [
  'LOGIN_RATE_LIMITED',
  'LOGIN_RATE_LIMITED_FOR_ALL',
  'LOGIN_BUSY',
] as const satisfies ErrorCode[];

/** The procedures `auth.*`: sign-in by password or link, logout, the password and the sessions. */
export const authRouter = router({
  /** Limited by `login-throttle.ts`. */
  login: publicMutation({
    summary: 'Sign in by password',
    description: 'Sets the session’s cookie.',
    errors: ['INVALID_PASSWORD', ...loginErrors],
  })
    .input(credentials)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      const client = clientOf(ctx, (await ctx.session.device()) !== undefined);
      return logged(ctx, { client, method: 'password' }, async () => {
        const hash = await matchedHash(ctx, input.password);
        if (hash === undefined || !(await ctx.session.signIn({ passwordHash: hash }, client))) {
          throw new ApiError('INVALID_PASSWORD');
        }
      });
    }),

  /** A link of `npm run admin -- sign-in-link`. */
  signInWithLink: publicMutation({
    summary: 'Sign in by a one-time link',
    description: 'Sets the session’s cookie.',
    errors: ['INVALID_SIGN_IN_LINK'],
    limit: linkQuota,
    onReject(ctx, why) {
      if (why === 'rate') ctx.signInLog.refused(clientOf(ctx, false), 'link', 'throttled');
    },
  })
    .input(link)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      const client = clientOf(ctx, (await ctx.session.device()) !== undefined);
      return logged(ctx, { client, method: 'link' }, async () => {
        if (!(await ctx.session.signIn({ linkToken: input.token }, client))) {
          throw new ApiError('INVALID_SIGN_IN_LINK');
        }
      });
    }),

  /** Ends the session, on the server and in the browser. */
  logout: publicMutation({ summary: 'Sign out', description: 'Succeeds without a session too.' })
    .output(done)
    .mutation(async ({ ctx }) => {
      await ctx.session.signOut();
      return { ok: true };
    }),

  /** Limited like a login. */
  confirm: adminMutation({
    summary: 'Type the password again',
    description: 'For ten minutes this session may make the calls that return `CONFIRM_PASSWORD`.',
    errors: ['INVALID_PASSWORD', ...loginErrors],
  })
    .input(credentials)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      const client = clientOf(ctx, true);
      await loggingRefusal(ctx, { client, method: 'password' }, async () => {
        const hash = await matchedHash(ctx, input.password);
        if (hash === undefined || !(await ctx.session.confirm(ctx.act('password_confirmed')))) {
          throw new ApiError('INVALID_PASSWORD');
        }
      });
      ctx.signInLog.confirmed(client);
      return { ok: true };
    }),

  /** The current password is checked and limited like one of a login. */
  changePassword: adminMutation({
    summary: 'Change the password',
    description: 'Ends all other sessions and sets a new cookie.',
    errors: ['WRONG_CURRENT_PASSWORD', 'PASSWORD_IN_ENVIRONMENT', ...loginErrors],
  })
    .input(newPassword)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      const weakness = weaknessOf(input.newPassword, wordsOf(ctx.brandName));
      if (weakness) {
        const issues = [{ path: 'newPassword', message: `This password ${weakness}.` }];
        throw new ApiError('VALIDATION', { issues });
      }
      if (ctx.isPasswordFixed) {
        throw new ApiError('PASSWORD_IN_ENVIRONMENT');
      }
      const client = clientOf(ctx, true);
      return logged(ctx, { client, method: 'password' }, async () => {
        const current = await matchedHash(ctx, input.currentPassword);
        const hash =
          current &&
          (await ctx.passwords.replace(current, input.newPassword, ctx.act('password_changed')));
        if (!hash || !(await ctx.session.signIn({ passwordHash: hash }, client))) {
          throw new ApiError('WRONG_CURRENT_PASSWORD');
        }
        ctx.outboxWorker?.wake();
      });
    }),

  /** The most recently seen first. */
  sessions: adminProcedure({ summary: 'List the browsers that are signed in' })
    .output(sessionsOutput)
    .query(async ({ ctx }) => ({
      sessions: (await ctx.session.all()).map(({ idHash, browser, createdAt, seenAt, isThis }) => ({
        id: idHash,
        browser,
        createdAt: new Date(createdAt).toISOString(),
        seenAt: new Date(seenAt).toISOString(),
        isThis,
      })),
      fixedPassword: ctx.isPasswordFixed ? sentenceOf('PASSWORD_IN_ENVIRONMENT') : null,
    })),

  /** Acts for a year, sign-ins and refused ones for 90 days. */
  log: adminProcedure({
    summary: 'List what was done with the owner’s rights',
    description: `The newest first, ${pageSize} a page. Attempts of one kind in one hour are one entry.`,
  })
    .input(z.object({ before: cursor.optional() }).optional())
    .output(logOutput)
    .query(async ({ ctx, input }) => {
      const found = await ctx.ownerLog(pageSize + 1, input?.before);
      const last = found.length > pageSize ? found[pageSize - 1] : undefined;
      return {
        entries: found.slice(0, pageSize).map(entryOf),
        next: last && `${last.at} ${last.key}`,
      };
    }),

  /** Succeeds when it has ended already. */
  endSession: adminMutation({ summary: 'End a session' })
    .input(z.object({ id: storableText }))
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await ctx.session.end(input.id);
      return { ok: true };
    }),

  /** The other browsers are no longer known devices. */
  endOtherSessions: adminMutation({ summary: 'End every session but this one' })
    .output(done)
    .mutation(async ({ ctx }) => {
      await ctx.session.endOthers();
      return { ok: true };
    }),
});

/**
 * The stored hash if this is the password, else undefined. Throws `LOGIN_RATE_LIMITED` when the throttle
 * rejects the attempt.
 */
async function matchedHash(ctx: Context, password: string): Promise<string | undefined> {
  const { addressBlock } = ctx.request;
  const device = await ctx.session.device();
  const attempt = await ctx.loginThrottle.consume({ addressBlock, device });
  const hash = await ctx.passwords.match(password, attempt.bucket).catch(async (error: unknown) => {
    await attempt.release();
    throw error;
  });
  // Runs before the session is stored, so a full disk does not count a right password as a failed attempt.
  if (hash !== undefined) await attempt.reset();
  return hash;
}

const clientOf = ({ request }: Context, isKnown: boolean): SignInClient => ({
  addressBlock: request.addressBlock,
  browser: browserName(request.userAgent),
  isKnown,
});

function entryOf({ at, act, browser, detail, method, result, address, n }: LogEntry) {
  const entry = { at: isoOf(at), browser: browser || undefined };
  if (act !== null) return { ...entry, act, detail: detail ?? undefined };
  if (method === null || result === null) throw new TypeError('An entry of the log has no act.');
  return {
    ...entry,
    act: result === 'accepted' ? 'signed_in' : 'sign_in_refused',
    detail: `${attemptsInWords({ method, result, n: n ?? 1 })}, from ${address}`,
  };
}

interface Attempt {
  client: SignInClient;
  method: SignInMethod;
}

/** Runs `signIn` and logs its result. */
async function logged(
  ctx: Context,
  attempt: Attempt,
  signIn: () => Promise<void>,
): Promise<z.output<typeof done>> {
  await loggingRefusal(ctx, attempt, signIn);
  ctx.signInLog.accepted(attempt.client, attempt.method);
  return { ok: true };
}

/** Runs `prove` and logs when it refuses what the client sent. */
async function loggingRefusal(
  { signInLog }: Context,
  { client, method }: Attempt,
  prove: () => Promise<void>,
): Promise<void> {
  try {
    await prove();
  } catch (error) {
    if (error instanceof ApiError) {
      signInLog.refused(client, method, error.response.status === 429 ? 'throttled' : 'wrong');
    }
    throw error;
  }
}
