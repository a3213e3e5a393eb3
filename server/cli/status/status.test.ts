import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readCalendars } from '../../booking/busy/calendars.ts';
import { lockFile, shareFolder } from '../../database/sqlite/folder-lock.ts';
import { createLog } from '../../log.ts';
import { fileLease } from '../../stores/lease.ts';
import { openStores } from '../../stores/stores.ts';
import { addBooking, newBooking } from '../../testing/booking.ts';
import { createOwner, engines, now, type TestOwner } from '../../testing/cli-io.ts';
import { openTestServer } from '../../testing/http-server.ts';
import { sampleMessage } from '../../testing/message.ts';

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
  await owner.inside(async () => {});
});
afterEach(() => owner.remove());

const day = 86_400_000;

/** Opens the folder as a site does. */
const openAsSite = () =>
  openStores(
    { DATA_DIR: owner.folder },
    {},
    { recovery: { onLoss: () => {}, onReturn: () => {} } },
  );

/** Calls `use` while a site runs on the folder and responds to `/readyz` with `status`. */
async function whileRunning<T>(status: number, use: (env: Record<string, string>) => Promise<T>) {
  const { origin, close } = await openTestServer((req, res) => {
    res.statusCode = req.url === '/readyz' ? status : 404;
    res.end();
  });
  const site = await openAsSite();
  try {
    return await use({ PORT: new URL(origin).port });
  } finally {
    await site.close();
    await close();
  }
}

async function addBackup(name: string, at: number) {
  await mkdir(join(owner.folder, 'backups'), { recursive: true });
  const file = join(owner.folder, 'backups', name);
  await writeFile(file, 'x'.repeat(1024 * 1024));
  await utimes(file, at / 1000, at / 1000);
}

it('status prints a sentence for each finding of a healthy site', async () => {
  await owner.inside(async ({ contact, mail }) => {
    await contact.add(sampleMessage({ receivedAt: now - 1000 }));
    await mail.queue({ id: 'l', subject: 's', blocks: [] }, now);
    await mail.sent('l', now - 500);
  });
  await addBackup('nightly-2026-11-20.db', now - day);
  await fileLease(owner.folder).write({ at: now - day, problems: [] });
  const { code, out, err } = await whileRunning(200, (env) =>
    owner.admin(['status'], {
      env: { ...env, SMTP_URL: 'smtp://localhost', STRIPE_API_KEY: 'rk_test_abc' },
    }),
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const lines = out.trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^✓ The site is running at http:\/\/127\.0\.0\.1:\d+\.$/),
    expect.stringMatching(/^· The last message arrived Nov \d+, 2026.*; 1 message in total\.$/),
    expect.stringMatching(/^✓ The last email was sent Nov \d+, 2026.*; 0 waiting\.$/),
    '· No visitors were counted yet.',
    '· Stripe has sent no events yet.',
    expect.stringMatching(/^✓ The last backup was made .* \(1\.0 MB\); 1 backup kept\.$/),
    expect.stringMatching(/^✓ The figures were recounted .*, and add up\.$/),
    expect.stringMatching(/^✓ The disk has [\d,.]+ MB left\.$/),
    expect.stringMatching(/^· The database has \d+\.\d MB, schema \d+\.$/),
  ]);
});

it('status prints what is wrong and exits with 1', async () => {
  await addBackup('nightly-2026-11-01.db', now - 20 * day);
  const problems = ['Last night’s backup could not be made. The disk has too little room.'];
  await fileLease(owner.folder).write({ at: now, problems });
  const { code, out, err } = await owner.admin(['status']);
  expect({ code, err }).toEqual({ code: 1, err: '3 things are wrong.\n' });
  expect(out).toMatch(/^✗ The site is not running on .*To start it: npm start$/m);
  expect(out).toMatch(/^✗ The last backup was made .* To make one now: npm run admin -- backup$/m);
  expect(out).toContain(`✗ ${problems[0]}\n`);
});

it('status reports data that was rescued as wrong until it is restored, and never as the last backup', async () => {
  const rescued = 'rescued-2026-11-21T02-00-00Z.db';
  await mkdir(join(owner.folder, 'backups'));
  await owner.admin(['backup', join(owner.folder, 'backups', rescued)]);
  const before = await owner.admin(['status']);
  expect(before.code).toBe(1);
  expect(before.out).toMatch(/^✗ The database in DATA_DIR was replaced .* restore rescued-.*\.db/m);
  expect(before.out).not.toContain('The last backup');
  expect((await owner.admin(['restore', rescued])).out).toContain('The restored file was deleted');
  expect((await owner.admin(['status'])).out).not.toContain('replaced');
  expect(await readdir(join(owner.folder, 'backups'))).toEqual([]);
});

