import { callTRPCProcedure } from '@trpc/server';
import { hotRecord } from '../analytics/router.ts';
import { hotSubmit } from '../contact/router.ts';
import { type ProcedurePath, routes } from '../contract/routes.ts';
import type { Context } from './context.ts';
import { appRouter } from './router.ts';

/** The most frequent procedures, which bypass tRPC's middleware (see `hotChange`). */
const direct: { [Path in ProcedurePath]?: (raw: unknown, ctx: Context) => Promise<unknown> } = {
  'analytics.record': hotRecord.direct,
  'contact.submit': hotSubmit.direct,
};

/** Calls a procedure with unvalidated input; the procedure validates it. */
export function call(procedure: ProcedurePath, input: unknown, ctx: Context): Promise<unknown> {
  return (
    direct[procedure]?.(input, ctx) ??
    callTRPCProcedure({
      router: appRouter,
      path: procedure,
      type: routes[procedure].method === 'GET' ? 'query' : 'mutation',
      getRawInput: async () => input,
      ctx,
      signal: undefined,
      batchIndex: 0,
    })
  );
}
