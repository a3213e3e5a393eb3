/**
 * A proxy that makes the browser report violations of the content policy, which WebDriver does not show, and that can cut
 * the network.
 */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { openTestServer } from '../../server/testing/http-server.ts';

const reportPath = '/policy-violations';

/**
 * Starts the proxy in front of `origin`. `violations` fills with the browser's reports. While the network is cut,
 * requests get no response.
 */
export async function startPolicyProxy(origin: string) {
  const violations: string[] = [];
  let isCut = false;
  const proxy = await openTestServer(async (req, res) => {
    if (isCut) return void res.destroy();
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
  return {
    ...proxy,
    violations,
    cut(value: boolean) {
      isCut = value;
    },
  };
}
