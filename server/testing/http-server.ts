import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate, key } from './certificate.ts';

export interface TestServer {
  server: Server;
  origin: string;
  /** Ends the open connections, too. */
  close(): Promise<void>;
}

/** For tests: starts an HTTP server on a free port; with `isTls` one of `https://localhost` with the certificate of tests. */
export async function openTestServer(
  listener: RequestListener,
  { isTls = false } = {},
): Promise<TestServer> {
  const server = isTls
    ? createTlsServer({ key, cert: certificate }, listener)
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server,
    origin: `${isTls ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