it('status reports files that were lost under the site for a week, or until a backup is restored', async () => {
  const file = join(owner.folder, 'last-loss.json');
  const record = (at: number, failure?: string) =>
    writeFile(file, JSON.stringify({ at, files: ['shingle.db-wal'], failure }));
  await record(now - 7 * day + 1000);
  const { code, out } = await owner.admin(['status']);
  expect(code).toBe(1);
  expect(out).toMatch(/^✗ .*: shingle\.db-wal in DATA_DIR was .* saved all its data again/m);
  await record(now - 7 * day);
  expect((await owner.admin(['status'])).out).not.toContain('shingle.db-wal');

  await record(now, 'The disk has too little room.');
  expect((await owner.admin(['status'])).out).toMatch(
    /^✗ .*could not save its data\. The disk has too little room\. .* restore the newest backup/m,
  );
  await owner.admin(['backup', join(owner.folder, 'mine.db')]);
  await owner.admin(['restore', join(owner.folder, 'mine.db')]);
  expect((await owner.admin(['status'])).out).not.toContain('shingle.db-wal');
});

it('status reports a missing backup and nightly job as wrong only when the folder is two days old', async () => {
  const statusAtAge = async (ms: number) => {
    const createdAt = (now - ms) / 1000;
    await utimes(lockFile(owner.folder), createdAt, createdAt);
    return (await owner.admin(['status'])).out;
  };
  const recent = await statusAtAge(2 * day - 1000);
  expect(recent).toMatch(/^· There is no backup yet/m);
  expect(recent).toMatch(/^· The nightly job has not run yet\./m);
  const old = await statusAtAge(2 * day);
  expect(old).toMatch(/^✗ There is no backup\. To make one now: npm run admin -- backup$/m);
  expect(old).toMatch(/^✗ The nightly job has never run/m);
  // Neither a write nor another lock makes the folder younger.
  await owner.inside(({ mail }) => mail.queue({ id: 'l', subject: 's', blocks: [] }, now));
  expect((await owner.admin(['status'])).out).toMatch(/^✗ There is no backup\./m);
});

it.each([
  [503, /^✗ The site is running but cannot write to its database/m],
  [404, /^✗ Another program answers at http:\/\/127\.0\.0\.1:\d+ \(status 404\)\./m],
])(
  'status reports what answers at the address of the site with status %i',
  async (status, sentence) => {
    const { code, out } = await whileRunning(status, (env) => owner.admin(['status'], { env }));
    expect(code).toBe(1);
    expect(out).toMatch(sentence);
  },
);

it('status reports no running site while another command works in the folder', async () => {
  const release = shareFolder(owner.folder);
  const { out } = await owner.admin(['status']);
  release();
  expect(out).toMatch(/^✗ The site is not running on /m);
});

it('status of a folder that was moved away says so, and creates none', async () => {
  const env = { DATA_DIR: join(owner.folder, 'moved') };
  const { code, err } = await owner.admin(['status'], { env });
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^There is no folder \S+moved: .*Please put it back\..*\n$/),
  });
  expect(await readdir(owner.folder)).not.toContain('moved');
});

it('status suggests another port when no site answers at this one', async () => {
  const site = await openAsSite();
  const { out } = await owner.admin(['status'], { env: { PORT: '1' } });
  await site.close();
  expect(out).toMatch(/^✗ A site is running on .*none answers at http:\/\/127\.0\.0\.1:1\./m);
});

it('status reports an email that has waited for five minutes as wrong, with exit code 1', async () => {
  const fiveMinutes = 5 * 60_000;
  await addBackup('nightly-2026-11-20.db', now - day);
  const statusAfter = (age: number) =>
    whileRunning(200, async (env) => {
      const id = `l${age}`;
      await owner.inside(({ mail }) => mail.queue({ id, subject: 's', blocks: [] }, now - age));
      return owner.admin(['status'], { env: { ...env, SMTP_URL: 'smtp://localhost' } });
    });
  expect(await statusAfter(fiveMinutes - 1)).toMatchObject({ code: 0 });
  const { code, out } = await statusAfter(fiveMinutes);
  expect(code).toBe(1);
  expect(out).toMatch(/^✗ An email could not be sent for 5 minutes\./m);
});

it('status of made-up data says that nothing is sent, instead of promising to try again', async () => {
  await owner.inside(async ({ mail, markAsDemo }) => {
    await mail.queue({ id: 'l', subject: 's', blocks: [] }, now - day);
    await markAsDemo();
  });
  const { out } = await owner.admin(['status'], { env: { SMTP_URL: 'smtp://localhost' } });
  expect(out).toMatch(/^· The data is made up by the command demo, so nothing is sent\.$/m);
  expect(out).not.toContain('tried again');
});

it('status reports paused bookings as wrong', async () => {
  await owner.inside(async ({ bookings }) => {
    for (let n = 0; n < 10; n++) {
      const start = now + (n + 1) * day;
      await addBooking(bookings, newBooking({ createdAt: now, start }));
    }
  });
  const { code, out } = await owner.admin(['status']);
  expect(code).toBe(1);
  expect(out).toMatch(/^✗ 10 calls were booked within an hour, so visitors cannot book/m);
});

