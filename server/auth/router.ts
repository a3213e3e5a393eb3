import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { Context } from '../trpc/context.ts';
import { sentences, TooManyRequests } from '../trpc/errors.ts';
import { publicMutation, router } from '../trpc/trpc.ts';
import { browserName } from './browser-name.ts';
import type { Applicant } from './sign-in-log.ts';
import type { SignInMethod } from './store.ts';

const credentials = z.object(
  { password: z.string('Please enter the password.').min(1, 'Please enter the password.') },
  'Please send an object with the password.',
);

const link = z.object(
  { token: z.string('Please send the link’s token.').min(1, 'Please send the link’s token.') },
  'Please send an object with the link’s token.',
);

/** Limits attempts with links. Strangers can use up the attempts with passwords, so these count apart. */
const linkLimit = { name: 'sign-in-link', max: 30, windowMs: 10 * 60_000 };

export const authRouter = router({
  /** Signs the admin in. `login-throttle.ts` says how often it may be tried. */
  login: publicMutation()
    .input(credentials)
    .mutation(async ({ ctx, input }) => {
      const device = await ctx.session.device();
      const applicant = applicantOf(ctx, device !== undefined);
      return logged(ctx, { applicant, method: 'password' }, async () => {
        const { addressBlock } = applicant;
        const guess = await ctx.loginThrottle.consume({ addressBlock, device });
        const hash = await ctx.passwords
          .match(input.password, guess.lane)
          .catch(async (error: unknown) => {
            await guess.undo();
            throw error;
          });
        // Runs before the session is stored, so a full disk does not count a right password as a failed attempt.
        if (hash !== undefined) await guess.forgive();
        if (hash === undefined || !(await ctx.session.signIn({ passwordHash: hash }, applicant))) {
          throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.wrongPassword });
        }
      });
    }),

  /** Signs the admin in by a link of `npm run admin -- sign-in-link`. */
  signInWithLink: publicMutation(linkLimit, (ctx, why) => {
    if (why === 'rate') ctx.signInLog.refused(applicantOf(ctx, false), 'link', 'throttled');
  })
    .input(link)
    .mutation(async ({ ctx, input }) => {
      const applicant = applicantOf(ctx, (await ctx.session.device()) !== undefined);
      return logged(ctx, { applicant, method: 'link' }, async () => {
        if (!(await ctx.session.signIn({ linkToken: input.token }, applicant))) {
          throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.wrongLink });
        }
      });
    }),

  /** Ends the session on the server too; answers the same to someone who had none. */
  logout: publicMutation().mutation(async ({ ctx }) => {
    await ctx.session.signOut();
    return { ok: true as const };
  }),
});

const applicantOf = ({ request }: Context, isKnown: boolean): Applicant => ({
  addressBlock: request.addressBlock,
  browser: browserName(request.userAgent),
  isKnown,
});

/** Signs in, and logs how that ended. */
async function logged(
  { signInLog }: Context,
  { applicant, method }: { applicant: Applicant; method: SignInMethod },
  signIn: () => Promise<void>,
) {
  try {
    await signIn();
  } catch (error) {
    if (error instanceof TooManyRequests) signInLog.refused(applicant, method, 'throttled');
    else if (error instanceof TRPCError) signInLog.refused(applicant, method, 'wrong');
    throw error;
  }
  signInLog.accepted(applicant, method);
  return { ok: true as const };
}
