/** What was acknowledged is on disk, whatever happens to the process. */
import { rm } from 'node:fs/promises';
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import { databaseFile } from './data-folder.ts';
import { emptyFolder, startServer } from './test-process.ts';

const rounds = 10;
const posts = 200;

it(`keeps every acknowledged message over ${rounds} × kill -9 amid ${posts} posts`, async () => {
  const folder = await emptyFolder();
  const acknowledged = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    let answered = 0;
    const { origin, child, ended } = await startServer({ DATA_DIR: folder, TRUST_PROXY: '1' });
    const send = async (n: number) => {
      const name = `${round}-${n}`;
      const answer = await fetch(`${origin}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.${round}.1.${n}` },
        body: JSON.stringify({ name, email: 'a@example.com', message: 'x'.repeat(500) }),
      });
      if (!answer.ok) return;
      acknowledged.add(name);
      // Some are answered, some are on their way, some have not arrived: now.
      if (++answered === 1 + 15 * round) child.kill('SIGKILL');
    };
    await Promise.allSettled(Array.from({ length: posts }, (_, n) => send(n)));
    child.kill('SIGKILL');
    await ended;
  }
  const database = new Libsql(databaseFile(folder));
  const kept = database.prepare('SELECT name FROM contact_message').all() as { name: string }[];
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  database.close();
  await rm(folder, { recursive: true });

  const names = new Set(kept.map(({ name }) => name));
  expect(names.size).toBe(kept.length);
  expect([...acknowledged].filter((name) => !names.has(name))).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(rounds);
  console.info(`${acknowledged.size} acknowledged, ${names.size} kept, of ${rounds * posts} sent`);
}, 120_000);
