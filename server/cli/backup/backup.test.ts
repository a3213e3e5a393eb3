import {
  chmod,
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { script } from '../../database/database.ts';
import { shareFolder } from '../../database/sqlite/folder-lock.ts';
import { openSqlite } from '../../database/sqlite/sqlite.ts';
import { createOwner, now, type TestOwner } from '../../testing/cli-io.ts';
import { sampleMessage } from '../../testing/message.ts';

/** Filled once; each test starts with a copy of its folder. */
let template: TestOwner;
let owner: TestOwner;
beforeAll(async () => {
  owner = template = await createOwner();
  await template.admin(['demo', '--events', '500', '--days', '10']);
  await write('before');
});
beforeEach(async () => {
  owner = await createOwner();
  await cp(template.folder, owner.folder, { recursive: true });
});
afterEach(() => owner.remove());
afterAll(() => template.remove());

const write = (id: string) =>
  owner.inside(({ contact }) => contact.add(sampleMessage({ id, receivedAt: now })));
const messages = () =>
  owner.inside(async ({ contact }) => (await contact.from('ada@example.com')).map(({ id }) => id));
const month = { from: now - 30 * 86_400_000, to: now + 1 };
const figures = () => owner.inside(({ analytics }) => analytics.totals(month));
const backupNames = () => readdir(join(owner.folder, 'backups')).then((names) => names.sort());
/** Rows that must not outlive their day, and so are not in a backup. */
const insertDailySecrets = `
  INSERT INTO admin_session (id_hash, created_at, seen_at) VALUES ('session-of-the-owner', 1, 1);
  INSERT INTO sign_in_link VALUES (1, 'hash-of-a-sign-in-link', 1);
  INSERT INTO sign_in_attempt VALUES (1, 'address-of-a-stranger', '', 'password', 'wrong', 1, 1);
  INSERT INTO visitor_salt VALUES (1, CAST('salt-of-the-day' AS BLOB));
  INSERT INTO seen_visitor (day, kind, visitor) VALUES (1, 1, CAST('key-of-a-visitor' AS BLOB))`;
/** Expects that the daily secrets are gone and that everything else is there. */
const expectTrimmed = async (file: string) => {
  const bytes = await readFile(file);
  for (const secret of [
    'session-of-the-owner',
    'hash-of-a-sign-in-link',
    'address-of-a-stranger',
    'salt-of-the-day',
    'key-of-a-visitor',
  ]) {
    expect(bytes.includes(secret)).toBe(false);
  }
  expect(bytes.includes('ada@example.com')).toBe(true);
};
const runSql = async (sql: string, file = 'shingle.db') => {
  const database = openSqlite(join(owner.folder, file), { asIs: true });
  await database.write(() => script(sql));
  await database.close();
};
/**
 * Also deletes the WAL, which may hold every page of so small a database. Writes a new file rather
 * than into the old one, since the driver may close that late and checkpoint its pages into it.
 */
const damage = async () => {
  for (const name of ['shingle.db', 'shingle.db-wal']) {
    await rm(join(owner.folder, name), { force: true });
  }
  await writeFile(join(owner.folder, 'shingle.db'), 'nonsense '.repeat(1000));
};
/** Names in the data folder, without the backups. */
const dataFiles = async () =>
  (await readdir(owner.folder)).filter((name) => name !== 'backups').sort();

describe('a folder whose database is gone', () => {
  const refusal =
    /^The database \S+shingle\.db is missing or empty, but \S+ has held a site\. .*admin -- restore lists .*start anew .*\n$/;
  beforeEach(async () => {
    await owner.admin(['backup']);
    for (const suffix of ['', '-wal', '-shm']) {
      await rm(join(owner.folder, `shingle.db${suffix}`), { force: true });
    }
  });
  const emptied = {
    missing: async () => {},
    'of 0 bytes': () => writeFile(join(owner.folder, 'shingle.db'), ''),
    'without its log': async () => {
      const file = openSqlite(join(owner.folder, 'shingle.db'));
      await file.close();
      for (const suffix of ['-wal', '-shm']) {
        await rm(join(owner.folder, `shingle.db${suffix}`), { force: true });
      }
    },
  };

  it.each(Object.keys(emptied) as (keyof typeof emptied)[])(
    'commands refuse a folder with backups whose database is %s, and restore works',
    async (how) => {
      await emptied[how]();
      const before = (await stat(join(owner.folder, 'shingle.db')).catch(() => undefined))?.size;
      for (const args of [['messages'], ['demo'], ['password', '--generate'], ['status']]) {
        const { code, err } = await owner.admin(args);
        expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(refusal) });
      }
      const after = (await stat(join(owner.folder, 'shingle.db')).catch(() => undefined))?.size;
      expect(after).toBe(before);
      expect((await owner.admin(['restore', (await backupNames())[0] ?? ''])).code).toBe(0);
      expect(await messages()).toEqual(['before']);
    },
  );

  it('backup and move say that the database is gone, not that the site was never started', async () => {
    for (const args of [['backup'], ['move', '--to', 'postgres://a:b@localhost:1/c']]) {
      expect((await owner.admin(args)).err).toMatch(/^The database|\nThe database/);
    }
  });

  it.each(['last-night.json', 'before-restore-2026-11-01T00-00-00Z', 'shingle.db-wal'])(
    'commands refuse a folder without a database that holds %s',
    async (name) => {
      await rm(join(owner.folder, 'backups'), { recursive: true });
      await writeFile(join(owner.folder, name), 'of a site');
      expect((await owner.admin(['messages'])).err).toMatch(refusal);
    },
  );

  it('a folder whose content was moved elsewhere holds a new site', async () => {
    await rename(join(owner.folder, 'backups'), join(owner.folder, 'old backups'));
    expect((await owner.admin(['messages'])).code).toBe(0);
  });
});

