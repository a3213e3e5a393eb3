/** Starts the development server. What a browser does with it: `e2e/dev.spec.ts`. */
import { expect, it } from 'vitest';
import { startDevelopmentServer } from '../testing/development-server.ts';

it('development server serves the site, the admin screens and the API', async () => {
  const { origin, child, stop } = await startDevelopmentServer();
  for (const stream of [child.stdout, child.stderr]) stream?.resume();
  const statusOf = (path: string) => fetch(origin + path).then(({ status }) => status, String);
  try {
    await expect.poll(() => statusOf('/readyz'), { timeout: 60_000 }).toBe(200);
    const paths = ['/', '/admin', '/src/main.tsx', '/api/analytics/dashboard'];
    expect(await Promise.all(paths.map(statusOf))).toEqual([200, 200, 200, 401]);
  } finally {
    await stop();
  }
}, 120_000);
