import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seeded } from '../../contract/sample/seeded.ts';
import { exists } from '../../database/database.ts';
import { openPostgres } from '../../database/postgres/postgres.ts';
import { shareFolder } from '../../database/sqlite/folder-lock.ts';
import { isUnfinished } from '../../database/unfinished.ts';
import { eventOf } from '../../sales/stripe/facts.ts';
import { openStores } from '../../stores/stores.ts';
import { createOwner, now, type TestOwner } from '../../testing/cli-io.ts';
import { freshSchema } from '../../testing/engines.ts';
import { sampleMessage } from '../../testing/message.ts';
import { freshDatabase, startOwnPostgres } from '../../testing/postgres/server.ts';
import { refusedServer } from '../../testing/process/server-process.ts';
import { openTestSite, signIn } from '../../testing/site.ts';
import { event, refund, session, timeOf } from '../../testing/stripe/events.ts';

const SESSION_SECRET = 'secret of every instance';
/** A port on which nothing listens. */
const PORT = '9';

let owner: TestOwner;
let server: Awaited<ReturnType<typeof freshSchema>>;
beforeEach(async () => {
  owner = await createOwner();
  server = await freshSchema();
});
afterEach(async () => {
  await owner.remove();
  await server.remove();
});

const day = 86_400_000;
const email = { subject: 's', blocks: [] };

/** Number of events of a moved site. */
const events = process.env.TEST_LONG ? 20_000 : 1500;
/** Enough events for several pages of the copy, which have 10,000 rows each. */
const severalPages = process.env.TEST_LONG ? 50_000 : 10_500;

/** Fills every kind of data. */
async function fill(count = 200) {
  await owner.admin(['demo', '--events', String(count), '--days', '60']);
  await owner.inside(async ({ contact, mail, payments, analytics }) => {
    const messages = Array.from({ length: 250 }, (_, n) =>
      contact.add(
        sampleMessage({
          id: `m${n}`,
          receivedAt: now - n * 1000,
          name: 'Zoë 🐦',
          message: 'Hello\n"you" \\ ’'.repeat(n),
        }),
        { idempotencyKey: `d${n}`, ...(n % 9 === 0 && { folder: 'spam', suspicions: ['links'] }) },
      ),
    );
    await Promise.all(messages);
    await mail.queue({ id: 'sent', ...email }, now - day);
    await mail.sent('sent', now - day + 1);
    await mail.queue({ id: 'waiting', ...email }, now);
    for (const stripeEvent of [
      event('checkout.session.completed', session()),
      event('refund.created', refund(), 9),
    ]) {
      await payments.receive({
        event: eventOf(stripeEvent),
        payload: JSON.stringify(stripeEvent),
        receivedAt: timeOf(),
      });
    }
    await analytics.addExcludedCounts([{ reason: 'bot', at: now - day, n: 7 }]);
    await analytics.attributionKey();
    await analytics.salt(Math.floor(now / day), Buffer.from('salt of the day'));
    await analytics.addEvent({ ...visit, at: now - 60_000 });
  });
}

const visit = {
  activity: 'page_view',
  button: null,
  source: 'podcast',
  visitor: 'ab'.repeat(16),
} as const;

/** Requests the paths from a site on this environment, signed in with `cookie` or anew. */
async function responsesOf(env: Record<string, string>, paths: string[], cookie?: string) {
  const site = await openTestSite({ env: { SESSION_SECRET, ...env }, now: () => now });
  try {
    const session = cookie ?? (await signIn(site));
    const responses: string[] = [];
    for (const path of paths) {
      const response = await site.fetch(path, { headers: { cookie: session } });
      responses.push(`${response.status} ${await response.text()}`);
    }
    return { responses, cookie: session };
  } finally {
    await site.close();
  }
}

