import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { sentences } from '../errors.ts';
import { router, sameOrigin } from '../trpc.ts';

const credentials = z.object(
  { password: z.string('Please enter the password.').min(1, 'Please enter the password.') },
  'Please send an object with the password.',
);

const link = z.object(
  { token: z.string('Please send the link’s token.').min(1, 'Please send the link’s token.') },
  'Please send an object with the link’s token.',
);

/** Attempts with links. Apart from those with passwords, which others can use up. */
const linkLimit = { name: 'sign-in-link', max: 30, per: 10 * 60_000 };

export const authRouter = router({
  /** Signs the admin in. `guesses.ts` says how often it may be tried. */
  login: sameOrigin()
    .input(credentials)
    .mutation(async ({ ctx, input }) => {
      const { addressBlock } = ctx.request;
      const guess = await ctx.guesses.take({ addressBlock, device: await ctx.session.device() });
      const hash = await ctx.passwords
        .match(input.password, guess.lane)
        .catch(async (error: unknown) => {
          await guess.undo();
          throw error;
        });
      // Before the session is stored: a full disk must not turn a right password into a failed attempt.
      if (hash !== undefined) await guess.forgive();
      if (hash === undefined || !(await ctx.session.signIn({ passwordHash: hash }))) {
        throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.wrongPassword });
      }
      return { ok: true as const };
    }),

  /** Signs the admin in by a link of `npm run admin -- sign-in-link`. */
  signInWithLink: sameOrigin(linkLimit)
    .input(link)
    .mutation(async ({ ctx, input }) => {
      if (!(await ctx.session.signIn({ linkToken: input.token }))) {
        throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.wrongLink });
      }
      return { ok: true as const };
    }),

  /** Ends the session on the server too; answers the same to someone who had none. */
  logout: sameOrigin().mutation(async ({ ctx }) => {
    await ctx.session.signOut();
    return { ok: true as const };
  }),
});
