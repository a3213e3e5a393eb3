import type { AnyProcedure, AnyRouter } from '@trpc/server';
import type { AppRouter } from '../app/router.ts';

/** The procedures of a router by dotted path: `{ 'contact.submit': …, 'auth.login': … }`. */
type Procedures<Rec, Prefix extends string = ''> = UnionToIntersection<
  {
    [K in keyof Rec & string]: Rec[K] extends AnyProcedure
      ? { [P in `${Prefix}${K}`]: Rec[K] }
      : Procedures<Rec[K], `${Prefix}${K}.`>;
  }[keyof Rec & string]
>;

type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (
  i: infer I,
) => void
  ? I
  : never;

/** A GET request carries its input in the query string, so the input must be flat strings. */
type FlatInput = Record<string, string | undefined> | undefined;
// biome-ignore lint/suspicious/noConfusingVoidType: tRPC's own type for "no input" is void
type GetInput = FlatInput | void;

/** Of other mutations only the status matters, so the client does not read their responses. */
type HasResult<Output> = { ok: true } extends Output ? false : Output extends void ? false : true;

type RouteOf<Procedure> = Procedure extends {
  _def: { type: infer Type; $types: { input: infer Input; output: infer Output } };
}
  ? Type extends 'mutation'
    ? { method: 'POST'; path: `/api/${string}` } & (HasResult<Output> extends true
        ? { returns: true }
        : unknown)
    : Type extends 'query'
      ? Input extends GetInput
        ? { method: 'GET'; path: `/api/${string}` }
        : 'The input of a query must be flat strings, since its URL carries them'
      : never
  : never;

/** The type of a router's route table: exactly one row for each procedure. */
export type RouteTableOf<Router extends AnyRouter> = {
  [P in keyof Procedures<Router['_def']['record']>]: RouteOf<
    Procedures<Router['_def']['record']>[P]
  >;
};

export type RouteTable = RouteTableOf<AppRouter>;