/** Every request of the dashboard, for its periods and for random windows. */
function dashboardPaths(): string[] {
  const random = seeded('windows');
  const moment = () => new Date(now - Math.floor(random() * 70 * day)).toISOString();
  const windows = Array.from({ length: process.env.TEST_LONG ? 100 : 6 }, () => {
    const [startDate, asOf] = [moment(), moment()].sort();
    return `startDate=${startDate}&asOf=${asOf}`;
  });
  const periods = [7, 30, 90].map(
    (days) => `startDate=${new Date(now - days * day).toISOString()}`,
  );
  return [
    ...periods.map((period) => `/api/analytics/dashboard?${period}`),
    ...[...periods, ...windows].map(
      (window) => `/api/analytics/breakdown?${window}&timeZone=Europe/Berlin`,
    ),
    ...windows.slice(0, 20).map((window) => `/api/analytics/rows?${window}&kind=page_view`),
    ...windows.slice(0, 20).map((window) => `/api/analytics/rows?${window}&kind=sale`),
    ...['inbox', 'archive', 'spam'].map((folder) => `/api/messages?folder=${folder}`),
  ];
}

const copiedEvents = (rows: number) =>
  new RegExp(`^ {2}event +${rows.toLocaleString('en-US')} copied and verified$`, 'm');

it('move carries a site to PostgreSQL and back, with the same responses for the signed-in owner', async () => {
  await fill(events);
  const before = await responsesOf({ DATA_DIR: owner.folder }, dashboardPaths());
  expect(before.responses.every((response) => response.startsWith('200 '))).toBe(true);

  await writeFile(join(owner.folder, 'session-secret'), SESSION_SECRET);
  const there = await owner.admin(['move', '--to', server.url]);
  expect(there).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^Copying from .* to the PostgreSQL/),
  });
  expect(there.out).toMatch(copiedEvents(events + 1));
  expect(there.out).toMatch(/^ {2}admin_session +1 copied and verified$/m);
  expect(there.out).toMatch(
    /^Set SESSION_SECRET, too\. With the content of .*session-secret you stay/m,
  );
  const env = { DATABASE_URL: server.url, SESSION_SECRET, PORT };
  const moved = await responsesOf(env, dashboardPaths(), before.cookie);
  expect(moved.responses).toEqual(before.responses);

  // On PostgreSQL a known visitor is not counted twice, and a new source gets an id of its own.
  const stores = await openStores({ ...env, DATA_DIR: owner.folder });
  await stores.analytics.addEvent({ ...visit, at: now });
  await stores.analytics.addEvent({ ...visit, source: 'new', visitor: 'cd'.repeat(16), at: now });
  await stores.close();
  const after = await responsesOf(env, dashboardPaths(), before.cookie);

  const DATA_DIR = join(owner.folder, 'back');
  const back = await owner.admin(['move', '--to', 'sqlite'], { env: { ...env, DATA_DIR } });
  expect(back).toMatchObject({ code: 0 });
  expect(back.out).toMatch(copiedEvents(events + 2));
  expect((await readdir(DATA_DIR)).sort()).toEqual(['in-use', 'shingle.db']);
  expect((await stat(join(DATA_DIR, 'shingle.db'))).mode & 0o777).toBe(0o600);
  expect(await responsesOf({ DATA_DIR }, dashboardPaths(), before.cookie)).toEqual(after);
  expect(await owner.admin(['verify'], { env: { DATA_DIR } })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/\d counters agree with the rows/),
  });
}, 180_000);

