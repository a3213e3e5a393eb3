import { initTRPC, TRPCError } from '@trpc/server';
import { storageErrorSentence } from '../health/storage-errors.ts';
import type { Quota } from '../rate-limit/limiter.ts';
import type { Context, RequestInfo } from './context.ts';
import { errorResponseOf, sentences, TooManyRequests } from './errors.ts';

const t = initTRPC.context<Context>().create({
  errorFormatter({ shape, error }) {
    const { status, message, code: errorCode, issues, nearest } = errorResponseOf(error);
    const { code, path } = shape.data;
    return {
      ...shape,
      message,
      data: {
        code,
        errorCode,
        httpStatus: status,
        path,
        ...(issues && { issues }),
        ...(nearest && { nearest }),
      },
    };
  },
});

export const router = t.router;

/** A procedure without authentication. */
export const publicProcedure = t.procedure;

/**
 * A mutation without authentication. It rejects cross-site requests (CSRF) and, with `limit`, applies a rate
 * limit per address. `onReject` receives the reason; `outage` means that the shared counts are unavailable.
 */
export const publicMutation = (
  limit?: { name: string } & Quota,
  onReject?: (ctx: Context, reason: 'foreign' | 'rate' | 'outage') => void,
) =>
  publicProcedure.use(async ({ ctx, next }) => {
    if (ctx.request.isForeign) {
      onReject?.(ctx, 'foreign');
      throw new TRPCError({ code: 'FORBIDDEN', message: sentences.FOREIGN_ORIGIN });
    }
    let wait: number;
    try {
      wait = limit ? await ctx.limiter.consume(rateLimitKey(limit.name, ctx.request), limit) : 0;
    } catch (error) {
      if (storageErrorSentence(error) !== undefined) onReject?.(ctx, 'outage');
      throw error;
    }
    if (wait > 0) {
      onReject?.(ctx, 'rate');
      throw new TooManyRequests(wait);
    }
    return next();
  });

/** The rate limit key of an address for a call. */
export const rateLimitKey = (name: string, { addressBlock }: RequestInfo) =>
  `${name} ${addressBlock}`;

const requireAdmin = t.middleware(async ({ ctx, next }) => {
  if (!(await ctx.session.isAdmin())) {
    throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.UNAUTHORIZED });
  }
  return next();
});

/** A procedure that requires the signed-in admin. */
export const adminProcedure = publicProcedure.use(requireAdmin);

/** A mutation that requires the signed-in admin, with CSRF protection. */
export const adminMutation = publicMutation().use(requireAdmin);
