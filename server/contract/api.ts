/** The API's types for the client. Type-only, so that no server code enters the browser bundle. */
import type {
  inferRouterInputs,
  inferRouterOutputs,
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCRouterRecord,
} from '@trpc/server';
import type { AppRouter as ServerRouter } from '../trpc/router.ts';
import type { routes } from './routes.ts';

/**
 * The client's router: mutations have a result only where their route says so, because of others the client
 * reads only the status. `undefined` instead of void, which tRPC's output type turns into never.
 */
export type AppRouter = TRPCBuiltRouter<
  ServerRouter['_def']['_config']['$types'],
  WithoutResults<ServerRouter['_def']['record']>
>;

type WithoutResults<Rec, Prefix extends string = ''> = {
  [K in keyof Rec & string]: Rec[K] extends TRPCMutationProcedure<infer Def>
    ? Returns<`${Prefix}${K}`> extends true
      ? Rec[K]
      : TRPCMutationProcedure<Omit<Def, 'output'> & { output: undefined }>
    : Rec[K] extends TRPCRouterRecord
      ? WithoutResults<Rec[K], `${Prefix}${K}.`>
      : Rec[K];
};

type Returns<Path extends string> = Path extends keyof typeof routes
  ? (typeof routes)[Path] extends { returns: true }
    ? true
    : false
  : false;

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

/** A call-to-action of the site, by the name that its clicks are counted under. */
export type ButtonName = NonNullable<Inputs['analytics']['record']['button']>;
