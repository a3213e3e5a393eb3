/** The name of a request, by which its lines in the log are found. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const requestIdHeader = 'X-Request-Id';

/** What a proxy may call it: nothing that could be read as anything else in a log. */
const safe = /^[\w-]{8,64}$/;

const made = new WeakMap<IncomingMessage, string>();

/** The id that the request brought, if that is one, or its own; made when it is first asked for. */
export function requestIdOf(req: IncomingMessage): string {
  const brought = req.headers['x-request-id'];
  if (typeof brought === 'string' && safe.test(brought)) return brought;
  const id = made.get(req) ?? randomUUID();
  made.set(req, id);
  return id;
}
