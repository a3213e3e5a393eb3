/** The form and the owner's inbox, over both doors. */
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databaseFile } from '../app/data-folder.ts';
import type { Outputs } from '../contract/api.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { openTestSmtp } from '../testing/smtp.ts';
import { sentences } from '../trpc/errors.ts';
import { messageId } from './message-id.ts';

type Answer = Outputs['contact']['messages'];

const now = Date.UTC(2026, 10, 21, 2, 30);
const hello = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };

let site: TestSite;
let clock: number;
let cookie: string;
beforeEach(async () => {
  clock = now;
  site = await openTestSite({ now: () => clock });
  cookie = await signIn(site);
});
afterEach(() => site.close());

interface Door {
  list(input?: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  post(
    procedure: 'submit' | 'sort',
    input: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** What an answer holds. */
  read(answer: Response): Promise<Answer>;
  errorOf(answer: Response): Promise<string>;
}

const rest: Door = {
  list: (input, headers = { cookie }) =>
    site.fetch(`/api/messages?${new URLSearchParams(input)}`, { headers }),
  post: (procedure, input, headers = {}) =>
    site.post(procedure === 'submit' ? '/api/contact' : '/api/messages', input, headers),
  read: (answer) => answer.json(),
  errorOf: async (answer) => (await answer.json()).error,
};
const native: Door = {
  list: (input = {}, headers = { cookie }) =>
    site.fetch(
      `/api/trpc/contact.messages?${new URLSearchParams({ input: JSON.stringify(input) })}`,
      { headers },
    ),
  post: (procedure, input, headers = {}) =>
    site.post(`/api/trpc/contact.${procedure}`, input, headers),
  read: async (answer) => (await answer.json()).result.data,
  errorOf: async (answer) => (await answer.json()).error.message,
};

describe.each([
  ['REST', rest],
  ['native tRPC', native],
])('%s', (_, door) => {
  const listed = async (input?: Record<string, string>) => door.read(await door.list(input));
  const send = async (change: object = {}, headers: Record<string, string> = {}) => {
    const answer = await door.post('submit', { ...hello, ...change }, headers);
    expect(answer.status).toBe(200);
  };

  it('keeps a try after a lost answer once, and changed words as a message of their own', async () => {
    const key = { 'idempotency-key': messageId(now - 60_000) };
    for (let n = 0; n < 3; n++) await send({}, key);
    await send({}, { 'idempotency-key': `"${key['idempotency-key']}"` });
    expect((await listed()).messages).toHaveLength(1);
    await send({ message: 'Hello again' }, key);
    await send({}, { 'idempotency-key': messageId(now - 50_000) });
    expect((await listed()).messages).toHaveLength(3);
  });

  it('keeps every message that has no key, or one that is none', async () => {
    for (const key of ['', 'short', 'x'.repeat(500), 'with spaces in it, and more of it']) {
      await send({}, { 'idempotency-key': key });
    }
    await send();
    expect((await listed()).messages).toHaveLength(5);
  });

  it('puts spam into its folder, and tells nobody', async () => {
    await send({ hq7x: 'http://spam.example' });
    await send({ hq7x: '' });
    await send({ hq7x: { an: ['object'] } });
    clock += 1;
    // Sent two seconds after its page came, and with links.
    await send({ message: 'www.a.b '.repeat(3) }, { 'idempotency-key': messageId(now - 2000) });
    const inbox = await listed();
    expect(inbox.counts).toEqual({
      inbox: { all: 2, unread: 2 },
      archive: { all: 0, unread: 0 },
      spam: { all: 2, unread: 2 },
    });
    const { messages } = await listed({ folder: 'spam' });
    expect(messages.map(({ suspicions }) => suspicions)).toEqual([['links', 'speed'], ['trap']]);
  });

  it('takes the seventh message of an hour with links for spam, and not that of a neighbour', async () => {
    const links = { message: 'We use www.a.example, www.b.example and www.c.example.' };
    for (let n = 0; n < 5; n++) await send({ message: `No ${n}` });
    await send(links);
    await send(links, { 'x-forwarded-for': '192.0.2.9' });
    expect((await listed()).counts.spam.all).toBe(1);
    clock += 60 * 60_000;
    await send(links);
    expect((await listed()).counts.spam.all).toBe(1);
  });

  it('an address that sends more than ten messages in an hour sends spam, and its neighbours do not', async () => {
    for (let n = 0; n < 12; n++) await send({ message: `No ${n}` });
    expect((await listed()).counts).toMatchObject({ inbox: { all: 10 }, spam: { all: 2 } });
    for (let n = 0; n < 190; n++) {
      await send({ message: `By ${n}` }, { 'x-forwarded-for': `192.0.2.${n}` });
    }
    expect((await listed()).counts).toMatchObject({ inbox: { all: 200 }, spam: { all: 2 } });
  });

  it('lists for the owner only', async () => {
    const answer = await door.list({}, {});
    expect(answer.status).toBe(401);
    expect(await door.errorOf(answer)).toBe(sentences.unauthorized);
    const change = { ids: ['x'], folder: 'archive' };
    expect((await door.post('sort', change)).status).toBe(401);
  });

  it('lists what is unread first, page by page, each once', async () => {
    for (let n = 0; n < 120; n++) {
      clock += 1000;
      await send({ name: `No ${n}` }, { 'x-forwarded-for': `192.0.2.${n}` });
    }
    const first = await listed();
    expect(first).toMatchObject({ folder: 'inbox', isMailed: false });
    expect(first.messages).toHaveLength(50);
    expect(first.messages[0]).toEqual({
      id: expect.any(String),
      receivedAt: new Date(clock).toISOString(),
      ...hello,
      name: 'No 119',
      folder: 'inbox',
      isRead: false,
    });
    const ids = first.messages.slice(0, 10).map(({ id }) => id);
    expect((await door.post('sort', { ids, isRead: true }, { cookie })).status).toBe(200);
    const names: string[] = [];
    let after: string | undefined;
    do {
      const page = await listed(after === undefined ? {} : { after });
      names.push(...page.messages.map(({ name }) => name));
      after = page.next;
    } while (after !== undefined);
    const number = (n: number) => `No ${n}`;
    expect(names).toEqual([
      ...Array.from({ length: 110 }, (_, n) => number(109 - n)),
      ...Array.from({ length: 10 }, (_, n) => number(119 - n)),
    ]);
  });

  it('finds words, and sorts into folders and back', async () => {
    await send({ name: 'Zoe', company: 'Acme' });
    await send();
    const { messages } = await listed({ search: 'acme' });
    expect(messages).toMatchObject([{ name: 'Zoe', company: 'Acme' }]);
    const ids = messages.map(({ id }) => id);
    for (const folder of ['archive', 'spam', 'inbox']) {
      expect((await door.post('sort', { ids, folder }, { cookie })).status).toBe(200);
      expect((await listed({ folder })).messages.map(({ id }) => id)).toContain(ids[0]);
    }
  });

  it.each([
    ['list', { folder: 'bin' }, 'folder'],
    ['list', { after: 'nowhere' }, 'after'],
    ['list', { after: Buffer.from('[true,1]').toString('base64url') }, 'after'],
    ['list', { search: 'x'.repeat(201) }, 'search'],
    ['sort', { ids: [] }, 'ids'],
    ['sort', { ids: ['a'], folder: 'bin' }, 'folder'],
    ['sort', { ids: ['a'], isRead: 'yes' }, 'isRead'],
    ['sort', { ids: ['a\0b'], isRead: true }, 'ids.0'],
    ['sort', { ids: Array(1001).fill('a') }, 'ids'],
  ])('400: %s %j', async (call, input, path) => {
    const answer =
      call === 'list'
        ? await door.list(input as Record<string, string>)
        : await door.post('sort', input, { cookie });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`"path":"${path}"`);
  });

  it('403: another site’s page moves nothing', async () => {
    await send();
    const [message] = (await listed()).messages;
    const change = { ids: [message?.id], folder: 'spam' };
    const headers = { cookie, origin: 'https://evil.example' };
    expect((await door.post('sort', change, headers)).status).toBe(403);
    expect((await listed()).messages).toHaveLength(1);
  });
});

it('the form without a script goes by the same rules', async () => {
  const submit = (fields: Record<string, string>) =>
    site.fetch('/api/contact', { method: 'POST', body: new URLSearchParams(fields) });
  for (const hq7x of ['', 'x']) {
    const answer = await submit({ ...hello, company: '', hq7x });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/sent/)]);
  }
  const { counts } = await rest.read(await rest.list());
  expect([counts.inbox.all, counts.spam.all]).toEqual([1, 1]);
});