describe('backup', () => {
  it('backup makes one file that only its owner may read, and prints that it was verified', async () => {
    const { code, out } = await owner.admin(['backup']);
    expect(code).toBe(0);
    const name = 'backup-2026-11-21T02-30-00Z.db';
    expect(await backupNames()).toEqual([name]);
    expect((await stat(join(owner.folder, 'backups', name))).mode & 0o777).toBe(0o600);
    expect((await stat(join(owner.folder, 'backups'))).mode & 0o777).toBe(0o700);
    expect(out).toMatch(
      /^Backed up to .*\/backups\/backup-\S+ \(\d+\.\d MB\) and verified: [\d,]+ figures add up\.\n$/,
    );
  });

  it('backup writes the named file and never overwrites one', async () => {
    expect((await owner.admin(['backup', 'mine.db'])).code).toBe(0);
    const first = await readFile(join(owner.folder, 'mine.db'));
    expect(await owner.admin(['backup', 'mine.db'])).toMatchObject({
      code: 1,
      err: 'The file mine.db exists already. Please choose another name.\n',
    });
    expect(await readFile(join(owner.folder, 'mine.db'))).toEqual(first);
  });

  it('backup does not create a missing folder, which may be on an unmounted disk', async () => {
    expect(await owner.admin(['backup', 'stick/mine.db'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^The folder .*stick does not exist\. Please create it, or connect/,
      ),
    });
    expect(await dataFiles()).not.toContain('stick');
  });

  it('a backup holds no session and nothing that identifies visitors', async () => {
    await runSql(insertDailySecrets);
    await owner.admin(['backup', 'mine.db']);
    await expectTrimmed(join(owner.folder, 'mine.db'));
  });

  it('backup --nightly keeps the newest fourteen nights and the owner’s own backups', async () => {
    const folder = join(owner.folder, 'backups');
    await owner.admin(['backup']);
    for (let day = 1; day <= 20; day++) {
      await writeFile(join(folder, `nightly-2026-10-${String(day).padStart(2, '0')}.db`), '');
    }
    expect((await owner.admin(['backup', '--nightly'])).code).toBe(0);
    const names = await backupNames();
    expect(names).toHaveLength(15);
    expect(names.slice(0, 2)).toEqual(['backup-2026-11-21T02-30-00Z.db', 'nightly-2026-10-08.db']);
    expect(names.at(-1)).toMatch(/^nightly-2026-11-2[01]\.db$/);
  });

  it('backup --nightly keeps the newest full backup while the nights after it are those of an emptied site', async () => {
    const folder = join(owner.folder, 'backups');
    const nameOf = (day: number) => `nightly-2026-10-${String(day).padStart(2, '0')}.db`;
    await owner.admin(['backup', 'full.db']);
    const empty = await createOwner();
    await empty.inside(async () => {});
    await empty.admin(['backup', 'empty.db']);
    // The oldest night is that of a flood of spam.
    await owner.inside(({ contact }) =>
      Promise.all(
        Array.from({ length: 300 }, (_, n) => {
          const message = sampleMessage({ id: `s${n}`, receivedAt: now, email: 'eve@x.example' });
          return contact.add(message, { folder: 'spam', suspicions: ['trap'] });
        }),
      ),
    );
    await owner.admin(['backup', 'flood.db']);
    await mkdir(folder);
    const full = (day: number) => (day === 1 ? 'flood.db' : 'full.db');
    for (let day = 1; day <= 30; day++) {
      const source = day <= 3 ? join(owner.folder, full(day)) : join(empty.folder, 'empty.db');
      await copyFile(source, join(folder, nameOf(day)));
    }
    await rename(folder, join(empty.folder, 'backups'));
    expect((await empty.admin(['backup', '--nightly'])).code).toBe(0);
    const names = async () => (await readdir(join(empty.folder, 'backups'))).sort();
    expect((await names()).slice(0, 2)).toEqual([nameOf(3), nameOf(18)]);
    expect(await names()).toHaveLength(15);

    // Restored, it is a night like any other.
    expect((await empty.admin(['restore', nameOf(3)])).code).toBe(0);
    expect((await empty.admin(['backup', '--nightly'])).code).toBe(0);
    expect((await names())[0]).toBe(nameOf(18));
    expect(await names()).toHaveLength(14);
    await empty.remove();
  });

  /** Fills a new site's folder with twenty nights, of which the first three are copies of `full`; makes one more. */
  async function nightsAfter(full: string) {
    const empty = await createOwner();
    await empty.inside(async () => {});
    await empty.admin(['backup', 'empty.db']);
    const folder = join(empty.folder, 'backups');
    await mkdir(folder);
    for (let day = 1; day <= 20; day++) {
      const source = day <= 3 ? join(owner.folder, full) : join(empty.folder, 'empty.db');
      await copyFile(source, join(folder, `nightly-2026-10-${String(day).padStart(2, '0')}.db`));
    }
    const { code, err } = await empty.admin(['backup', '--nightly']);
    const names = (await readdir(folder)).sort();
    await empty.remove();
    return { code, err, oldest: names.slice(0, 2), count: names.length };
  }
  const keptThird = {
    ...{ code: 0, err: '', count: 15 },
    oldest: ['nightly-2026-10-03.db', 'nightly-2026-10-08.db'],
  };

  it('backup --nightly keeps the newest full backup and deletes older ones', async () => {
    await owner.admin(['backup', 'full.db']);
    expect(await nightsAfter('full.db')).toEqual(keptThird);
  });

  it('backup --nightly keeps one backup that it cannot read, and no more', async () => {
    await writeFile(join(owner.folder, 'damaged.db'), 'nonsense '.repeat(1000));
    expect(await nightsAfter('damaged.db')).toEqual(keptThird);
  });

  it('backup --nightly keeps tonight’s backup when others have dates in the future', async () => {
    await mkdir(join(owner.folder, 'backups'));
    for (let day = 10; day < 30; day++) {
      await writeFile(join(owner.folder, 'backups', `nightly-2099-01-${day}.db`), '');
    }
    await owner.admin(['backup', '--nightly']);
    expect((await backupNames())[0]).toMatch(/^nightly-2026/);
  });

  it('backup --nightly removes the temporary file of an interrupted backup', async () => {
    const temporaryFile = join(owner.folder, 'backups', 'nightly-2026-11-20.db.part-0123456789ab');
    await mkdir(join(owner.folder, 'backups'));
    await writeFile(temporaryFile, 'half');
    await utimes(temporaryFile, 1, 1);
    await owner.admin(['backup', '--nightly']);
    expect((await backupNames()).filter((name) => name.includes('part'))).toEqual([]);
  });

  it('backup leaves no file when the database is damaged', async () => {
    await damage();
    const { code, err } = await owner.admin(['backup', '--nightly']);
    expect(code).toBe(1);
    expect(err).toMatch(/^The database file in DATA_DIR is damaged\..*\n$/);
    expect(await backupNames()).toEqual([]);
  });

  it('backup refuses a folder without a database', async () => {
    const folder = join(owner.folder, 'new');
    const { code, err } = await owner.admin(['backup'], { env: { DATA_DIR: folder } });
    expect(code).toBe(1);
    expect(err).toMatch(/^There is nothing in .* to back up: the site was never started\.\n$/);
  });
});

