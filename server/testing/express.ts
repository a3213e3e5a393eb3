/** For tests: a request as handlers behind Express see it. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { createExpress } from '../http/express.ts';

/** Sends a request from `address` through an Express app; returns what `handle` returns. */
export function throughExpress<T>(
  {
    headers = {},
    address = '192.0.2.7',
    trustProxy = 0,
  }: { headers?: Record<string, string>; address?: string; trustProxy?: number | string },
  handle: (req: Request, res: Response) => T,
): T {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const req = Object.assign(new IncomingMessage(socket), { url: '/', headers });
  const results: T[] = [];
  const app = createExpress({ trustProxy, https: false });
  app.use((request, response) => void results.push(handle(request, response)));
  app(req, new ServerResponse(req));
  if (results.length === 0) throw new Error('Express did not call its middleware.');
  return results[0] as T;
}
