/** For tests: a calendar's server on this machine, which behaves as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Behaviour = (res: ServerResponse, req: IncomingMessage) => void;

/** Shows its calendar to whoever asks, with these headers. */
export const answers =
  (status: number, headers: Record<string, string | string[]> = {}): Behaviour =>
  (res) =>
    void res.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end('A calendar');

export const leadsTo =
  (location: string, status = 302): Behaviour =>
  (res) =>
    void res.writeHead(status, { Location: location }).end();

/** Takes the question and never answers. */
export const hangs: Behaviour = () => {};

export interface TestCalendar {
  origin: string;
  /** Paths it was asked for, in order. */
  asked: string[];
  behaves(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export async function openTestCalendar(): Promise<TestCalendar> {
  let current = answers(200);
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url ?? '');
    current(res, req);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behaves(behaviour) {
      current = behaviour;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