describe('restore', () => {
  it('restore brings back the backup and keeps the current database in a folder', async () => {
    const before = await figures();
    await owner.admin(['backup', 'mine.db']);
    await write('after');
    await owner.admin(['conversions', 'import', '-']);

    const { code, out, err } = await owner.admin(['restore', 'mine.db']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Restored and verified\. [\d,]+ figures add up\.\n/);
    expect(out).toContain('People whom you erased after this backup');
    expect(await messages()).toEqual(['before']);
    expect(await figures()).toEqual(before);
    expect((await owner.admin(['verify'])).code).toBe(0);

    const aside = /kept in (\S+)\. Delete/.exec(out)?.[1] ?? '';
    expect(await owner.admin(['restore', join(aside, 'shingle.db')])).toMatchObject({ code: 0 });
    expect((await messages()).sort()).toEqual(['after', 'before']);
  });

  it('the database that restore sets aside holds no session or visitor ids, and only its owner may read it', async () => {
    await owner.admin(['backup', 'mine.db']);
    await runSql(insertDailySecrets);
    await chmod(join(owner.folder, 'shingle.db'), 0o644);
    const { out } = await owner.admin(['restore', 'mine.db']);
    const aside = /kept in (\S+)\. Delete/.exec(out)?.[1] ?? '';
    expect(await readdir(aside)).toEqual(['shingle.db']);
    await expectTrimmed(join(aside, 'shingle.db'));
    expect((await stat(aside)).mode & 0o777).toBe(0o700);
    expect((await stat(join(aside, 'shingle.db'))).mode & 0o777).toBe(0o600);
  });

  it('restore creates a complete site in an empty folder', async () => {
    await owner.admin(['backup', 'mine.db']);
    const env = { DATA_DIR: join(owner.folder, 'new', 'machine') };
    const { code, out } = await owner.admin(['restore', 'mine.db'], { env });
    expect(code).toBe(0);
    expect(out).toContain('There was no database before.\n');
    expect((await owner.admin(['messages'], { env })).out).toContain('Ada <ada@example.com>');
    expect((await owner.admin(['verify'], { env })).code).toBe(0);
    expect((await stat(join(env.DATA_DIR, 'shingle.db'))).mode & 0o777).toBe(0o600);
  });

  it('restore lists the backups and finds one by its name', async () => {
    expect((await owner.admin(['restore'])).out).toMatch(/^There are no backups in .*backups\.\n$/);
    await owner.admin(['backup']);
    const { out } = await owner.admin(['restore']);
    expect(out).toMatch(/ {2}\d+\.\d MB {2}\S+backup-2026-11-21T02-30-00Z\.db\n1 backup\./);
    const restored = await owner.admin(['restore', 'backup-2026-11-21T02-30-00Z.db']);
    expect(restored.code).toBe(0);
  });

  it('restore is refused while a process uses the folder, and changes nothing', async () => {
    await owner.admin(['backup', 'mine.db']);
    await write('after');
    const release = shareFolder(owner.folder);
    const { code, err } = await owner.admin(['restore', 'mine.db']);
    release();
    expect(code).toBe(1);
    expect(err).toMatch(/^The site is running on .*Please stop it first, and try again\.\n$/);
    expect(await messages()).toHaveLength(2);
  });

  it('restore replaces a damaged database, which is kept unchanged', async () => {
    await owner.admin(['backup', 'mine.db']);
    await damage();
    const { code, out } = await owner.admin(['restore', 'mine.db']);
    expect(code).toBe(0);
    expect(await messages()).toEqual(['before']);
    const aside = /kept in (\S+)\. Delete/.exec(out)?.[1] ?? '';
    expect(await readFile(join(aside, 'shingle.db'), 'utf8')).toMatch(/^nonsense/);
  });

  it('restore does not apply the WAL of the previous database to the restored one', async () => {
    await owner.admin(['backup', 'mine.db']);
    // A killed process leaves its WAL behind.
    const database = openSqlite(join(owner.folder, 'shingle.db'));
    await database.write(() => script("UPDATE contact_message SET name = 'Eve'"));
    await copyFile(join(owner.folder, 'shingle.db-wal'), join(owner.folder, 'wal-copy'));
    await database.close();
    await copyFile(join(owner.folder, 'wal-copy'), join(owner.folder, 'shingle.db-wal'));
    await owner.admin(['restore', 'mine.db']);
    expect((await owner.admin(['messages'])).out).toContain('Ada <');
  });

  it.each([
    ['is no database', 'text '.repeat(2000), /notes\.db is no backup of Shingle\./],
    ['is empty', '', /notes\.db is no backup of Shingle\./],
  ])('restore refuses a file that %s, and changes nothing', async (_what, text, sentence) => {
    await writeFile(join(owner.folder, 'notes.db'), text);
    const before = await dataFiles();
    const { code, err } = await owner.admin(['restore', 'notes.db']);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(sentence) });
    expect(await dataFiles()).toEqual(before);
    expect(await messages()).toEqual(['before']);
  });

  it('restore refuses the database of another program', async () => {
    await runSql('CREATE TABLE recipe (name TEXT)', 'recipes.db');
    const { code, err } = await owner.admin(['restore', 'recipes.db']);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('recipes.db is no backup of Shingle.'),
    });
  });

  it('restore refuses a backup of a newer version and a damaged one', async () => {
    await owner.admin(['backup', 'newer.db']);
    await copyFile(join(owner.folder, 'newer.db'), join(owner.folder, 'damaged.db'));
    await runSql('INSERT INTO schema_version (version) VALUES (999)', 'newer.db');
    expect((await owner.admin(['restore', 'newer.db'])).err).toMatch(
      /newer\.db was made by a newer version of Shingle \(its schema is 999, .*\n$/,
    );
    const bytes = await readFile(join(owner.folder, 'damaged.db'));
    bytes.fill(0xa5, bytes.length >> 1, (bytes.length >> 1) + 8192);
    await writeFile(join(owner.folder, 'damaged.db'), bytes);
    expect((await owner.admin(['restore', 'damaged.db'])).err).toMatch(
      /damaged\.db is damaged and cannot be used\./,
    );
    expect(await messages()).toEqual(['before']);
  });

  it('restore names the file that does not exist', async () => {
    expect(await owner.admin(['restore', 'gone.db'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^There is no file .*gone\.db, nor one .*lists the backups.*\n$/),
    });
  });
});
