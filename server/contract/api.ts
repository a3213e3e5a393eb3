/** The API's types for the client. Type-only, so that no server code enters the browser bundle. */
import type {
  inferRouterInputs,
  inferRouterOutputs,
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCRouterRecord,
} from '@trpc/server';
import type { AppRouter as ServerRouter } from '../trpc/router.ts';

/**
 * The client's router: its mutations have no result, because the client reads only their status.
 * `undefined` instead of void, which tRPC's output type turns into never.
 */
export type AppRouter = TRPCBuiltRouter<
  ServerRouter['_def']['_config']['$types'],
  WithoutResults<ServerRouter['_def']['record']>
>;

type WithoutResults<Rec> = {
  [K in keyof Rec]: Rec[K] extends TRPCMutationProcedure<infer Def>
    ? TRPCMutationProcedure<Omit<Def, 'output'> & { output: undefined }>
    : Rec[K] extends TRPCRouterRecord
      ? WithoutResults<Rec[K]>
      : Rec[K];
};

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

/** A call-to-action of the site, by the name that its clicks are counted under. */
export type Control = NonNullable<Inputs['analytics']['record']['control']>;
