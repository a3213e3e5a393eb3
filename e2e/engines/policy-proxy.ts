/** A proxy that makes the browser report violations of the content policy, which WebDriver does not show. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const reportPath = '/policy-violations';

/** Starts the proxy in front of `origin`. `violations` fills with the browser's reports. */
export async function startPolicyProxy(origin: string) {
  const violations: string[] = [];
  const server = createServer(async (req, res) => {
    if (req.url === reportPath) {
      violations.push(await text(req));
      res.writeHead(204).end();
      return;
    }
    const { method, rawHeaders: headers } = req;
    const proxied = request(
      `${origin}${req.url}`,
      { method, headers, agent: false },
      (response) => {
        const { 'content-security-policy': policy, ...others } = response.headers;
        const reporting = policy && {
          'content-security-policy': `${policy}; report-uri ${reportPath}`,
        };
        res.writeHead(response.statusCode ?? 502, { ...others, ...reporting });
        response.pipe(res);
      },
    );
    proxied.on('error', () => res.destroy());
    req.pipe(proxied);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    violations,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