it('spam that was being stored while the owner read the folder is not deleted', async () => {
  const spamFolder = async () => rest.read(await rest.list({ folder: 'spam' }));
  const empty = (until: string) => site.post('/api/messages/empty-spam', { until }, { cookie });
  const other = new DatabaseSync(databaseFile(site.dataDir));
  other.exec('BEGIN IMMEDIATE');
  const sending = rest.post('submit', { ...hello, hq7x: 'x' });
  const { asOf, counts } = await spamFolder();
  other.exec('ROLLBACK');
  other.close();
  expect((await sending).status).toBe(200);
  expect(counts.spam.all).toBe(0);

  expect((await empty(asOf)).status).toBe(200);
  expect((await spamFolder()).counts.spam.all).toBe(1);
  clock += 2 * 60_000;
  await empty((await spamFolder()).asOf);
  expect((await spamFolder()).counts.spam.all).toBe(0);
});

it('says on the dashboard how many are unread, without the spam', async () => {
  await rest.post('submit', hello);
  await rest.post('submit', { ...hello, hq7x: 'x' });
  const answer = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
  expect(await answer.json()).toMatchObject({ unread: 1 });
});

it('mails one letter for a message that was tried twice, and none at once for spam', async () => {
  const smtp = await openTestSmtp();
  const mailed = await openTestSite({
    env: { SMTP_URL: smtp.url, CONTACT_TO: 'me@my-domain.com' },
  });
  const key = { 'idempotency-key': messageId(Date.now() - 60_000) };
  await mailed.post('/api/contact', { ...hello, name: 'Spam', hq7x: 'x' });
  for (let n = 0; n < 3; n++) await mailed.post('/api/contact', hello, key);
  await mailed.post('/api/contact', { ...hello, name: 'Last' });
  await vi.waitFor(() => expect(smtp.letters).toHaveLength(2), 20_000);
  expect(smtp.letters.map(({ subject }) => subject)).toEqual([
    'Message from Ada',
    'Message from Last',
  ]);
  const owner = await signIn(mailed);
  await vi.waitFor(async () => {
    const answer = await mailed.fetch('/api/messages', { headers: { cookie: owner } });
    const { messages, isMailed } = (await answer.json()) as Answer;
    expect(isMailed).toBe(true);
    expect(messages.map(({ delivery }) => delivery?.state)).toEqual(['sent', 'sent']);
  }, 20_000);
  await mailed.close();
  await smtp.close();
});
