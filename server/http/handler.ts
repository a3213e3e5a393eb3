import type { IncomingMessage } from 'node:http';
import type { Express, Request, Response } from 'express';
import type { Context } from '../app/context.ts';
import type { RequestGroup } from '../health/metrics.ts';
import { ApiError } from '../trpc/errors.ts';
import type { BodyReader } from './request/body.ts';

/** Responds to a request, or throws: the error handler of `app.ts` responds to errors. */
export type Handler = (req: Request, res: Response) => void | Promise<void>;

/** What the handlers of API calls share. */
export interface AdapterOptions {
  createContext: (req: Request, res: Response) => Context;
  body: BodyReader;
  /** Logs an internal error (status 500 and above) with its request. */
  report: (error: unknown, req: IncomingMessage) => void;
}

/**
 * Creates the function that adds a route, which metrics count in `group`. Other methods than these get 405 with
 * `Allow`; without any, the route takes all.
 */
export const routeAdder =
  (app: Express) =>
  (path: string | RegExp, group: RequestGroup, ...methods: ('GET' | 'HEAD' | 'POST')[]) =>
    app.route(path).all((req, res, next) => {
      res.locals.group = group;
      if (methods.length === 0 || methods.some((method) => method === req.method)) return next();
      res.setHeader('Allow', methods.join(', '));
      throw new ApiError('METHOD_NOT_ALLOWED');
    });

export type AddRoute = ReturnType<typeof routeAdder>;
