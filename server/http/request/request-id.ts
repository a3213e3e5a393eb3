/** Request ids, which connect responses with log lines. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const requestIdHeader = 'X-Request-Id';

/** Ids that are accepted from a proxy: characters that cannot forge log content. */
const idPattern = /^[\w-]{8,64}$/;

const generatedIds = new WeakMap<IncomingMessage, string>();

/** The `X-Request-Id` of the request if it is valid, or else a generated id, which stays the same. */
export function requestIdOf(req: IncomingMessage): string {
  const received = req.headers['x-request-id'];
  if (typeof received === 'string' && idPattern.test(received)) return received;
  const id = generatedIds.get(req) ?? randomUUID();
  generatedIds.set(req, id);
  return id;
}
