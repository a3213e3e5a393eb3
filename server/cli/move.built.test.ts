import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStores } from '../app/stores.ts';
import { get } from '../database/database.ts';
import { openPostgres } from '../database/postgres/postgres.ts';
import { shareFolder } from '../database/sqlite/folder-lock.ts';
import { isUnfinished } from '../database/unfinished.ts';
import { eventOf } from '../stripe/facts.ts';
import { createOwner, now, type TestOwner } from '../testing/cli-io.ts';
import { freshSchema } from '../testing/engines.ts';
import { freshDatabase, startOwnPostgres } from '../testing/postgres/server.ts';
import { refusedServer } from '../testing/process/server-process.ts';
import { openTestSite, signIn } from '../testing/site.ts';
import { event, refund, session, timeOf } from '../testing/stripe/events.ts';
import { seeded } from './seeded.ts';

const SESSION_SECRET = 'secret of every instance';
/** Nothing listens there. */
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
const person = { name: 'Zoë 🐦', email: 'ada@example.com', company: null };
const letter = { subject: 's', text: 't', html: 'h' };

/** Events of a site that is moved; those that take several pages of the copy, which have 10,000 rows. */
const events = process.env.TEST_LONG ? 20_000 : 3000;
const severalPages = process.env.TEST_LONG ? 50_000 : 10_500;

/** A site in which there is something of everything. */
async function fill(count = 200) {
  await owner.admin(['demo', '--events', String(count), '--days', '60']);
  await owner.inside(async ({ contact, mail, payments, analytics }) => {
    const messages = Array.from({ length: 250 }, (_, n) =>
      contact.add(
        {
          id: `m${n}`,
          receivedAt: now - n * 1000,
          ...person,
          message: 'Hello\n"you" \\ ’'.repeat(n),
        },
        { idempotencyKey: `d${n}`, ...(n % 9 === 0 && { folder: 'spam', suspicions: ['links'] }) },
      ),
    );
    await Promise.all(messages);
    await mail.queue({ id: 'sent', ...letter }, now - day);
    await mail.sent('sent', now - day + 1);
    await mail.queue({ id: 'waiting', ...letter }, now);
    for (const told of [
      event('checkout.session.completed', session()),
      event('refund.created', refund(), 9),
    ]) {
      await payments.receive({
        event: eventOf(told),
        payload: JSON.stringify(told),
        receivedAt: timeOf(),
      });
    }
    await analytics.addUncounted([{ reason: 'bot', at: now - day, n: 7 }]);
    await analytics.attributionKey(Buffer.from('key of the checkout'));
    await analytics.salt(Math.floor(now / day), Buffer.from('salt of the day'));
    await analytics.addEvent({ ...visit, at: now - 60_000 });
  });
}

const visit = {
  activity: 'page_view',
  control: null,
  source: 'podcast',
  visitor: 'ab'.repeat(16),
} as const;

/** What the site answers its owner, who signed in once: with `cookie`, or now. */
async function answersOf(env: Record<string, string>, windows: string[], cookie?: string) {
  const site = await openTestSite({ env: { SESSION_SECRET, ...env }, now: () => now });
  try {
    const key = cookie ?? (await signIn(site));
    const answers: string[] = [];
    for (const path of windows) {
      const response = await site.fetch(path, { headers: { cookie: key } });
      answers.push(`${response.status} ${await response.text()}`);
    }
    return { answers, cookie: key };
  } finally {
    await site.close();
  }
}

