/** One address for several instances of a site, as a load balancer gives them. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/**
 * Opens it. Each request goes to the next instance, whoever sends it: what a visitor or the owner did
 * a moment ago, another instance must know. One alone keeps its own address.
 */
export async function openFront(origins: string[]) {
  const [first = '', ...others] = origins;
  if (others.length === 0) return { origin: first, close: async () => {} };
  let turn = 0;
  const server = createServer((req, res) => {
    const origin = origins[turn % origins.length];
    turn += 1;
    const { method, rawHeaders: headers } = req;
    const passed = request(`${origin}${req.url}`, { method, headers, agent: false }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      pipeline(answer, res, () => {});
    });
    passed.on('error', () => res.destroy());
    res.on('close', () => passed.destroy());
    req.pipe(passed);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}
