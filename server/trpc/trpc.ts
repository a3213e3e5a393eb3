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

/** A call anyone may make. */
export const publicProcedure = t.procedure;

type Gate = (ctx: Context) => Promise<void>;

/**
 * Refuses what another site's page sent and, with an allowance, what an address calls too often,
 * through whichever door. `refused` is told why a call was; instances that cannot count together since
 * the database is away refuse it, too.
 */
const gateOf =
  (
    limit?: { name: string } & Quota,
    refused?: (ctx: Context, why: 'foreign' | 'rate' | 'outage') => void,
  ): Gate =>
  async (ctx) => {
    if (ctx.request.isForeign) {
      refused?.(ctx, 'foreign');
      throw new TRPCError({ code: 'FORBIDDEN', message: sentences.foreignOrigin });
    }
    let wait: number;
    try {
      wait = limit ? await ctx.limiter.consume(rateLimitKey(limit.name, ctx.request), limit) : 0;
    } catch (error) {
      if (storageErrorSentence(error) !== undefined) refused?.(ctx, 'outage');
      throw error;
    }
    if (wait > 0) {
      refused?.(ctx, 'rate');
      throw new TooManyRequests(wait);
    }
  };

const behind = (gate: Gate) =>
  t.procedure.use(async ({ ctx, next }) => {
    await gate(ctx);
    return next();
  });

/** A call that changes something for a browser (see `gateOf`). */
export const publicMutation = (...refusing: Parameters<typeof gateOf>) =>
  behind(gateOf(...refusing));

/**
 * One that comes so often that tRPC's steps would cost more than all it does: the procedure, and the
 * same beside it in plain steps, for the door that has found out already which one is called.
 */
export function hotChange<Input extends ZodType, Output>({
  gate: refusing,
  input: schema,
  run,
}: {
  gate: Parameters<typeof gateOf>;
  input: Input;
  run: (options: { ctx: Context; input: output<Input> }) => Promise<Output>;
}) {
  const gate = gateOf(...refusing);
  return {
    procedure: behind(gate)
      .input(schema)
      .mutation(({ ctx, input }) => run({ ctx, input: input as output<Input> })),
    /** Throws what the procedure does. */
    async direct(raw: unknown, ctx: Context): Promise<Output> {
      await gate(ctx);
      const { data, error } = schema.safeParse(raw);
      if (error) throw new TRPCError({ code: 'BAD_REQUEST', cause: error });
      return run({ ctx, input: data as output<Input> });
    },
  };
}

/** Under which key an address's tries of a call are counted. */
export const rateLimitKey = (name: string, { addressBlock }: RequestInfo) =>
  `${name} ${addressBlock}`;

const signedIn = t.middleware(async ({ ctx, next }) => {
  if (!(await ctx.session.isAdmin())) {
    throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.unauthorized });
  }
  return next();
});

/** A call for the signed-in admin only. */
export const adminProcedure = t.procedure.use(signedIn);

/** One that changes something: refused, too, when another site's page sent it. */
export const adminMutation = publicMutation().use(signedIn);
