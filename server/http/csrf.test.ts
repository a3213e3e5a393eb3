/** CSRF: cross-site requests change nothing, for every mutation and both adapters. */
import { type AnyRouter, callTRPCProcedure, TRPCError } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Context } from '../app/context.ts';
import { appRouter } from '../app/router.ts';
import { routes } from '../contract/routes.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { sentenceOf } from '../trpc/errors.ts';
import { publicMutation, publicProcedure, router } from '../trpc/trpc.ts';

/** Mutations that do not use the session cookie, and why. */
const exempt = new Map([['analytics.importConversion', 'requires a key in a header']]);

const mutationsOf = (tree: AnyRouter) =>
  Object.entries(tree._def.procedures as Record<string, { _def: { type: string } }>)
    .filter(([path, { _def }]) => _def.type === 'mutation' && !exempt.has(path))
    .map(([path]) => path);

/** The mutations that do not reject a cross-site request. */
async function unprotected(tree: AnyRouter): Promise<string[]> {
  const paths = mutationsOf(tree);
  const ctx = { request: { isForeign: true }, exclude() {} } as unknown as Context;
  const outcomes = await Promise.all(
    paths.map((path) =>
      callTRPCProcedure({
        router: tree,
        path,
        type: 'mutation',
        getRawInput: async () => undefined,
        ctx,
        signal: undefined,
        batchIndex: 0,
      }).then(
        () => 'done',
        (error: unknown) => (error instanceof TRPCError ? error.code : 'broken'),
      ),
    ),
  );
  return paths.filter((_, i) => outcomes[i] !== 'FORBIDDEN');
}

let site: TestSite;
let cookie: string;
beforeAll(async () => {
  site = await openTestSite();
  cookie = await signIn(site);
});
afterAll(() => site.close());

it('every mutation rejects a cross-site request before it reads the input', async () => {
  expect(mutationsOf(appRouter).length).toBeGreaterThan(3);
  expect(await unprotected(appRouter)).toEqual([]);
});

it('check finds a mutation without CSRF protection', async () => {
  const nothing = z.object({}).optional();
  const operation = { summary: 'Change something' };
  const planted = router({
    fine: publicMutation(operation).mutation(() => true),
    forgotten: publicProcedure(operation).mutation(() => true),
    nested: router({
      late: publicProcedure(operation)
        .input(nothing)
        .mutation(() => true),
      read: publicProcedure(operation).query(() => 1),
    }),
  });
  expect(await unprotected(planted)).toEqual(['forgotten', 'nested.late']);
});

it('exempt mutations ignore the session cookie', async () => {
  for (const path of exempt.keys()) {
    const { method, path: address } = routes[path as keyof typeof routes];
    expect(method).toBe('POST');
    const response = await site.post(address, {}, { cookie });
    expect([401, 404]).toContain(response.status);
  }
});

const foreign = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
];

describe.each(mutationsOf(appRouter))('%s', (procedure) => {
  it.each([routes[procedure as keyof typeof routes].path, `/api/trpc/${procedure}`])(
    '%s returns 403 for a cross-site request with a session',
    async (path) => {
      for (const headers of foreign) {
        const response = await site.post(path, {}, { cookie, ...headers });
        expect([headers, response.status]).toEqual([headers, 403]);
        expect(await response.text()).toContain(sentenceOf('FOREIGN_ORIGIN'));
      }
    },
  );
});

it('cross-site form post returns 403 and keeps the session', async () => {
  const type = 'application/x-www-form-urlencoded';
  for (const headers of foreign) {
    const form = 'name=A&email=a%40b.co&message=m';
    const response = await site.post('/api/contact', form, { 'content-type': type, ...headers });
    expect(response.status).toBe(403);
  }
  const dashboard = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
  expect(dashboard.status).toBe(200);
});
