/** Type tests: `@ts-expect-error` fails the type check if the line below compiles. */
import { expect, expectTypeOf, it } from 'vitest';
import type { Inputs, Outputs } from './api.ts';

it('client types a mutation as without a result unless its route says so', () => {
  type Contact = Outputs['contact']['submit' | 'emptySpam' | 'sort'];
  type Auth = Outputs['auth']['login' | 'signInWithLink' | 'logout'];
  type Analytics = Outputs['analytics']['record' | 'importConversion'];
  expectTypeOf<[Contact, Auth, Analytics]>().toEqualTypeOf<[undefined, undefined, undefined]>();
});

it('client types the result of a mutation whose route says so', () => {
  expectTypeOf<Outputs['analytics']['importSales']['added']>().toEqualTypeOf<number>();
});

it('reading a field of a mutation’s result does not compile', () => {
  const submitted = undefined as Outputs['contact']['submit'];
  // @ts-expect-error the client does not read the response body
  expect(() => submitted.ok).toThrow(TypeError);
});

it('client keeps the results of queries and the inputs of mutations', () => {
  expectTypeOf<Outputs['contact']['messages']['isMailed']>().toEqualTypeOf<boolean>();
  expectTypeOf<Inputs['auth']['login']>().toEqualTypeOf<{ password: string }>();
});
