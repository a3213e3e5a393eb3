/** The owner's calls for the site's document, and what a running site shows after them. */
import { afterEach, expect, it, vi } from 'vitest';
import { run } from '../database/database.ts';
import { engines, openDatabase, postgres } from '../testing/engines.ts';
import { site as sample, sampleWith } from '../testing/sample-config.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { readConfigText } from './config-file.ts';
import { withoutWords } from './document.ts';

/** What site.config.ts says. */
const file = sampleWith({ brand: { email: 'me@my-domain.com' } });

type Database = Awaited<ReturnType<typeof postgres.create>>;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function createDatabase(engine = engines[0]): Promise<Database> {
  const database = await (engine ?? postgres).create();
  closing.push(database.remove);
  return database;
}

/** Opens a site on a database, and returns calls of its signed-in owner. */
async function open(database: Database, env: Record<string, string> = {}, config = file) {
  const site: TestSite = await openTestSite({
    env: { ...database.env, ...env },
    config,
  });
  let close = site.close;
  closing.push(() => close());
  const cookie = await signIn(site);
  const answer = async (response: Response): Promise<Record<string, unknown>> => ({
    status: response.status,
    ...((await response.json()) as object),
  });
  return {
    get: async (path: string) => answer(await site.fetch(`/api/${path}`, { headers: { cookie } })),
    post: async (path: string, body?: unknown) =>
      answer(await site.post(`/api/${path}`, body, { cookie })),
    native: async (procedure: string, body: unknown) =>
      answer(await site.post(`/api/trpc/${procedure}`, body, { cookie })),
    /** A text that visitors see. */
    shown: async () => {
      const page = await (await site.fetch('/book/strategy-call')).text();
      return /"([^"]*)(times|slots)"/.exec(page)?.[2];
    },
    close: async () => {
      await close();
      close = async () => {};
    },
  };
}

/** Runs a statement on the database of a site that does not run. */
async function runOn(database: Database, ...statement: Parameters<typeof run>) {
  const beside = await openDatabase(database);
  await beside.write(() => run(...statement));
  await beside.close();
}

const times = { path: 'bookingPages.manyTimes', from: file.bookingPages.manyTimes, to: 'slots' };
const save = { patches: [times] };

it('a published draft is shown at once, and an undone publish is not', async () => {
  const owner = await open(await createDatabase());
  expect(await owner.get('site/draft')).toEqual({
    ...{ status: 200, document: file, revision: 0, live: null, changes: [], mistakes: [] },
    isReadOnly: false,
    file: null,
  });
  expect(await owner.post('site/draft', save)).toEqual({
    ...{ status: 200, revision: 1, mistakes: [], conflicts: [] },
  });
  expect(await owner.get('site/draft')).toMatchObject({ live: null, changes: [times] });
  expect(await owner.shown()).toBe('times');
  const published = await owner.post('site/publish', { revision: 1, note: ' Slots ' });
  expect(published).toEqual({ status: 200, version: 2, publishedAt: expect.any(String) });
  expect(await owner.shown()).toBe('slots');
  expect(await owner.get('site/draft')).toMatchObject({
    revision: 2,
    live: { version: 2, publishedAt: published.publishedAt },
    changes: [],
  });
  expect(await owner.post('site/restore', { version: 1, publish: true })).toEqual({
    ...{ status: 200, revision: 3 },
  });
  expect(await owner.shown()).toBe('times');
  expect(await owner.get('site/versions')).toMatchObject({
    versions: [
      { version: 3, state: 'published', paths: [times.path] },
      { version: 2, state: 'published', note: 'Slots', paths: [times.path] },
      { version: 1, state: 'file', paths: [] },
    ],
  });
});

it('the fields of the site say what the form needs', async () => {
  const owner = await open(await createDatabase());
  const { status, fields } = await owner.get('site/fields');
  expect(status).toBe(200);
  expect(fields).toContainEqual({ path: 'hero.title', kind: 'text', max: 60, label: 'Headline' });
});

