/** A load balancer in front of several instances of a site. */
import { request } from 'node:http';
import { pipeline } from 'node:stream';
import { openTestServer } from '../server/testing/http-server.ts';

/**
 * Starts the load balancer. It is round robin without sticky sessions, so that the instances must
 * share all state. A single instance is used directly.
 */
export async function startLoadBalancer(origins: string[]) {
  const [first = '', ...others] = origins;
  if (others.length === 0) return { origin: first, close: async () => {} };
  let next = 0;
  return openTestServer((req, res) => {
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
}