it('status reports a calendar that cannot be read as wrong', async () => {
  const env = { BUSY_CALENDARS: 'http://127.0.0.1:9/secret.ics' };
  expect((await owner.admin(['status'], { env })).out).toMatch(/^✓ No calendar of yours failed/m);
  const log = createLog('silent', { pretty: false });
  await owner.inside(async ({ busy }) => {
    const addresses = [env.BUSY_CALENDARS];
    const options = { addresses, timeZone: 'UTC', sendEmail: undefined, now: () => now, log };
    const reading = readCalendars({ store: busy, ...options });
    await vi.waitFor(async () => expect(await reading.alert()).toBeDefined(), 20_000);
    await reading.stop();
  });
  const { code, out } = await owner.admin(['status'], { env });
  expect(code).toBe(1);
  expect(out).toMatch(/^✗ Your calendar at 127\.0\.0\.1 cannot be read\./m);
  expect(out).not.toContain('secret.ics');
});

it('status reports the last events of webhooks, the waiting and the refused ones', async () => {
  const env = {
    WEBHOOK_URL: 'https://hooks.example/a',
    WEBHOOK_SECRET: 'whsec_c2hpbmdsZS1leGFtcGxlLXNlY3JldC0zMmJ5dGU=',
    CALENDLY_WEBHOOK_SECRET: '0123456789abcdef',
    CAL_WEBHOOK_SECRET: '0123456789abcdef',
  };
  const status = async () => (await owner.admin(['status'], { env })).out;
  expect(await status()).toMatch(
    /^✓ The receiver of your webhooks got no event yet; 0 waiting\.\n· Calendly has reported no calls yet\.\n· Cal\.com has/m,
  );
  const data = { kind: 'disk', text: 'The disk is full.' };
  await owner.inside(async ({ webhooks, elsewhere }) => {
    for (const id of ['a', 'b']) {
      await webhooks.queue({ id, at: now, type: 'alert.raised', data }, now);
    }
    await webhooks.sent('a', now - 500);
    const visit = { source: null, button: null, movedFrom: null };
    const call = { ...visit, id: 'cal:a', state: 'booked', bookedAt: now, start: now } as const;
    await elsewhere.record([{ ...call, reportedAt: now - day }], { now, isCounted: true });
  });
  expect(await status()).toMatch(
    /^✓ The receiver .* its last event Nov \d+, 2026.*; 1 waiting\.\n· Cal.*\n✓ Cal\.com reported its last call Nov 20/m,
  );
  await owner.inside(({ webhooks }) => webhooks.refused('b', { at: now, error: 'HTTP 500' }));
  expect(await status()).toMatch(
    /^✗ An event could not be delivered .* The last result: HTTP 500\./m,
  );
});

it('status --json prints the findings as JSON', async () => {
  const { code, out } = await whileRunning(200, (env) =>
    owner.admin(['status', '--json'], { env }),
  );
  expect(code).toBe(0);
  const { ok, findings } = JSON.parse(out);
  expect(ok).toBe(true);
  expect(findings.map(({ name, is }: Record<string, string>) => `${name} ${is}`)).toEqual([
    'site well',
    'messages note',
    'mail note',
    'visits note',
    'stripe note',
    'backup note',
    'night note',
    'disk well',
    'database note',
  ]);
});

it('status of a site on PostgreSQL reports what is visible from this machine and creates no folder', async () => {
  const other = await createOwner(engines[1]);
  try {
    const env = { DATA_DIR: join(other.folder, 'none') };
    const away = await other.admin(['status'], { env: { ...env, PORT: '9' } });
    expect(away).toMatchObject({ code: 1, err: '1 thing is wrong.\n' });
    expect(away.out).toMatch(
      /^✗ No site answers at http:\/\/127\.0\.0\.1:9\. To start it: npm start/m,
    );
    expect(await readdir(other.folder)).toEqual([]);

    await other.inside(({ nightlyLease }) => nightlyLease.write({ at: now - day, problems: [] }));
    const { code, out } = await whileRunning(200, ({ PORT = '' }) =>
      other.admin(['status'], { env: { ...env, PORT } }),
    );
    expect(code).toBe(0);
    const place = /the PostgreSQL database \w+ at [\d.]+:\d+/.source;
    expect(out.trimEnd().split('\n').slice(-3)).toEqual([
      expect.stringMatching(
        new RegExp(`^· The site does not back up ${place}: .*To make a backup file now: npm run`),
      ),
      expect.stringMatching(/^✓ The figures were recounted .*, and add up\.$/),
      expect.stringMatching(new RegExp(`^· The data is in ${place}, schema \\d+\\.$`)),
    ]);
  } finally {
    await other.remove();
  }
});

it('status names the connections that cannot be read', async () => {
  await owner.inside(({ connections }) =>
    connections.replace({
      ...{ name: 'email', before: 0, value: Buffer.alloc(40), receiver: undefined },
      act: { at: now, act: 'connection_set', browser: null, detail: 'email' },
    }),
  );
  const { out } = await owner.admin(['status']);
  expect(out).toMatch(/^✗ What you entered for the mail server cannot be read any more/m);
});
