/** What was acknowledged is on disk, once, whatever happens to the process. */
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { databaseFile } from '../../app/data-folder.ts';
import { engines } from '../engines.ts';
import { browser } from '../site.ts';
import { seedPassword, startServer } from './server-process.ts';

const rounds = process.env.TEST_LONG ? 20 : 3;
const posts = 200;

it.each(engines)(
  `keeps every acknowledged write over ${rounds} × kill -9 amid ${posts} messages and visits, on $name`,
  async (engine) => {
    const place = await engine.create();
    await seedPassword({ DATA_DIR: '', ...place.env });
    const messages = new Set<string>();
    let visits = 0;
    for (let round = 0; round < rounds; round++) {
      let answered = 0;
      const { origin, child, ended } = await startServer({ ...place.env, TRUST_PROXY: '1' });
      const post = (path: string, n: number, body: unknown) =>
        fetch(origin + path, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': browser,
            origin,
            'x-forwarded-for': `10.${round}.1.${n}`,
          },
          body: JSON.stringify(body),
        });
      const send = async (n: number) => {
        const isVisit = n % 2 === 1;
        const name = `${round}-${n}`;
        const answer = isVisit
          ? await post('/api/activity', n, { type: 'page_view' })
          : await post('/api/contact', n, {
              name,
              email: 'a@example.com',
              message: 'x'.repeat(500),
            });
        if (!answer.ok) return;
        if (isVisit) visits += 1;
        else messages.add(name);
        // Some are answered, some are on their way, some have not arrived: now.
        if (++answered === 1 + Math.floor((140 * round) / rounds)) child.kill('SIGKILL');
      };
      await Promise.allSettled(Array.from({ length: posts }, (_, n) => send(n)));
      child.kill('SIGKILL');
      await ended;
    }
    if (place.env.DATA_DIR !== undefined) expectSound(databaseFile(place.env.DATA_DIR));
    const stores = await place.open();
    const kept = (await stores.contact.list({ limit: rounds * posts })).map(({ name }) => name);
    const window = { from: 0, to: Date.now() + 86_400_000 };
    const counted = await stores.analytics.totals(window);
    const rows = await stores.analytics.recount(window);
    const { differences } = await stores.analytics.compareCounters();
    await stores.close();
    await place.remove();

    const names = new Set(kept);
    expect(names.size).toBe(kept.length);
    expect([...messages].filter((name) => !names.has(name))).toEqual([]);
    expect(messages.size).toBeGreaterThan(rounds);
    // Each visit came from a visitor of its own: none is lost, and none is counted that nobody sent.
    expect(counted.pageViews).toBeGreaterThanOrEqual(visits);
    expect(counted.pageViews).toBeLessThanOrEqual((rounds * posts) / 2);
    expect(counted).toEqual(rows);
    expect(differences).toEqual([]);
    console.info(
      `${engine.name}: ${messages.size} messages and ${visits} visits acknowledged, ${names.size} and ` +
        `${counted.pageViews} kept, of ${(rounds * posts) / 2} each`,
    );
  },
  240_000,
);

function expectSound(file: string): void {
  const database = new DatabaseSync(file);
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  database.close();
}
