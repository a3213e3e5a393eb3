/** For tests: an HTTP server of a calendar, with adjustable behaviour. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openTestServer } from './http-server.ts';

export type Behaviour = (res: ServerResponse, req: IncomingMessage) => void;

/** Responds with a page and this status. */
export const respondsWith =
  (status: number): Behaviour =>
  (res) =>
    void res.writeHead(status, { 'Content-Type': 'text/html' }).end('A calendar');

/** Redirects to `location`. */
export const redirectsTo =
  (location: string): Behaviour =>
  (res) =>
    void res.writeHead(302, { Location: location }).end();

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