/** Everything a dashboard asks for, of its periods and of windows by chance. */
function questions(): string[] {
  const random = seeded('windows');
  const moment = () => new Date(now - Math.floor(random() * 70 * day)).toISOString();
  const windows = Array.from({ length: process.env.TEST_LONG ? 100 : 20 }, () => {
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

const marksCopied = (rows: number) =>
  new RegExp(`^ {2}mark +${rows.toLocaleString('en-US')} copied, and read back the same$`, 'm');

it('carries a site over, where it answers the same to an owner who is signed in, and back', async () => {
  await fill(events);
  const before = await answersOf({ DATA_DIR: owner.folder }, questions());
  expect(before.answers.every((answer) => answer.startsWith('200 '))).toBe(true);

  await writeFile(join(owner.folder, 'session-secret'), SESSION_SECRET);
  const there = await owner.admin(['move', '--to', server.url]);
  expect(there).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^Copying from .* to the PostgreSQL/),
  });
  expect(there.out).toMatch(marksCopied(events + 1));
  expect(there.out).toMatch(/^ {2}admin_session +1 copied, and read back the same$/m);
  expect(there.out).toMatch(
    /^The dashboard says the same on both sides, for 193 windows of time\.$/m,
  );
  expect(there.out).toMatch(/^[\d,]+ figures were counted again on both sides: they add up\.$/m);
  expect(there.out).toMatch(
    /^Set SESSION_SECRET, too\. With what stands in .*session-secret you stay/m,
  );
  const env = { DATABASE_URL: server.url, SESSION_SECRET, PORT };
  const meanwhile = await answersOf(env, questions(), before.cookie);
  expect(meanwhile.answers).toEqual(before.answers);

  // Life goes on there: nobody is counted twice, and what is new gets a number of its own.
  const stores = await openStores({ ...env, DATA_DIR: owner.folder });
  await stores.analytics.addEvent({ ...visit, at: now });
  await stores.analytics.addEvent({ ...visit, source: 'new', visitor: 'cd'.repeat(16), at: now });
  await stores.close();
  const after = await answersOf(env, questions(), before.cookie);

  const DATA_DIR = join(owner.folder, 'back');
  const back = await owner.admin(['move', '--to', 'sqlite'], { env: { ...env, DATA_DIR } });
  expect(back).toMatchObject({ code: 0 });
  expect(back.out).toMatch(marksCopied(events + 2));
  expect((await readdir(DATA_DIR)).sort()).toEqual(['in-use', 'shingle.db']);
  expect((await stat(join(DATA_DIR, 'shingle.db'))).mode & 0o777).toBe(0o600);
  expect(await answersOf({ DATA_DIR }, questions(), before.cookie)).toEqual(after);
  expect(await owner.admin(['verify'], { env: { DATA_DIR } })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/All say the same/),
  });
}, 180_000);

