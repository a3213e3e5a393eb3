/** The native door: the same router for tRPC clients, at /api/trpc. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { faultOf } from '../errors.ts';
import { appRouter } from '../router.ts';
import { bodyLimit } from './body.ts';
import type { DoorOptions } from './rest.ts';

export const nativePath = '/api/trpc/';

/** Calls one HTTP request may carry. */
const batchLimit = 8;

export function createNativeDoor({ createContext, report }: DoorOptions) {
  return function native(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    return nodeHTTPRequestHandler({
      req,
      res,
      path: pathname.slice(nativePath.length),
      router: appRouter,
      createContext: () => createContext(req, res),
      maxBodySize: bodyLimit,
      maxBatchSize: batchLimit,
      responseMeta({ errors }) {
        const waits = errors.flatMap((error) => faultOf(error).retryAfter ?? []);
        const headers = new Headers({ 'Cache-Control': 'no-store' });
        if (waits.length > 0) headers.set('Retry-After', String(Math.max(...waits)));
        return { headers };
      },
      onError: ({ error }) => {
        if (faultOf(error).status >= 500) report(error);
      },
    });
  };
}
