/** Our server asked as its owner asks it. */
import { type BenchServer, benchPassword } from './processes.ts';

/** Signs in; returns what to send as `Cookie`. */
export async function signIn(server: BenchServer): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/admin/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password: benchPassword }),
  });
  if (!answer.ok) throw new Error(`Signing in was answered with ${answer.status}.`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** Asks for JSON, signed in. */
export async function ask<Answer>(
  { port }: BenchServer,
  path: string,
  cookie: string,
): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Cookie: cookie } });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`);
  return (await answer.json()) as Answer;
}

/** How many visits the dashboard counts. */
export async function countedVisits(server: BenchServer, cookie: string): Promise<number> {
  const { summary } = await ask<{ summary: { pageViews: number } }>(
    server,
    '/api/analytics/dashboard?startDate=2000-01-01T00:00:00Z',
    cookie,
  );
  return summary.pageViews;
}
