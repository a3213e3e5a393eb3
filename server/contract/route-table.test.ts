/** Type tests: wrong rows must not compile. `@ts-expect-error` fails the type check if they do. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { publicProcedure, router } from '../trpc/trpc.ts';
import type { RouteTable, RouteTableOf } from './route-table.ts';
import { routes } from './routes.ts';

const { 'auth.login': login, ...withoutLogin } = routes;
const table = (rows: RouteTable) => Object.keys(rows);

it('route table of the app compiles', () => {
  expect(table(routes)).toContain('auth.login');
});

it('route table with a missing or an extra row does not compile', () => {
  // @ts-expect-error a missing row
  expect(table(withoutLogin)).not.toContain('auth.login');
  // @ts-expect-error a row for a procedure that does not exist
  expect(table({ ...routes, 'auth.signup': { method: 'POST', path: '/api/signup' } })).toHaveLength(
    table(routes).length + 1,
  );
});

it('route table with a wrong method or a path outside /api does not compile', () => {
  // @ts-expect-error a mutation over GET
  table({ ...routes, 'auth.login': { method: 'GET', path: '/api/admin/login' } });
  // @ts-expect-error a query over POST
  table({ ...routes, 'analytics.dashboard': { method: 'POST', path: '/api/analytics/dashboard' } });
  // @ts-expect-error a path outside /api
  table({ ...routes, 'contact.submit': { method: 'POST', path: '/contact' } });
});

it('route table that is wrong about which mutations have a result does not compile', () => {
  const { 'keys.create': create, 'keys.revoke': revoke } = routes;
  // @ts-expect-error keys.create returns the key
  table({ ...routes, 'keys.create': { method: create.method, path: create.path } });
  // @ts-expect-error keys.revoke returns no more than its status
  table({ ...routes, 'keys.revoke': { ...revoke, returns: true } });
  // @ts-expect-error analytics.record returns nothing
  table({ ...routes, 'analytics.record': { ...routes['analytics.record'], returns: true } });
});

it('route table with a GET whose input is not flat strings does not compile', () => {
  const find = publicProcedure({ summary: 'Find it' });
  const numbers = router({ find: find.input(z.object({ n: z.number() })).query(() => 1) });
  const texts = router({ find: find.input(z.object({ n: z.string() })).query(() => 1) });
  const row = { method: 'GET', path: '/api/find' } as const;
  const right: RouteTableOf<typeof texts> = { find: row };
  // @ts-expect-error a query string cannot carry a number
  const wrong: RouteTableOf<typeof numbers> = { find: row };
  expect(wrong).toEqual(right);
});

it('route table has a different call for each procedure', () => {
  const calls = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(calls).size).toBe(calls.length);
  expect(login.path).toBe('/api/admin/login');
});
