/** The contact form and the owner's inbox, over REST and native tRPC. */
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Outputs } from '../contract/api.ts';
import { databaseFile } from '../stores/data-folder.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { openTestSmtp } from '../testing/smtp.ts';
import { sentenceOf } from '../trpc/errors.ts';
import { messageId } from './submission.ts';

type Inbox = Outputs['contact']['messages'];

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

interface Adapter {
  list(input?: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  post(
    procedure: 'submit' | 'sort',
    input: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  read(response: Response): Promise<Inbox>;
  errorOf(response: Response): Promise<string>;
}

const rest: Adapter = {
  list: (input, headers = { cookie }) =>
    site.fetch(`/api/messages?${new URLSearchParams(input)}`, { headers }),
  post: (procedure, input, headers = {}) =>
    site.post(procedure === 'submit' ? '/api/contact' : '/api/messages', input, headers),
  read: (response) => response.json(),
  errorOf: async (response) => (await response.json()).error,
};
const native: Adapter = {
  list: (input = {}, headers = { cookie }) =>
    site.fetch(
      `/api/trpc/contact.messages?${new URLSearchParams({ input: JSON.stringify(input) })}`,
      { headers },
    ),
  post: (procedure, input, headers = {}) =>
    site.post(`/api/trpc/contact.${procedure}`, input, headers),
  read: async (response) => (await response.json()).result.data,
  errorOf: async (response) => (await response.json()).error.message,
};

describe.each([
  ['REST', rest],
  ['native tRPC', native],
])('%s', (_, adapter) => {
  const listed = async (input?: Record<string, string>) => adapter.read(await adapter.list(input));
  const send = async (change: object = {}, headers: Record<string, string> = {}) => {
    const response = await adapter.post('submit', { ...hello, ...change }, headers);
    expect(response.status).toBe(200);
  };

  it('contact form stores a retry once, and a retry with changed text as another message', async () => {
    const key = { 'idempotency-key': messageId(now - 60_000) };
    for (let n = 0; n < 3; n++) await send({}, key);
    await send({}, { 'idempotency-key': `"${key['idempotency-key']}"` });
    expect((await listed()).messages).toHaveLength(1);
    await send({ message: 'Hello again' }, key);
    await send({}, { 'idempotency-key': messageId(now - 50_000) });
    expect((await listed()).messages).toHaveLength(3);
  });

  it('contact form stores every message without a valid idempotency key', async () => {
    for (const key of ['', 'short', 'x'.repeat(500), 'with spaces in it, and more of it']) {
      await send({}, { 'idempotency-key': key });
    }
    await send();
    expect((await listed()).messages).toHaveLength(5);
  });

  it('contact form stores spam in the spam folder and returns 200', async () => {
    await send({ hq7x: 'http://spam.example' });
    await send({ hq7x: '' });
    await send({ hq7x: { an: ['object'] } });
    clock += 1;
    // Sent two seconds after the page was loaded, and with links.
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

  it('message with links after five others in an hour is spam, but not one from another address', async () => {
    const links = { message: 'We use www.a.example, www.b.example and www.c.example.' };
    for (let n = 0; n < 5; n++) await send({ message: `No ${n}` });
    await send(links);
    await send(links, { 'x-forwarded-for': '192.0.2.9' });
    expect((await listed()).counts.spam.all).toBe(1);
    clock += 60 * 60_000;
    await send(links);
    expect((await listed()).counts.spam.all).toBe(1);
  });

  it('messages after the tenth in an hour from one address are spam, but not those of other addresses', async () => {
    for (let n = 0; n < 12; n++) await send({ message: `No ${n}` });
    expect((await listed()).counts).toMatchObject({ inbox: { all: 10 }, spam: { all: 2 } });
    for (let n = 0; n < 190; n++) {
      await send({ message: `By ${n}` }, { 'x-forwarded-for': `192.0.2.${n}` });
    }
    expect((await listed()).counts).toMatchObject({ inbox: { all: 200 }, spam: { all: 2 } });
  });

  it('inbox returns 401 without a session', async () => {
    const response = await adapter.list({}, {});
    expect(response.status).toBe(401);
    expect(await adapter.errorOf(response)).toBe(sentenceOf('UNAUTHORIZED'));
    const change = { ids: ['x'], folder: 'archive' };
    expect((await adapter.post('sort', change)).status).toBe(401);
  });

  it('inbox lists unread messages first and each once across pages, with cursors without their text', async () => {
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
    // It is part of an address, which logs keep and servers limit.
    const cursor = Buffer.from(first.next ?? '', 'base64url').toString();
    expect(Object.keys(JSON.parse(cursor)).sort()).toEqual(['id', 'isRead', 'receivedAt']);
    const ids = first.messages.slice(0, 10).map(({ id }) => id);
    expect((await adapter.post('sort', { ids, isRead: true }, { cookie })).status).toBe(200);
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

  it('inbox finds text and moves messages between folders', async () => {
    await send({ name: 'Zoe', company: 'Acme' });
    await send();
    const { messages } = await listed({ search: 'acme' });
    expect(messages).toMatchObject([{ name: 'Zoe', company: 'Acme' }]);
    const ids = messages.map(({ id }) => id);
    for (const folder of ['archive', 'spam', 'inbox']) {
      expect((await adapter.post('sort', { ids, folder }, { cookie })).status).toBe(200);
      expect((await listed({ folder })).messages.map(({ id }) => id)).toContain(ids[0]);
    }
  });

  it('inbox finds a message by its address as the visitor typed it', async () => {
    await send({ email: 'info@müller.example' });
    const { messages } = await listed({ search: 'Info@müller.example' });
    expect(messages).toMatchObject([{ email: 'info@xn--mller-kva.example' }]);
    expect((await listed({ search: 'müller.example' })).messages).toHaveLength(1);
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
  ])('inbox returns 400 for %s %j', async (call, input, path) => {
    const response =
      call === 'list'
        ? await adapter.list(input as Record<string, string>)
        : await adapter.post('sort', input, { cookie });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`"path":"${path}"`);
  });

  it('inbox returns 403 and moves no message when another site sends the request', async () => {
    await send();
    const [message] = (await listed()).messages;
    const change = { ids: [message?.id], folder: 'spam' };
    const headers = { cookie, origin: 'https://evil.example' };
    expect((await adapter.post('sort', change, headers)).status).toBe(403);
    expect((await listed()).messages).toHaveLength(1);
  });
});

it('contact form without JavaScript stores messages and spam in the same way', async () => {
  const submit = (fields: Record<string, string>) =>
    site.fetch('/api/contact', { method: 'POST', body: new URLSearchParams(fields) });
  for (const hq7x of ['', 'x']) {
    const response = await submit({ ...hello, company: '', hq7x });
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/sent/)]);
  }
  const { counts } = await rest.read(await rest.list());
  expect([counts.inbox.all, counts.spam.all]).toEqual([1, 1]);
});

it('emptying the spam folder keeps spam that was being stored while the owner read the folder', async () => {
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

it.each(['/api/analytics/dashboard', '/api/messages/unread'])(
  '%s counts unread messages without spam',
  async (path) => {
    await rest.post('submit', hello);
    await rest.post('submit', { ...hello, hq7x: 'x' });
    const response = await site.fetch(path, { headers: { cookie } });
    expect(await response.json()).toMatchObject({ unread: 1 });
    expect((await site.fetch(path)).status).toBe(401);
  },
);

it('contact form sends one email for a retried message and none for spam', async () => {
  const smtp = await openTestSmtp();
  const mailed = await openTestSite({
    env: { SMTP_URL: smtp.url, CONTACT_TO: 'me@my-domain.com' },
  });
  const key = { 'idempotency-key': messageId(Date.now() - 60_000) };
  await mailed.post('/api/contact', { ...hello, name: 'Spam', hq7x: 'x' });
  for (let n = 0; n < 3; n++) await mailed.post('/api/contact', hello, key);
  await mailed.post('/api/contact', { ...hello, name: 'Last' });
  await vi.waitFor(() => expect(smtp.emails).toHaveLength(2), 20_000);
  expect(smtp.emails.map(({ subject }) => subject)).toEqual([
    'Message from Ada',
    'Message from Last',
  ]);
  const owner = await signIn(mailed);
  await vi.waitFor(async () => {
    const response = await mailed.fetch('/api/messages', { headers: { cookie: owner } });
    const { messages, isMailed } = (await response.json()) as Inbox;
    expect(isMailed).toBe(true);
    expect(messages.map(({ delivery }) => delivery?.state)).toEqual(['sent', 'sent']);
  }, 20_000);
  await mailed.close();
  await smtp.close();
});
