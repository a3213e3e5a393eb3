import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { sentences } from '../errors.ts';
import { limitKey, router, sameOrigin } from '../trpc.ts';

const credentials = z.object(
  { password: z.string('Please enter the password.').min(1, 'Please enter the password.') },
  'Please send an object with the password.',
);

const guesses = { name: 'login', max: 10, per: 15 * 60_000 };

export const authRouter = router({
  /** Signs the admin in. Each address has ten guesses in a quarter of an hour. */
  login: sameOrigin(guesses)
    .input(credentials)
    .mutation(async ({ ctx, input }) => {
      const hash = await ctx.passwords.match(input.password);
      if (hash === undefined || !(await ctx.session.signIn(hash))) {
        throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.wrongPassword });
      }
      ctx.limiter.clear(limitKey(guesses.name, ctx.request));
      return { ok: true as const };
    }),

  /** Ends the session on the server too; answers the same to someone who had none. */
  logout: sameOrigin().mutation(async ({ ctx }) => {
    await ctx.session.signOut();
    return { ok: true as const };
  }),
});