it('a text with a mistake is saved, and keeps the draft from being published', async () => {
  const owner = await open(await createDatabase());
  const mistake = { path: 'hero.title', message: 'Please fill this in.' };
  const patches = [{ path: 'hero.title', from: file.hero.title, to: ' ' }, times];
  expect(await owner.post('site/draft', { patches })).toMatchObject({ mistakes: [mistake] });
  expect(await owner.get('site/draft')).toMatchObject({ mistakes: [mistake] });
  expect(await owner.post('site/publish', { revision: 1 })).toEqual({
    ...{ status: 400, code: 'VALIDATION', error: expect.any(String), issues: [mistake] },
  });
  expect(await owner.post('site/publish', { revision: 1, paths: ['bookingPages'] })).toMatchObject({
    status: 200,
  });
  expect(await owner.shown()).toBe('slots');
  expect(await owner.post('site/publish', { revision: 1 })).toMatchObject({
    ...{ status: 409, code: 'DRAFT_CHANGED' },
  });
  expect(await owner.post('site/discard')).toEqual({ status: 200, revision: 3 });
});

it('both adapters refuse a patch of a field that the site does not have', async () => {
  const owner = await open(await createDatabase());
  const wrong = { patches: [times, { path: 'hero.__proto__.x', to: 'y' }] };
  const issues = [{ path: 'patches.1.path', message: expect.stringMatching(/no such field/) }];
  expect(await owner.post('site/draft', wrong)).toMatchObject({ status: 400, issues });
  expect(await owner.native('site.save', wrong)).toMatchObject({
    ...{ status: 400, error: { data: { errorCode: 'VALIDATION', issues } } },
  });
  expect(await owner.native('site.save', save)).toMatchObject({
    result: { data: { revision: 1, conflicts: [] } },
  });
});

it('a long text stays editable, and one that is too long is refused in a sentence of its own', async () => {
  const owner = await open(await createDatabase());
  const [long, longer] = ['x'.repeat(140_000), '信'.repeat(1_900_000)];
  const edit = (from: string, to: string) =>
    owner.post('site/draft', { patches: [{ path: 'tagline', from, to }] });
  for (const [from, to] of [
    [file.tagline, long],
    [long, longer],
    [longer, `${longer}!`],
  ] as const) {
    expect(await edit(from, to)).toMatchObject({ status: 200, conflicts: [] });
  }
  expect(await edit(`${longer}!`, 'x'.repeat(2_000_000))).toMatchObject({
    ...{
      status: 400,
      issues: [{ path: 'patches.0.to', message: expect.stringMatching(/too long/) }],
    },
  });
  expect(await edit('x'.repeat(8_000_000), 'x'.repeat(8_000_000))).toMatchObject({
    ...{ status: 413, code: 'UPLOAD_TOO_LARGE' },
  });
});

it('a text that no database stores is stored without what cannot be, and stays editable', async () => {
  const owner = await open(await createDatabase());
  const to = 'a\0b\ud83d';
  const patches = [times, { path: 'tagline', from: file.tagline, to }];
  expect(await owner.post('site/draft', { patches })).toMatchObject({ status: 200, conflicts: [] });
  expect(await owner.get('site/draft')).toMatchObject({ document: { tagline: 'ab\ufffd' } });
  const next = { patches: [{ path: 'tagline', from: to, to: 'c' }] };
  expect(await owner.post('site/draft', next)).toMatchObject({ status: 200, conflicts: [] });
});

it('a sample address cannot be published where the site sends its emails to it', async () => {
  const owner = await open(await createDatabase(), { SMTP_URL: 'smtp://localhost:1' });
  expect(await owner.get('site/draft')).toMatchObject({ mistakes: [] });
  const patch = { path: 'brand.email', from: file.brand.email, to: sample.brand.email };
  const mistakes = [{ path: 'brand.email', message: expect.stringMatching(/your own address/) }];
  expect(await owner.post('site/draft', { patches: [patch] })).toMatchObject({ mistakes });
});

