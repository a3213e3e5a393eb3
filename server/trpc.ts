import { initTRPC, TRPCError } from '@trpc/server';
import type { Context } from './context.ts';
import { faultOf, sentences, TooManyRequests } from './errors.ts';
import type { Allowance } from './limits.ts';

const t = initTRPC.context<Context>().create({
  errorFormatter({ shape, error }) {
    const { message, issues } = faultOf(error);
    const { code, httpStatus, path } = shape.data;
    return { ...shape, message, data: { code, httpStatus, path, ...(issues && { issues }) } };
  },
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** A call anyone may make. */
export const open = t.procedure;

/** A call that changes something for a browser: refused when another site's page sent it. */
export const sameOrigin = t.procedure.use(({ ctx, next }) => {
  if (ctx.request.isForeign) {
    throw new TRPCError({ code: 'FORBIDDEN', message: sentences.foreignOrigin });
  }
  return next();
});

/** A call for the signed-in admin only. */
export const admin = t.procedure.use(async ({ ctx, next }) => {
  if (!(await ctx.session.isAdmin())) {
    throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.unauthorized });
  }
  return next();
});

/** Lets each address make a call only so often, through whichever door. Counts before anything else. */
export const limited = (name: string, allowance: Allowance) =>
  t.middleware(({ ctx, next }) => {
    const wait = ctx.limiter.take(`${name} ${ctx.request.addressBlock}`, allowance);
    if (wait > 0) throw new TooManyRequests(wait);
    return next();
  });
