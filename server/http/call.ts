import { callTRPCProcedure } from '@trpc/server';
import type { Context } from '../context.ts';
import { type ProcedurePath, routes } from '../contract/routes.ts';
import { appRouter } from '../router.ts';

/** Calls a procedure with whatever the request carried; its own input check decides. */
export function call(procedure: ProcedurePath, input: unknown, ctx: Context): Promise<unknown> {
  return callTRPCProcedure({
    router: appRouter,
    path: procedure,
    type: routes[procedure].method === 'GET' ? 'query' : 'mutation',
    getRawInput: async () => input,
    ctx,
    signal: undefined,
    batchIndex: 0,
  });
}