describe('refuses', () => {
  it.each([
    [[], /^Please say where to\. For example: npm run admin -- move --to postgres:/],
    [['--to', 'mysql://x/y'], /^Please move to a PostgreSQL database, or to sqlite\./],
    [
      ['--to', 'postgres://host'],
      /^The address after --to must be .* and name .* move --to postgres:/,
    ],
    [['--to', 'postgres://u:hunter/2@host/x'], /^The address after --to (?!.*hunter).* a \/ %2F/],
    [['--to', 'sqlite'], /^The site is in the SQLite file in .* already\./],
    [['--to', 'postgres://u@127.0.0.1:9/x'], /^There is nothing in .* to move: the site was never/],
  ])('%j', async (args, sentence) => {
    const { code, err } = await owner.admin(['move', ...args]);
    expect(code).toBe(1);
    expect(err.split('\n').at(-2)).toMatch(sentence);
  });

  it('while the site runs in the folder, and the database when it cannot be had', async () => {
    await fill();
    const leave = shareFolder(owner.folder);
    const busy = await owner.admin(['move', '--to', server.url]);
    leave();
    expect(busy).toMatchObject({ code: 1, err: expect.stringMatching(/The site is running on/) });
    expect(await owner.admin(['move', '--to', 'postgres://u@127.0.0.1:9/x'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No database answers at --to\. Please look whether it runs\.$/m),
    });
  });

  it('a database and a folder that hold something', async () => {
    await fill();
    const env = { DATABASE_URL: server.url, SESSION_SECRET, PORT };
    const stores = await openStores({ DATABASE_URL: server.url, DATA_DIR: '' });
    await stores.contact.add({ id: 'm', receivedAt: now, ...person, message: 'mine' });
    expect(await owner.admin(['move', '--to', server.url])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/There are messages, visits or sales in the PostgreSQL database/),
    });
    expect(await owner.admin(['move', '--to', 'sqlite'], { env })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/There is a database in .* already/),
    });
    expect(await owner.admin(['move', '--to', server.url], { env })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^DATABASE_URL names this database/),
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

  it('one that is the same by another name', async () => {
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

it('asks for the address on a terminal, and does not show it', async () => {
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

describe('of a site that still runs on PostgreSQL', () => {
  const env = () => ({ DATABASE_URL: server.url, SESSION_SECRET, PORT });

  it('is refused when it answers on this machine', async () => {
    const site = await openTestSite({ env: { ...env(), PORT: '0' } });
    const { port } = new URL(site.origin);
    const refused = await owner.admin(['move', '--to', 'sqlite'], {
      env: { ...env(), PORT: port },
    });
    await site.close();
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The site is running, and answers at .* stop every instance/),
    });
  });

  it('is refused when something came after the moment that was copied', async () => {
    const stores = await openStores({ DATABASE_URL: server.url, DATA_DIR: '' });
    await owner.admin(['demo', '--events', '5000'], { env: env() });
    const isPartly = async () => {
      const names = await readdir(owner.folder);
      const sizes = names
        .filter((name) => name.includes('.part-'))
        // SQLite deletes its journal at any moment.
        .map((name) =>
          stat(join(owner.folder, name)).then(
            ({ size }) => size,
            () => 0,
          ),
        );
      return (await Promise.all(sizes)).some((size) => size > 500_000);
    };
    const moving = owner.admin(['move', '--to', 'sqlite'], { env: env() });
    while (!(await isPartly())) await wait(5);
    await stores.analytics.addEvent({ ...visit, at: now });
    expect(await moving).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The site wrote to its database while it was copied/m),
    });
    expect(await readdir(owner.folder)).toEqual(['in-use']);
    await stores.close();
  });
});

describe('broken off', () => {
  /** Starts a move as the owner does, and says when part of it has come. */
  async function startMoving(url: string) {
    const child = execFile(process.execPath, ['dist/server/admin.js', 'move', '--to', url], {
      env: { PATH: process.env.PATH, DATA_DIR: owner.folder },
    });
    let told = '';
    child.stderr?.on('data', (chunk) => {
      told += chunk;
    });
    const ended = new Promise<{ code: number | null; told: string }>((resolve) => {
      child.on('close', (code) => resolve({ code, told }));
    });
    const target = await openPostgres(url);
    for (let isPartly = false; !isPartly; await wait(5)) {
      // The tables are not there from the first moment on.
      isPartly = await target
        .read(function* () {
          return (yield* isUnfinished()) && (yield* get('SELECT 1 AS one FROM mark')) !== undefined;
        })
        .catch(() => false);
    }
    await target.close();
    return { child, ended };
  }

  it('by kill -9 leaves the site as it was and a database that no site starts on, and is done again with the address from standard input', async () => {
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
      // A folder that was only restored has no secret yet.
      out: expect.stringMatching(/^Set SESSION_SECRET, too\. To make one: openssl rand -hex 24$/m),
      err: expect.stringMatching(/^Broken off .* type the line again\.$/m),
    });
    expect(await owner.admin(['verify'], { env })).toMatchObject({ code: 0 });
    const stores = await openStores({ DATABASE_URL: server.url, DATA_DIR: '' });
    expect(await stores.auth.passwordHash()).toBe('hash');
    await stores.close();
  }, 180_000);

  it('by a database that goes away is said, and done again', async () => {
    await fill(events);
    const own = await startOwnPostgres();
    try {
      const { url } = await freshDatabase(own);
      const { ended } = await startMoving(url);
      await own.kill('SIGKILL');
      expect(await ended).toEqual({
        code: 1,
        // Which of the sentences depends on the moment.
        told: expect.stringMatching(/\n.*at --to.*\n$/),
      });
      await own.restart();
      expect(await owner.admin(['move', '--to', url])).toMatchObject({ code: 0 });
    } finally {
      await own.stop();
    }
  }, 180_000);
});
