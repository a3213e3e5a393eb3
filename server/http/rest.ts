/** The REST adapter: maps each route of the contract to its tRPC procedure. */
import { callTRPCProcedure } from '@trpc/server';
import type { Context } from '../app/context.ts';
import { appRouter } from '../app/router.ts';
import { type ProcedurePath, routes } from '../contract/routes.ts';
import type { RequestGroup } from '../health/metrics.ts';
import type { AdapterOptions, AddRoute, Handler } from './handler.ts';
import { bodyLimitOf, requireJson } from './request/body.ts';
import { queryOf } from './request/url.ts';
import { sendJson } from './response.ts';
import { visitorErrorOf } from './visitor-error.ts';

/** The calls that metrics count by themselves. */
const groups: Partial<Record<ProcedurePath, RequestGroup>> = {
  'contact.submit': 'contact',
  'analytics.record': 'activity',
  'auth.login': 'login',
  'auth.signInWithLink': 'login',
};

/** Adds the routes of all calls in the contract. They respond with JSON. */
export function addRestCalls(addRoute: AddRoute, adapter: AdapterOptions): void {
  const calls = Object.entries(routes) as [ProcedurePath, (typeof routes)[ProcedurePath]][];
  for (const path of new Set(calls.map(([, call]) => call.path))) {
    const ofPath = calls.filter(([, call]) => call.path === path);
    const group = ofPath.map(([name]) => groups[name]).find((one) => one !== undefined) ?? 'api';
    const route = addRoute(path, group, ...ofPath.map(([, { method }]) => method));
    for (const [name, { method }] of ofPath) {
      if (method === 'GET') route.get(createCall(name, adapter));
      else route.post(createCall(name, adapter));
    }
  }
}

const createCall =
  (name: ProcedurePath, { createContext, body }: AdapterOptions): Handler =>
  async (req, res) => {
    if (req.method === 'POST') requireJson(req);
    // The procedure reads the body after its checks of access and rate limit.
    const readInput = async () =>
      req.method === 'GET'
        ? Object.fromEntries(queryOf(req))
        : body.json(req, res, bodyLimitOf([name]));
    const ctx = createContext(req, res);
    const output = await callProcedure(name, readInput, ctx).catch((error: unknown) => {
      // The form of the site shows the sentence.
      const isForm = name === 'contact.submit' && ctx.request.isFromBrowser;
      throw isForm ? visitorErrorOf(error, ctx.words) : error;
    });
    if (output === undefined) return void res.writeHead(204).end();
    sendJson(res, 200, output);
  };

/** Calls a procedure, which validates its input. */
export function callProcedure(
  path: ProcedurePath,
  readInput: () => Promise<unknown>,
  ctx: Context,
): Promise<unknown> {
  return callTRPCProcedure({
    router: appRouter,
    path,
    type: routes[path].method === 'GET' ? 'query' : 'mutation',
    getRawInput: readInput,
    ctx,
    signal: undefined,
    batchIndex: 0,
  });
}