it('with SITE_CONTENT=file the site shows site.config.ts, and nothing can be published', async () => {
  const database = await createDatabase();
  const owner = await open(database);
  await owner.post('site/draft', save);
  await owner.post('site/publish', { revision: 1 });
  await owner.close();
  const pinned = await open(database, { SITE_CONTENT: 'file' });
  expect(await pinned.shown()).toBe('times');
  expect(await pinned.get('site/draft')).toMatchObject({
    ...{ document: file, revision: 0, live: null, changes: [] },
  });
  for (const [path, body] of [
    ['site/draft', save],
    ['site/publish', { revision: 0 }],
    ['site/discard', undefined],
    ['site/restore', { version: 1 }],
    ['site/restore', { version: 1, publish: true }],
  ] as const) {
    expect(await pinned.post(path, body)).toMatchObject({ status: 409, code: 'CONTENT_IN_FILE' });
  }
});

it('export is refused to strangers and to the pages of other sites', async () => {
  const site = await openTestSite({ config: file });
  closing.push(site.close);
  const cookie = await signIn(site);
  const answer = async (headers: Record<string, string>) =>
    (await site.fetch('/api/site/export', { headers })).status;
  expect(await answer({})).toBe(401);
  expect(await answer({ cookie, 'sec-fetch-site': 'cross-site' })).toBe(403);
  const exported = await site.fetch('/api/site/export', { headers: { cookie } });
  expect(exported.headers.get('content-disposition')).toContain('"site.config.ts"');
  expect(await readConfigText(await exported.text())).toEqual(withoutWords(file));
});

it('a restarted site shows what was published', async () => {
  const database = await createDatabase();
  const owner = await open(database);
  await owner.post('site/draft', save);
  await owner.post('site/publish', { revision: 1 });
  await owner.close();
  expect(await (await open(database)).shown()).toBe('slots');
});

it('a changed site.config.ts is compared with the draft after a restart, until the next publish', async () => {
  const database = await createDatabase();
  const owner = await open(database);
  await owner.post('site/draft', save);
  await owner.post('site/publish', { revision: 1 });
  expect(await owner.get('site/draft')).toMatchObject({ file: null });
  await owner.close();
  const changed = sampleWith({ brand: { email: 'new@my-domain.com' }, tagline: 'Changed' });
  const again = await open(database, {}, changed);
  expect(await again.shown()).toBe('slots');
  const { revision, ...draft } = await again.get('site/draft');
  const changes = [
    { path: 'brand.email', from: file.brand.email, to: 'new@my-domain.com' },
    { path: 'tagline', from: file.tagline, to: 'Changed' },
  ];
  expect(draft).toMatchObject({ changes: [], file: { version: 3, changes } });
  expect((await again.get('site/versions')).versions).toMatchObject([
    { version: 3, state: 'file', paths: ['brand.email', 'tagline'] },
    ...[{ version: 2 }, { version: 1 }],
  ]);
  await again.close();
  const pinned = await open(database, { SITE_CONTENT: 'file' }, changed);
  expect(await pinned.get('site/draft')).toMatchObject({ file: null });
  await pinned.close();
  const last = await open(database, {}, changed);
  expect(await last.post('site/draft', { patches: changes })).toMatchObject({ conflicts: [] });
  expect(await last.post('site/publish', { revision: Number(revision) + 1 })).toMatchObject({
    ...{ status: 200, version: 4 },
  });
  expect(await last.get('site/draft')).toMatchObject({
    ...{ document: { tagline: 'Changed' }, file: null },
  });
});

it('publishing paths without changes returns the live version', async () => {
  const owner = await open(await createDatabase());
  await owner.post('site/draft', save);
  const { version } = await owner.post('site/publish', { revision: 1 });
  const unchanged = { revision: 2, paths: ['calls.hours'] };
  expect(await owner.post('site/publish', unchanged)).toMatchObject({ status: 200, version });
});

it('restoring a version that cannot be read says so', async () => {
  const database = await createDatabase();
  const owner = await open(database);
  await owner.post('site/draft', save);
  await owner.post('site/discard');
  await runOn(database, "UPDATE site_version SET document = '{' WHERE id = 2");
  for (const publish of [false, true]) {
    expect(await owner.post('site/restore', { version: 2, publish })).toMatchObject({
      ...{ status: 409, code: 'VERSION_UNREADABLE', error: expect.stringMatching(/is damaged/) },
    });
  }
  expect(await owner.post('site/restore', { version: 9 })).toMatchObject({ status: 404 });
});

