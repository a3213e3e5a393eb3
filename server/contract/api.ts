/** The API's types for the client. Type-only, so that no server code enters the browser bundle. */
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../app/router.ts';

export type { AppRouter };
export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

/** A call-to-action of the site, by the name that its clicks are counted under. */
export type ButtonName = NonNullable<Inputs['analytics']['record']['button']>;
