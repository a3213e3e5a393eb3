/** Requests of the signed-in owner. */
import { type BenchServer, benchPassword } from './processes.ts';

/** Signs in; resolves with the value of the `Cookie` header. */
export async function signIn(server: BenchServer): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${server.port}/api/admin/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password: benchPassword }),
  });
  if (!response.ok) throw new Error(`Signing in returned status ${response.status}.`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** Requests JSON as the signed-in owner. */
export async function getJson<Body>(
  { port }: BenchServer,
  path: string,
  cookie: string,
): Promise<Body> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Cookie: cookie } });
  if (!response.ok) throw new Error(`${path} returned status ${response.status}.`);
  // The server's response is trusted to have the shape its caller expects.
  return (await response.json()) as Body;
}

/** Sends JSON as the signed-in owner. */
export async function postJson<Body>(
  { port }: BenchServer,
  path: string,
  cookie: string,
  body: object,
): Promise<Body> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} returned status ${response.status}.`);
  return (await response.json()) as Body;
}

/** Total page views on the dashboard. */
export async function countedVisits(server: BenchServer, cookie: string): Promise<number> {
  const { summary } = await getJson<{ summary: { pageViews: number } }>(
    server,
    '/api/analytics/dashboard?startDate=2000-01-01T00:00:00Z',
    cookie,
  );
  return summary.pageViews;
}
