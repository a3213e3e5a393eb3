import { initTRPC, TRPCError } from '@trpc/server';
import type { Context, RequestFacts } from './context.ts';
import { faultOf, sentences, TooManyRequests } from './errors.ts';
import type { Allowance } from './limits.ts';

const t = initTRPC.context<Context>().create({
  errorFormatter({ shape, error }) {
    const { status, message, issues } = faultOf(error);
    const { code, path } = shape.data;
    return {
      ...shape,
      message,
      data: { code, httpStatus: status, path, ...(issues && { issues }) },
    };
  },
});

export const router = t.router;

/** A call anyone may make. */
export const open = t.procedure;

/**
 * A call that changes something for a browser: refused when another site's page sent it. With an
 * allowance, each address may make it only so often, through whichever door. `refused` is told why a
 * call was. One step, since each step of a procedure costs as much as reading the input.
 */
export const sameOrigin = (
  limit?: { name: string } & Allowance,
  refused?: (ctx: Context, why: 'foreign' | 'rate') => void,
) =>
  t.procedure.use(({ ctx, next }) => {
    if (ctx.request.isForeign) {
      refused?.(ctx, 'foreign');
      throw new TRPCError({ code: 'FORBIDDEN', message: sentences.foreignOrigin });
    }
    const wait = limit ? ctx.limiter.take(limitKey(limit.name, ctx.request), limit) : 0;
    if (wait > 0) {
      refused?.(ctx, 'rate');
      throw new TooManyRequests(wait);
    }
    return next();
  });

/** Under which key an address's tries of a call are counted. */
export const limitKey = (name: string, { addressBlock }: RequestFacts) => `${name} ${addressBlock}`;

const signedIn = t.middleware(async ({ ctx, next }) => {
  if (!(await ctx.session.isAdmin())) {
    throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.unauthorized });
  }
  return next();
});

/** A call for the signed-in admin only. */
export const admin = t.procedure.use(signedIn);

/** One that changes something: refused, too, when another site's page sent it. */
export const adminChange = sameOrigin().use(signedIn);
