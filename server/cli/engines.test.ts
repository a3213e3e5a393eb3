/** Every command gives the same output on SQLite and on PostgreSQL. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { get } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { eventOf } from '../sales/stripe/facts.ts';
import { storesOn } from '../stores/stores.ts';
import { createOwner, engines, now, type TestOwner } from '../testing/cli-io.ts';
import { sampleMessage } from '../testing/message.ts';
import { event, session, timeOf } from '../testing/stripe/events.ts';

let owners: TestOwner[];
beforeEach(async () => {
  owners = await Promise.all(engines.map((engine) => createOwner(engine)));
});
afterEach(() => Promise.all(owners.map((owner) => owner.remove())));

/** Runs a command on each engine, expects the same outcome, and returns it. */
async function onBoth(args: string[], input?: string) {
  const [embedded, server] = await Promise.all(
    owners.map(async (owner) => {
      const stdin = Readable.from(input === undefined ? [] : [Buffer.from(input)]);
      const { code, out, err } = await owner.admin(args, { stdin });
      return { code, out: out.replaceAll(owner.folder, '…'), err };
    }),
  );
  expect(server).toEqual(embedded);
  return embedded;
}

/** Reads a file that is the same on each engine. */
async function fileOnBoth(name: string): Promise<string> {
  const [embedded = '', server] = await Promise.all(
    owners.map(({ folder }) => readFile(join(folder, name), 'utf8')),
  );
  expect(server).toBe(embedded);
  return embedded;
}

const inBoth = (use: Parameters<TestOwner['inside']>[0]) =>
  Promise.all(owners.map((owner) => owner.inside(use)));

const ada = 'Ada@example.com';

/** Adds messages, a sale from Stripe, a signed-in browser and refused sign-in attempts. */
const fill = () =>
  inBoth(async ({ contact, payments, auth }) => {
    for (const [n, email] of [ada, 'bob@example.com', 'ada@EXAMPLE.com'].entries()) {
      const message = `Zoë wrote: "${n}" \\ 🐦\n=1+1`;
      const received = { id: `m${n}`, receivedAt: now - n * 1000, name: 'Ö', email, message };
      await contact.add(
        sampleMessage(received),
        n === 1 ? { folder: 'spam', suspicions: ['links'] } : {},
      );
    }
    // The same event id on both engines.
    const stripeEvent = {
      ...event('checkout.session.completed', session()),
      id: 'evt_1TestOfBoth',
    };
    await payments.receive({
      event: eventOf(stripeEvent),
      payload: JSON.stringify(stripeEvent),
      receivedAt: timeOf(),
    });
    await auth.setPasswordHash('hash', 1);
    const seen = { createdAt: now - 1000, seenAt: now };
    await auth.addSession({ idHash: 'one', browser: 'Firefox on Linux', ...seen }, 'hash');
    await auth.setSignInLink({ tokenHash: 'link', expiresAt: now });
    const attempt = { address: '192.0.2.1', browser: 'Firefox on Linux', n: 2, lastAt: now };
    await auth.addAttempts([{ method: 'password', result: 'wrong', ...attempt }]);
  });

const sales = `id,amount,currency,email,source,timestamp,refunded
order-1,4900,USD,${ada},newsletter,2026-11-01T09:30:00Z,0
order-2,9700,EUR,,,2026-11-02T18:05:00+01:00,2000
`;

it('demo, activity, conversions and verify give the same output on both engines', async () => {
  await onBoth(['demo', '--events', '3000', '--days', '20']);
  await onBoth(['conversions', 'import', '-'], sales);
  await onBoth(['conversions', 'import', '-'], sales);
  await onBoth(['conversions', 'export', 'sales.csv']);
  expect(await fileOnBoth('sales.csv')).toContain('order-2');
  await onBoth(['activity', 'export', 'activity.csv']);
  expect((await fileOnBoth('activity.csv')).split('\n').length).toBe(3002);
  expect(await onBoth(['verify'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/\d counters agree with the rows/),
  });
});

it('activity import and export give the same output on both engines', async () => {
  const text = `activity,timestamp,button,source
cta_click,2026-01-31T10:30:00.123+01:00,hero,Instagram
page_view,2026-01-31T09:30:00.122Z,,
`;
  expect(await onBoth(['activity', 'import', '-'], text)).toMatchObject({ code: 0 });
  await onBoth(['activity', 'export', 'activity.csv']);
  expect(await fileOnBoth('activity.csv')).toContain('cta_click,2026-01-31T09:30:00.123Z,hero,');
  await onBoth(['verify']);
});

it('messages, person and sessions give the same output on both engines', async () => {
  await fill();
  await onBoth(['conversions', 'import', '-'], sales);
  await onBoth(['messages']);
  expect((await onBoth(['messages', '--folder', 'spam', '--json']))?.out).toContain('bob@example');
  await onBoth(['messages', 'export', 'messages.csv']);
  expect(await fileOnBoth('messages.csv')).toContain('Zoë');
  expect((await onBoth(['person', 'export', 'ada@example.com']))?.out).toContain('order-1');
  await onBoth(['person', 'erase', 'ada@example.com']);
  await onBoth(['person', 'erase', 'ada@example.com', '--yes']);
  await onBoth(['person', 'export', 'ada@example.com']);
  await onBoth(['verify']);
  expect((await onBoth(['sessions']))?.out).toContain('Firefox on Linux at 192.0.2.1\n');
  expect((await onBoth(['sessions', '--end-all']))?.out).toBe('1 browser signed out.\n');
  await onBoth(['sessions']);
});

it('password signs every browser out on both engines', async () => {
  await fill();
  await onBoth(['password'], 'a sentence only we know\n');
  expect(await inBoth(async ({ auth }) => expect(await auth.sessions()).toEqual([]))).toHaveLength(
    2,
  );
});

it('demo and activity import on PostgreSQL refuse a database with activity and suggest an empty one', async () => {
  const { admin } = owners[1] ?? expect.fail();
  await admin(['demo', '--events', '10']);
  for (const args of [['demo'], ['activity', 'import', '-']]) {
    expect(await admin(args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Please set DATABASE_URL to an empty database, or unset it/),
    });
  }
});

describe('on PostgreSQL', () => {
  it('backup from PostgreSQL makes a trimmed SQLite file that restores into a folder', async () => {
    await fill();
    const [, owner] = owners;
    if (!owner) return expect.fail();
    await owner.inside(({ analytics }) => analytics.salt(1, Buffer.from('salt')));
    const { code, out } = await owner.admin(['backup', 'mine.db']);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/mine\.db \(\d+\.\d MB\) and verified: \d+ figure/),
    });
    const file = join(owner.folder, 'mine.db');
    const database = openSqlite(file, { asIs: true });
    const { contact } = storesOn(database);
    expect(await contact.count()).toBe(3);
    for (const table of [
      'admin_session',
      'sign_in_link',
      'sign_in_attempt',
      'seen_visitor',
      'visitor_salt',
    ]) {
      expect(database.readNow(() => get(sql`SELECT 1 AS one FROM ${table}`))).toBeUndefined();
    }
    await database.close();

    expect(await owner.admin(['restore', 'mine.db'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Please unset DATABASE_URL, .* restore mine\.db, then .* move/),
    });
    expect(await owner.admin(['backup', '--nightly'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^--nightly does not back up the PostgreSQL database/),
    });
    const [embedded] = owners;
    expect(await embedded?.admin(['restore', file])).toMatchObject({ code: 0 });
    expect((await embedded?.admin(['messages']))?.out).toMatch(/3 messages/);
  });
});