describe('move rejects invalid arguments and targets', () => {
  it.each([
    [[], /^Please say where to\. For example: npm run admin -- move --to postgres:/],
    [['--to', 'mysql://x/y'], /^Please move to a PostgreSQL database, or to sqlite\./],
    [
      ['--to', 'postgres://host'],
      /^The address after --to must be .* and name .* move --to postgres:/,
    ],
    [
      ['--to', 'postgres://u:hunter%2@host/x'],
      /^The address after --to (?!.*hunter).* written %25/,
    ],
    [['--to', 'sqlite'], /^The site is already in the SQLite file in /],
    [['--to', 'postgres://u@127.0.0.1:9/x'], /^There is nothing in .* to move: the site was never/],
  ])('move refuses the arguments %j', async (args, sentence) => {
    const { code, err } = await owner.admin(['move', ...args]);
    expect(code).toBe(1);
    expect(err.split('\n').at(-2)).toMatch(sentence);
  });

  it('move is refused while the site runs in the folder, and when the target cannot be reached', async () => {
    await fill();
    const release = shareFolder(owner.folder);
    const busy = await owner.admin(['move', '--to', server.url]);
    release();
    expect(busy).toMatchObject({ code: 1, err: expect.stringMatching(/The site is running on/) });
    expect(await owner.admin(['move', '--to', 'postgres://u@127.0.0.1:9/x'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No database responds at --to\. Check that it is running\.$/m),
    });
  });

  it('move refuses a target database and a target folder that hold data', async () => {
    await fill();
    const env = { DATABASE_URL: server.url, SESSION_SECRET, PORT };
    const stores = await openStores({ DATABASE_URL: server.url, DATA_DIR: '' });
    const refusal = {
      code: 1,
      err: expect.stringMatching(/There are messages, bookings, .* in the PostgreSQL database/),
    };
    await stores.keys.add({
      id: 'k',
      name: 'Zapier',
      hash: 'h',
      scopes: [],
      createdAt: now,
      usedAt: null,
    });
    expect(await owner.admin(['move', '--to', server.url])).toMatchObject(refusal);
    await stores.contact.add(sampleMessage({ id: 'm', receivedAt: now }));
    await stores.keys.remove('k');
    expect(await owner.admin(['move', '--to', server.url])).toMatchObject(refusal);
    expect(await owner.admin(['move', '--to', 'sqlite'], { env })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/There is a database in .* already/),
    });
    expect(await owner.admin(['move', '--to', server.url], { env })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^DATABASE_URL already names this database/),
    });
    expect(await stores.contact.count()).toBe(1);
    await rm(join(owner.folder, 'shingle.db'));
    await writeFile(join(owner.folder, 'shingle.db-wal'), 'log');
    expect(await owner.admin(['move', '--to', 'sqlite'], { env })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/put the files shingle\.db\* aside/),
    });
    await stores.close();
  });

  it('move refuses the source database under another host name', async () => {
    await owner.inside(async () => {});
    const env = { DATABASE_URL: server.url, SESSION_SECRET, PORT };
    const stores = await openStores({ DATABASE_URL: server.url, DATA_DIR: '' });
    await stores.auth.setPasswordHash('hash', now);
    const other = server.url.replace('127.0.0.1', 'localhost');
    expect(other).not.toBe(server.url);
    expect(await owner.admin(['move', '--to', other], { env })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is where the site is already\.$/m),
    });
    expect(await stores.auth.passwordHash()).toBe('hash');
    await stores.close();
    await (await openStores({ DATABASE_URL: server.url, DATA_DIR: '' })).close();
  });
});

it('move --to - prompts for the address on a terminal without echoing it', async () => {
  const type = (keys: string) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    stdin.write(keys);
    return owner.admin(['move', '--to', '-'], { stdin });
  };
  const { code, out, err } = await type('postgres://u:hunter2@127.0.0.1:9/x\r');
  expect(code).toBe(1);
  expect(err).toMatch(/^Address of the database, postgres:\/\/…: \n/);
  expect(err).toMatch(/There is nothing in .* to move/);
  expect(out + err).not.toContain('hunter2');
  expect(await type('\u0003')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Nothing was moved/),
  });
});

