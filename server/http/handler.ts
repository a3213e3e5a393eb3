import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../trpc/context.ts';
import { ApiError } from '../trpc/errors.ts';
import type { BodyReader } from './request/body.ts';

/** Responds to a request, or throws: the error handler of `app.ts` responds to errors. */
export type Handler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

/** What the handlers of API calls share. */
export interface AdapterOptions {
  createContext: (req: IncomingMessage, res: ServerResponse) => Context;
  body: BodyReader;
  /** Logs an internal error (status 500 and above) with its request. */
  report: (error: unknown, req: IncomingMessage) => void;
}

/** Creates a handler from one per method. Any other method gets 405 with `Allow`. */
export const byMethod =
  (handlers: Record<string, Handler>): Handler =>
  (req, res) => {
    const handle = handlers[req.method ?? ''];
    if (handle) return handle(req, res);
    res.setHeader('Allow', Object.keys(handlers).join(', '));
    throw new ApiError('METHOD_NOT_ALLOWED');
  };

/** Limits a handler to GET and HEAD. Node omits the body of a response to HEAD. */
export const get = (handle: Handler) => byMethod({ GET: handle, HEAD: handle });
