/** A load balancer in front of several instances of a site. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/**
 * Starts the load balancer. It is round robin without sticky sessions, so that the instances must
 * share all state. A single instance is used directly.
 */
export async function startLoadBalancer(origins: string[]) {
  const [first = '', ...others] = origins;
  if (others.length === 0) return { origin: first, close: async () => {} };
  let next = 0;
  const server = createServer((req, res) => {
    const origin = origins[next % origins.length];
    next += 1;
    const { method, rawHeaders: headers } = req;
    const proxied = request(
      `${origin}${req.url}`,
      { method, headers, agent: false },
      (response) => {
        res.writeHead(response.statusCode ?? 502, response.statusMessage, response.rawHeaders);
        pipeline(response, res, () => {});
      },
    );
    proxied.on('error', () => res.destroy());
    res.on('close', () => proxied.destroy());
    req.pipe(proxied);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
