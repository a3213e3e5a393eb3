/** Sets a fresh site up: joins the password of `auth` and the texts of `content`. */
import { z } from 'zod';
import type { Context } from '../app/context.ts';
import { weaknessOf, wordsOf } from '../contract/password-strength.ts';
import { done } from '../text/outputs.ts';
import { storableText } from '../text/storable.ts';
import { ApiError } from '../trpc/errors.ts';
import { publicMutation, router } from '../trpc/trpc.ts';

/** The fields of the document that the set-up may make live, by their names in the call. */
const paths = { name: 'brand.name', email: 'brand.email', timeZone: 'calls.timeZone' };

const input = z.object(
  {
    code: z.string('Please send the set-up code.').min(1, 'Please enter the set-up code.'),
    password: z.string('Please choose a password.'),
    name: storableText.trim().optional().describe('That of the brand.'),
    email: storableText.trim().optional().describe('Where messages and bookings are sent.'),
    timeZone: storableText.optional().describe('Such as `Europe/London`.'),
  },
  'Please send an object with code and password.',
);

type Input = z.output<typeof input>;

export const setupRouter = router({
  finish: publicMutation({
    summary: 'Set up a fresh site',
    description:
      'Replaces the generated password, ends all sessions and sets the session’s cookie. There is no such call once it has succeeded, or the password was set in another way.',
    errors: [
      ...(['NOT_FOUND', 'INVALID_CODE', 'LOGIN_RATE_LIMITED', 'LOGIN_BUSY'] as const),
      ...(['CONTENT_IN_FILE', 'CONTENT_UNREADABLE'] as const),
    ],
  })
    .use(async ({ ctx, next }) => {
      await ctx.setup.requireOpen();
      return next();
    })
    .input(input)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      const { addressBlock } = ctx.request;
      const act = ctx.act('set_up');
      const client = { addressBlock, browser: act.browser ?? '', isKnown: false };
      const codeHash = await ctx.setup.matchedHash(input.code, addressBlock).catch((error) => {
        const { status } = error instanceof ApiError ? error.response : { status: 0 };
        if (status === 401) ctx.signInLog.refused(client, 'code', 'wrong');
        if (status === 429) ctx.signInLog.refused(client, 'code', 'throttled');
        throw error;
      });
      const weakness = weaknessOf(input.password, wordsOf(input.name ?? ctx.brandName));
      if (weakness) {
        const issues = [{ path: 'password', message: `This password ${weakness}.` }];
        throw new ApiError('VALIDATION', { issues });
      }
      const passwordHash = await ctx.passwords.hash(input.password);
      await finish(ctx, input, { codeHash, passwordHash, act });
      if (!(await ctx.session.signIn({ passwordHash, method: 'code' }, client)))
        throw new ApiError('NOT_FOUND');
      ctx.signInLog.accepted(client, 'code');
      await ctx.content.showLive();
      return { ok: true };
    }),
});

/** Sets the password and publishes what was sent beside it, or does neither. */
async function finish(
  ctx: Context,
  input: Input,
  claim: Parameters<Context['setup']['finish']>[0],
) {
  const values = Object.entries(paths).flatMap(([name, path]) => {
    const to = input[name as keyof typeof paths];
    return to === undefined ? [] : [{ name, path, to }];
  });
  if (values.length === 0) return ctx.setup.finish(claim);
  const { content, now } = ctx;
  if (content.isPinned) throw new ApiError('CONTENT_IN_FILE');
  const result = await content.store.publishValues({
    ...{ values, file: content.file, now: now(), isConfirmed: true },
    ...{ mistakesIn: content.mistakesIn, prepare: content.prepare },
    actOn: (detail) => ctx.act('site_published', detail),
    first: ctx.setup.finishBy(claim),
  });
  if (typeof result === 'object' && 'mistakes' in result) {
    const nameOf = new Map(values.map(({ name, path }) => [path, name]));
    const issues = result.mistakes.map(({ path, message }) => ({
      ...{ path: nameOf.get(path) ?? path, message },
    }));
    throw new ApiError('VALIDATION', { issues });
  }
}
