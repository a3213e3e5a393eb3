import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { Context } from '../trpc/context.ts';
import { sentences, TooManyRequests } from '../trpc/errors.ts';
import { publicMutation, router } from '../trpc/trpc.ts';
import { browserName } from './browser-name.ts';
import type { SignInClient } from './sign-in-log.ts';
import type { SignInMethod } from './store.ts';

const credentials = z.object(
  { password: z.string('Please enter the password.').min(1, 'Please enter the password.') },
  'Please send an object with the password.',
);

const link = z.object(
  { token: z.string('Please send the link’s token.').min(1, 'Please send the link’s token.') },
  'Please send an object with the link’s token.',
);

/** Limits attempts with links, apart from passwords, whose quota strangers can use up. */
const linkQuota = { name: 'sign-in-link', max: 30, windowMs: 10 * 60_000 };

/** The procedures `auth.*`: sign-in by password or link, and logout. */
export const authRouter = router({
  /** Signs the admin in by password, limited by `login-throttle.ts`. */
  login: publicMutation()
    .input(credentials)
    .mutation(async ({ ctx, input }) => {
      const device = await ctx.session.device();
      const client = clientOf(ctx, device !== undefined);
      return logged(ctx, { client, method: 'password' }, async () => {
        const { addressBlock } = client;
        const attempt = await ctx.loginThrottle.consume({ addressBlock, device });
        const hash = await ctx.passwords
          .match(input.password, attempt.bucket)
          .catch(async (error: unknown) => {
            await attempt.refund();
            throw error;
          });
        // Runs before the session is stored, so a full disk does not count a right password as a failed attempt.
        if (hash !== undefined) await attempt.reset();
        if (hash === undefined || !(await ctx.session.signIn({ passwordHash: hash }, client))) {
          throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.INVALID_PASSWORD });
        }
      });
    }),

  /** Signs the admin in by a one-time link of `npm run admin -- sign-in-link`. */
  signInWithLink: publicMutation(linkQuota, (ctx, why) => {
    if (why === 'rate') ctx.signInLog.refused(clientOf(ctx, false), 'link', 'throttled');
  })
    .input(link)
    .mutation(async ({ ctx, input }) => {
      const client = clientOf(ctx, (await ctx.session.device()) !== undefined);
      return logged(ctx, { client, method: 'link' }, async () => {
        if (!(await ctx.session.signIn({ linkToken: input.token }, client))) {
          throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.INVALID_SIGN_IN_LINK });
        }
      });
    }),

  /** Ends the session, on the server and in the browser. Succeeds without a session too. */
  logout: publicMutation().mutation(async ({ ctx }) => {
    await ctx.session.signOut();
    return { ok: true as const };
  }),
});

const clientOf = ({ request }: Context, isKnown: boolean): SignInClient => ({
  addressBlock: request.addressBlock,
  browser: browserName(request.userAgent),
  isKnown,
});

/** Runs `signIn` and logs its result. */
async function logged(
  { signInLog }: Context,
  { client, method }: { client: SignInClient; method: SignInMethod },
  signIn: () => Promise<void>,
) {
  try {
    await signIn();
  } catch (error) {
    if (error instanceof TooManyRequests) signInLog.refused(client, method, 'throttled');
    else if (error instanceof TRPCError) signInLog.refused(client, method, 'wrong');
    throw error;
  }
  signInLog.accepted(client, method);
  return { ok: true as const };
}