describe('move of a site that still runs on PostgreSQL', () => {
  const env = () => ({ DATABASE_URL: server.url, SESSION_SECRET, PORT });

  it('move is refused when a site on PostgreSQL responds on this machine', async () => {
    const site = await openTestSite({ env: { ...env(), PORT: '0' } });
    const { port } = new URL(site.origin);
    const refused = await owner.admin(['move', '--to', 'sqlite'], {
      env: { ...env(), PORT: port },
    });
    await site.close();
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The site is running at .* stop every instance/),
    });
  });

  it('move is refused when the site wrote to PostgreSQL during the copy', async () => {
    const stores = await openStores({ DATABASE_URL: server.url, DATA_DIR: '' });
    await owner.admin(['demo', '--events', '5000'], { env: env() });
    let isMoving = true;
    const moving = owner.admin(['move', '--to', 'sqlite'], { env: env() }).finally(() => {
      isMoving = false;
    });
    // Writes all the time: the snapshot and the last check are somewhere in between.
    for (let n = 0; isMoving; n++) {
      const visitor = n.toString(16).padStart(visit.visitor.length, '0');
      await stores.analytics.addEvent({ ...visit, visitor, at: now });
      await sleep(5);
    }
    expect(await moving).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The site wrote to its database while it was copied/m),
    });
    expect(await readdir(owner.folder)).toEqual(['in-use']);
    await stores.close();
  });
});

describe('interrupted move', () => {
  /** Starts a move in a process of its own and resolves once part of it has been copied. */
  async function startMoving(url: string) {
    const child = execFile(process.execPath, ['dist/server/admin.js', 'move', '--to', url], {
      env: { PATH: process.env.PATH, DATA_DIR: owner.folder },
    });
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
      child.on('close', (code) => resolve({ code, stderr }));
    });
    const target = await openPostgres(url);
    for (let hasPart = false; !hasPart; await sleep(5)) {
      // The query fails until the tables exist.
      hasPart = await target
        .read(function* () {
          return (yield* isUnfinished()) && (yield* exists('SELECT 1 AS one FROM event'));
        })
        .catch(() => false);
    }
    await target.close();
    return { child, ended };
  }

  it('a move killed with SIGKILL leaves the site unchanged and a target that no site starts on, and can be repeated with the address from standard input', async () => {
    await fill(severalPages);
    await owner.inside(async ({ auth }) => auth.setPasswordHash('hash', now));
    await owner.admin(['verify']);
    const bytes = await readFile(join(owner.folder, 'shingle.db'));
    const { child, ended } = await startMoving(server.url);
    child.kill('SIGKILL');
    await ended;
    expect((await readFile(join(owner.folder, 'shingle.db'))).equals(bytes)).toBe(true);

    const env = { DATABASE_URL: server.url, SESSION_SECRET, DATA_DIR: owner.folder };
    const sentence = /^This database holds a part of a site only: .* Please move once more .*\n$/;
    const refused = await refusedServer(env);
    expect(refused).toEqual({ code: 1, output: expect.stringMatching(sentence) });
    expect(await owner.admin(['verify'], { env })).toMatchObject({
      code: 1,
      err: expect.stringMatching(sentence),
    });
    const stdin = Readable.from([Buffer.from(`${server.url}\n`)]);
    expect(await owner.admin(['move', '--to', '-'], { stdin })).toMatchObject({
      code: 0,
      // No site was started in this folder, so it has no session secret yet.
      out: expect.stringMatching(/^Set SESSION_SECRET, too\. To make one: openssl rand -hex 24$/m),
      err: expect.stringMatching(/^You can interrupt this .* run the command again later\.$/m),
    });
    expect(await owner.admin(['verify'], { env })).toMatchObject({ code: 0 });
    const stores = await openStores({ DATABASE_URL: server.url, DATA_DIR: '' });
    expect(await stores.auth.passwordHash()).toBe('hash');
    await stores.close();
  }, 180_000);

  it('a move reports a target that becomes unavailable, and can be repeated', async () => {
    await fill(events);
    const own = await startOwnPostgres();
    try {
      const { url } = await freshDatabase(own);
      const { ended } = await startMoving(url);
      await own.kill('SIGKILL');
      expect(await ended).toEqual({
        code: 1,
        // The sentence depends on when the connection is lost.
        stderr: expect.stringMatching(/\n.*at --to.*\n$/),
      });
      await own.restart();
      expect(await owner.admin(['move', '--to', url])).toMatchObject({ code: 0 });
    } finally {
      await own.stop();
    }
  }, 180_000);
});