it('another instance shows what was published', async () => {
  const database = await createDatabase(postgres);
  const [one, other] = [await open(database), await open(database)];
  await one.post('site/draft', save);
  await one.post('site/publish', { revision: 1 });
  await vi.waitFor(async () => expect(await other.shown()).toBe('slots'), 20_000);
  await other.post('site/restore', { version: 1, publish: true });
  expect(await other.shown()).toBe('times');
  await vi.waitFor(async () => expect(await one.shown()).toBe('times'), 20_000);
});

it('a published document that cannot be used does not keep the site down', async () => {
  const database = await createDatabase();
  const owner = await open(database);
  await owner.post('site/draft', save);
  await owner.post('site/publish', { revision: 1 });
  const { document } = await owner.get('site/draft');
  await owner.close();
  await runOn(database, 'UPDATE site_version SET document = ? WHERE id = 2', [
    JSON.stringify(document).replace('"10:00-12:30"', '"late"'),
  ]);
  const again = await open(database);
  expect(await again.shown()).toBe('times');
  expect(await again.get('settings/status')).toMatchObject({
    alert: expect.stringMatching(
      /^The published site cannot be shown, so visitors see site\.config\.ts\./,
    ),
  });
  await again.post('site/restore', { version: 1, publish: true });
  expect(await again.get('settings/status')).toMatchObject({ alert: null });
});

it('in place of a published site that cannot be read, an older one is shown, and sales stay as they are', async () => {
  const database = await createDatabase();
  const owner = await open(database);
  await owner.post('site/draft', save);
  await owner.post('site/publish', { revision: 1 });
  const changes = [
    { ...times, from: 'slots', to: 'hours' },
    { path: 'currency', from: file.currency, to: 'EUR' },
    { path: 'paymentLinks', from: [], to: ['plink_1Test'] },
  ];
  await owner.post('site/draft', { patches: changes });
  await owner.post('site/publish', { revision: 3 });
  await owner.close();
  await runOn(database, 'UPDATE site_version SET format = 2 WHERE id = 3');
  const counted = async () => {
    const beside = await database.open();
    const found = [await beside.analytics.currency(), await beside.payments.paymentLinks()];
    await beside.close();
    return found;
  };
  const again = await open(database);
  expect(await again.shown()).toBe('slots');
  expect(await again.get('settings/status')).toMatchObject({
    alert: expect.stringMatching(/an older version of it\. It is damaged, or another version/),
  });
  const refusal = { status: 409, code: 'CONTENT_UNREADABLE' };
  const sentence = expect.stringMatching(/cannot read the published site.*content use-file$/);
  expect(await again.get('site/draft')).toMatchObject({ ...refusal, error: sentence });
  expect(await again.get('site/export')).toMatchObject({ ...refusal, error: sentence });
  expect(await again.post('site/draft', save)).toMatchObject(refusal);
  expect(await again.post('site/restore', { version: 1, publish: true })).toMatchObject(refusal);
  expect(await again.get('site/versions')).toMatchObject({ status: 200 });
  await again.close();
  expect(await counted()).toEqual(['EUR', ['plink_1Test']]);
});

it('a fallback to a file with a sample address starts without email, and says so', async () => {
  const database = await createDatabase();
  const owner = await open(database);
  await owner.post('site/draft', save);
  await owner.post('site/publish', { revision: 1 });
  await owner.close();
  await runOn(database, "UPDATE site_version SET document = '{' WHERE id = 2");
  const again = await open(database, { SMTP_URL: 'smtp://localhost:1' }, sample);
  expect(await again.shown()).toBe('times');
  expect(await again.get('settings/status')).toMatchObject({
    alert: expect.stringMatching(/visitors see site\.config\.ts.*\n.*sends no email.*under Site/),
  });
});
