/** Acknowledged writes are on disk exactly once after `kill -9`. */
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { databaseFile } from '../../stores/data-folder.ts';
import { engines } from '../engines.ts';
import { rawFigures } from '../raw-figures.ts';
import { browser } from '../site.ts';
import { seedPassword, startServer } from './server-process.ts';

const rounds = process.env.TEST_LONG ? 20 : 3;
const posts = 200;
/** At most ten calls are booked in an hour. */
const booksPerRound = (round: number) => (rounds > 10 ? round % 2 : 3);

it.each(engines)(
  `every acknowledged write survives ${rounds} × kill -9 during ${posts} messages, visits and bookings, on $name`,
  async (engine) => {
    const testDatabase = await engine.create();
    await seedPassword({ DATA_DIR: '', ...testDatabase.env });
    const messages = new Set<string>();
    const bookings = new Set<string>();
    let visits = 0;
    for (let round = 0; round < rounds; round++) {
      let completed = 0;
      const { origin, child, ended } = await startServer({ ...testDatabase.env, TRUST_PROXY: '1' });
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
      const query = 'call=strategy-call&timeZone=UTC';
      const { days } = await (await fetch(`${origin}/api/booking/slots?${query}`)).json();
      const slots: string[] = days.flatMap((day: { slots: string[] }) => day.slots);
      /** Books every third free time: its neighbours are too near. */
      const book = async (n: number) => {
        const start = slots[3 * n] ?? '';
        const visitor = { name: 'Ada', email: `${round}-${n}@example.com` };
        const response = await post('/api/bookings', n, {
          call: 'strategy-call',
          start,
          ...visitor,
        });
        if (response.ok) bookings.add(start);
      };
      const send = async (n: number) => {
        const isVisit = n % 2 === 1;
        const name = `${round}-${n}`;
        const response = isVisit
          ? await post('/api/activity', n, { type: 'page_view' })
          : await post('/api/contact', n, {
              name,
              email: 'a@example.com',
              message: 'x'.repeat(500),
            });
        if (!response.ok) return;
        if (isVisit) visits += 1;
        else messages.add(name);
        // Kills the server while requests are completed, pending and not yet received.
        if (++completed === 1 + Math.floor((140 * round) / rounds)) child.kill('SIGKILL');
      };
      const books = Array.from({ length: booksPerRound(round) }, (_, n) => book(n));
      // The first ones are acknowledged before anything is killed.
      if (bookings.size === 0) await Promise.allSettled(books);
      await Promise.allSettled([...books, ...Array.from({ length: posts }, (_, n) => send(n))]);
      child.kill('SIGKILL');
      await ended;
    }
    if (testDatabase.env.DATA_DIR !== undefined)
      expectSound(databaseFile(testDatabase.env.DATA_DIR));
    const stores = await testDatabase.open();
    const kept = (await stores.contact.list({ limit: rounds * posts })).map(({ name }) => name);
    const booked = await stores.bookings.list({ state: 'upcoming', now: 0, limit: 1000 });
    const window = { from: 0, to: Date.now() + 86_400_000 };
    const counted = await stores.analytics.totals(window);
    const rows = (await rawFigures(stores.analytics)).totals(window);
    const { differences } = await stores.analytics.compareCounters();
    await stores.close();
    await testDatabase.remove();

    const starts = new Set(booked.map(({ start }) => new Date(start).toISOString()));
    expect(starts.size).toBe(booked.length);
    expect([...bookings].filter((start) => !starts.has(start))).toEqual([]);
    expect(bookings.size).toBeGreaterThan(0);
    const names = new Set(kept);
    expect(names.size).toBe(kept.length);
    expect([...messages].filter((name) => !names.has(name))).toEqual([]);
    expect(messages.size).toBeGreaterThan(rounds);
    // Each visit has its own visitor, so the count shows lost and duplicated ones.
    expect(counted.pageViews).toBeGreaterThanOrEqual(visits);
    expect(counted.pageViews).toBeLessThanOrEqual((rounds * posts) / 2);
    expect(counted).toEqual(rows);
    expect(differences).toEqual([]);
    console.info(
      `${engine.name}: ${messages.size} messages and ${visits} visits acknowledged, ${names.size} and ` +
        `${counted.pageViews} kept, of ${(rounds * posts) / 2} each; ${bookings.size} bookings ` +
        `acknowledged, ${booked.length} kept`,
    );
  },
  240_000,
);

function expectSound(file: string): void {
  const database = new DatabaseSync(file);
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  database.close();
}
