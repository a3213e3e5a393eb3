/** Wrong rows must not compile. Each `@ts-expect-error` fails the type check when its row would. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { publicProcedure, router } from '../trpc/trpc.ts';
import type { RouteTable, RouteTableOf } from './route-table.ts';
import { routes } from './routes.ts';

const { 'auth.login': login, ...withoutLogin } = routes;
const table = (rows: RouteTable) => Object.keys(rows);

it('takes the table as it is', () => {
  expect(table(routes)).toContain('auth.login');
});

it('has a row for each procedure and for nothing else', () => {
  // @ts-expect-error a missing row
  expect(table(withoutLogin)).not.toContain('auth.login');
  // @ts-expect-error a row for a procedure that does not exist
  expect(table({ ...routes, 'auth.signup': { method: 'POST', path: '/api/signup' } })).toHaveLength(
    table(routes).length + 1,
  );
});

it('has GET for queries, POST for mutations, and paths below /api', () => {
  // @ts-expect-error a mutation over GET
  table({ ...routes, 'auth.login': { method: 'GET', path: '/api/admin/login' } });
  // @ts-expect-error a query over POST
  table({ ...routes, 'analytics.dashboard': { method: 'POST', path: '/api/analytics/dashboard' } });
  // @ts-expect-error a path outside /api
  table({ ...routes, 'contact.submit': { method: 'POST', path: '/contact' } });
});

it('has no GET whose input is not flat text', () => {
  const numbers = router({
    find: publicProcedure.input(z.object({ n: z.number() })).query(() => 1),
  });
  const texts = router({ find: publicProcedure.input(z.object({ n: z.string() })).query(() => 1) });
  const row = { method: 'GET', path: '/api/find' } as const;
  const find: RouteTableOf<typeof texts> = { find: row };
  // @ts-expect-error a number does not survive an address
  const wrong: RouteTableOf<typeof numbers> = { find: row };
  expect(wrong).toEqual(find);
});

it('has one call for each procedure', () => {
  const calls = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(calls).size).toBe(calls.length);
  expect(login.path).toBe('/api/admin/login');
});
