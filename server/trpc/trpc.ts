import { initTRPC, TRPCError } from '@trpc/server';
import type { output, ZodType } from 'zod';
import { storageErrorSentence } from '../health/storage-errors.ts';
import type { Quota } from '../rate-limit/limiter.ts';
import type { Context, RequestInfo } from './context.ts';
import { errorResponseOf, sentences, TooManyRequests } from './errors.ts';

const t = initTRPC.context<Context>().create({
  errorFormatter({ shape, error }) {
    const { status, message, code: errorCode, issues } = errorResponseOf(error);
    const { code, path } = shape.data;
    return {
      ...shape,
      message,
      data: { code, errorCode, httpStatus: status, path, ...(issues && { issues }) },
    };
  },
});

export const router = t.router;

/** A procedure without authentication. */
export const publicProcedure = t.procedure;

type Gate = (ctx: Context) => Promise<void>;

/**
 * Creates the check of a mutation: it rejects cross-site requests (CSRF) and, with `limit`, applies a rate limit
 * per address. `onReject` receives the reason; `outage` means that the shared counts are unavailable.
 */
const gateOf =
  (
    limit?: { name: string } & Quota,
    onReject?: (ctx: Context, why: 'foreign' | 'rate' | 'outage') => void,
  ): Gate =>
  async (ctx) => {
    if (ctx.request.isForeign) {
      onReject?.(ctx, 'foreign');
      throw new TRPCError({ code: 'FORBIDDEN', message: sentences.foreignOrigin });
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
  };

const withGate = (gate: Gate) =>
  t.procedure.use(async ({ ctx, next }) => {
    await gate(ctx);
    return next();
  });

/** A mutation without authentication, with CSRF protection and an optional rate limit (see `gateOf`). */
export const publicMutation = (...options: Parameters<typeof gateOf>) =>
  withGate(gateOf(...options));

/**
 * A mutation that is called so often that tRPC's middleware would cost more than its work. Returns the
 * procedure and `direct`, an equivalent plain function for the REST adapter.
 */
export function hotChange<Input extends ZodType, Output>({
  gate: gateOptions,
  input: schema,
  run,
}: {
  gate: Parameters<typeof gateOf>;
  input: Input;
  run: (options: { ctx: Context; input: output<Input> }) => Promise<Output>;
}) {
  const gate = gateOf(...gateOptions);
  return {
    procedure: withGate(gate)
      .input(schema)
      .mutation(({ ctx, input }) => run({ ctx, input: input as output<Input> })),
    /** Validates and runs like the procedure, and throws the same errors. */
    async direct(raw: unknown, ctx: Context): Promise<Output> {
      await gate(ctx);
      const { data, error } = schema.safeParse(raw);
      if (error) throw new TRPCError({ code: 'BAD_REQUEST', cause: error });
      return run({ ctx, input: data as output<Input> });
    },
  };
}

/** The rate limit key of an address for a call. */
export const rateLimitKey = (name: string, { addressBlock }: RequestInfo) =>
  `${name} ${addressBlock}`;

const requireAdmin = t.middleware(async ({ ctx, next }) => {
  if (!(await ctx.session.isAdmin())) {
    throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.unauthorized });
  }
  return next();
});

/** A procedure that requires the signed-in admin. */
export const adminProcedure = t.procedure.use(requireAdmin);

/** A mutation that requires the signed-in admin, with CSRF protection. */
export const adminMutation = publicMutation().use(requireAdmin);
