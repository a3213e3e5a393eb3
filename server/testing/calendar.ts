/** For tests: an HTTP server of a calendar, with adjustable behaviour. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openTestServer } from './http-server.ts';

export type Behaviour = (res: ServerResponse, req: IncomingMessage) => void;

/** Responds with a page, this status and these headers. */
export const respondsWith =
  (status: number, headers: Record<string, string | string[]> = {}): Behaviour =>
  (res) =>
    void res.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end('A calendar');

/** Redirects to `location`. */
export const redirectsTo =
  (location: string, status = 302): Behaviour =>
  (res) =>
    void res.writeHead(status, { Location: location }).end();

/** Accepts the request and never responds. */
export const hangs: Behaviour = () => {};

export interface TestCalendar {
  origin: string;
  /** Paths of the received requests, in order. */
  requests: string[];
  setBehaviour(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** Starts the server on a free port. It responds with 200 until `setBehaviour` is called. */
export async function openTestCalendar(): Promise<TestCalendar> {
  let behaviour = respondsWith(200);
  const requests: string[] = [];
  const { origin, close } = await openTestServer((req, res) => {
    requests.push(req.url ?? '');
    behaviour(res, req);
  });
  return {
    origin,
    requests,
    setBehaviour(next) {
      behaviour = next;
    },
    close,
  };
}
