import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json, renderScreen, visited } from '../testing/screen.tsx';
import { type Folder, type InboxData, type Message, replyAddress } from './message.ts';
import { InboxPage } from './page.tsx';

afterEach(cleanup);

const message = (id: string, change: Partial<Message> = {}): Message => ({
  id,
  receivedAt: '2026-01-31T14:05:00.000Z',
  name: `Name ${id}`,
  email: `${id}@example.com`,
  message: `Words of ${id}`,
  folder: 'inbox',
  isRead: false,
  ...change,
});

/** What the server has. Its pages are of two messages. */
let kept: Message[];
let isMailed: boolean;
let refuse: Response | undefined;
/** Until when a page holds every message. */
let asOf: string;
let wire: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  kept = [];
  isMailed = true;
  refuse = undefined;
  asOf = '2026-01-31T15:00:00.000Z';
  wire = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (refuse) return refuse.clone();
    if (init?.method !== 'POST') return page(String(input));
    const body = JSON.parse(String(init.body));
    return String(input).endsWith('empty-spam') ? emptied(body) : sorted(body);
  });
});

function sorted({ ids, ...change }: { ids: string[]; folder?: Folder; isRead?: boolean }) {
  kept = kept.map((one) => (ids.includes(one.id) ? { ...one, ...change } : one));
  return json({ ok: true });
}

function emptied({ until }: { until: string }) {
  const isSeenSpam = (one: Message) => one.folder === 'spam' && one.receivedAt <= until;
  kept = kept.filter((one) => !isSeenSpam(one));
  return json({ ok: true });
}

function page(address: string): Response {
  const query = new URL(address, 'http://localhost').searchParams;
  const folder = (query.get('folder') ?? 'inbox') as Folder;
  const words = query.get('search') ?? '';
  const found = kept
    .filter((one) => one.folder === folder && one.message.includes(words))
    .sort((a, b) => Number(a.isRead) - Number(b.isRead) || (a.receivedAt < b.receivedAt ? 1 : -1));
  const from = Number(query.get('after') ?? 0);
  const count = (one: Folder) => ({
    all: kept.filter(({ folder }) => folder === one).length,
    unread: kept.filter(({ folder, isRead }) => folder === one && !isRead).length,
  });
  return json({
    folder,
    messages: found.slice(from, from + 2),
    ...(found.length > from + 2 && { next: String(from + 2) }),
    counts: { inbox: count('inbox'), archive: count('archive'), spam: count('spam') },
    isMailed,
    asOf,
  } satisfies InboxData);
}

async function open(at = '/analytics/messages') {
  renderScreen(<InboxPage />, { at });
  await waitFor(() => expect(screen.queryByText(/Last updated/)).not.toBeNull());
}

const row = (name: string) => screen.getByRole('button', { name: new RegExp(name) });
const namesIn = (title: string) =>
  within(screen.getByRole('region', { name: title }))
    .getAllByRole('button', { expanded: false })
    .map((one) => /Name [a-e]/.exec(one.textContent ?? '')?.[0]);
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const status = () => screen.getByRole('status').textContent;
const posted = () =>
  wire.mock.calls
    .filter(([, init]: [unknown, RequestInit?]) => init?.method === 'POST')
    .map(([address, init]: [unknown, RequestInit]) => [address, JSON.parse(String(init.body))]);

test('what is unread comes first, and what was read below it', async () => {
  kept = [message('a'), message('b', { isRead: true, company: 'Acme' })];
  await open();
  expect(namesIn('Unread')).toEqual(['Name a']);
  expect(namesIn('Read')).toEqual(['Name b']);
  expect(row('Name a').textContent).toMatch(/^Unread: Name aWords of a.*Jan 31, 2026/);
  expect(row('Name b').textContent).toMatch(/^Name b, AcmeWords of b/);
  expect(screen.getByRole('link', { name: 'Inbox 1 unread' }).getAttribute('aria-current')).toBe(
    'page',
  );
});

test('a message that is opened is read, shows all of itself, and stays in its place', async () => {
  kept = [
    message('a', { message: 'Line 1\nLine 2' }),
    message('b', { receivedAt: '2026-01-30T10:00:00.000Z' }),
  ];
  await open();
  await userEvent.click(row('Name a'));
  expect(row('Name a').getAttribute('aria-expanded')).toBe('true');
  const text = document.getElementById(row('Name a').getAttribute('aria-controls') ?? '');
  expect(text?.textContent).toContain('Line 1\nLine 2');
  await waitFor(() => expect(posted()).toEqual([['/api/messages', { ids: ['a'], isRead: true }]]));
  await screen.findByRole('link', { name: 'Inbox 1 unread' });
  await click('Refresh');
  await waitFor(() => expect(status()).toMatch(/^Updated at/));
  const unread = screen.getByRole('region', { name: 'Unread' });
  expect(within(unread).getAllByRole('heading', { level: 3 })).toHaveLength(2);
  expect(unread.textContent).not.toMatch(/Unread: Name a/);
  await userEvent.click(row('Name a'));
  expect(row('Name a').getAttribute('aria-expanded')).toBe('false');
  expect(posted()).toHaveLength(1);
});

test('one that is opened stays though others push it off the page', async () => {
  kept = ['a', 'b', 'c', 'd'].map((id, n) =>
    message(id, { receivedAt: `2026-01-3${n % 2}T10:0${n}:00.000Z` }),
  );
  await open();
  const [first] = namesIn('Unread');
  await userEvent.click(row(first ?? ''));
  await waitFor(() => expect(posted()).toHaveLength(1));
  await click('Refresh');
  await waitFor(() => expect(status()).toMatch(/^Updated at/));
  expect(row(first ?? '').getAttribute('aria-expanded')).toBe('true');
});

test('archiving moves the focus on, says so, and can be undone', async () => {
  kept = [message('a'), message('b', { receivedAt: '2026-01-30T10:00:00.000Z' })];
  await open();
  await userEvent.click(row('Name a'));
  await click('Archive');
  await waitFor(() => expect(status()).toContain('The message from Name a was archived.'));
  await waitFor(() => expect(document.activeElement).toBe(row('Name b')));
  expect(screen.queryByRole('button', { name: /Name a/ })).toBeNull();
  await click('Undo');
  await waitFor(() => expect(status()).toContain('The message from Name a is in the inbox.'));
  expect(document.activeElement).toBe(screen.getByRole('status'));
  row('Name a');
});

test('the last one leaves the focus with what is said', async () => {
  kept = [message('a')];
  await open();
  await userEvent.click(row('Name a'));
  await click('Archive');
  await screen.findByText('No messages');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('status')));
});

test('spam says why it is, and is taken back', async () => {
  kept = [message('a', { folder: 'spam', suspicions: ['trap', 'links'] })];
  await open('/analytics/messages?folder=spam');
  await userEvent.click(row('Name a'));
  screen.getByText(
    'Signs of spam: a field was filled in that nobody sees, and it holds many links.',
  );
  await click('Not spam');
  await screen.findByText('No spam');
  expect(posted().at(-1)).toEqual(['/api/messages', { ids: ['a'], folder: 'inbox' }]);
});

test('spam is deleted after a confirmation, and what came since stays', async () => {
  kept = [
    message('a', { folder: 'spam' }),
    message('b', { folder: 'spam', isRead: true }),
    message('c'),
  ];
  await open('/analytics/messages?folder=spam');
  kept.push(message('d', { folder: 'spam', receivedAt: '2026-01-31T15:00:01.000Z' }));
  await click('Empty spam');
  const question = screen.getByText('Delete all 2 messages in spam? This cannot be undone.');
  expect(document.activeElement).toBe(question);
  await click('Cancel');
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Empty spam' })),
  );
  expect(posted()).toEqual([]);
  await click('Empty spam');
  await click('Delete');
  await waitFor(() => expect(status()).toContain('Spam older than two minutes was deleted.'));
  expect(posted()).toEqual([['/api/messages/empty-spam', { until: '2026-01-31T15:00:00.000Z' }]]);
  expect(document.activeElement).toBe(screen.getByRole('status'));
  expect(kept.map(({ id }) => id)).toEqual(['c', 'd']);
  expect(namesIn('Unread')).toEqual(['Name d']);
});

test('spam that came after the first page was read stays when more pages were shown', async () => {
  kept = ['a', 'b', 'c'].map((id, n) =>
    message(id, { folder: 'spam', receivedAt: `2026-01-0${n + 1}T10:00:00.000Z` }),
  );
  await open('/analytics/messages?folder=spam');
  asOf = '2026-01-31T15:05:00.000Z';
  kept.push(message('d', { folder: 'spam', receivedAt: '2026-01-31T15:01:00.000Z' }));
  await click('Show more');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull());
  await click('Empty spam');
  await click('Delete');
  await waitFor(() =>
    expect(posted()).toEqual([['/api/messages/empty-spam', { until: '2026-01-31T15:00:00.000Z' }]]),
  );
  expect(kept.map(({ id }) => id)).toEqual(['d']);
});

test('spam stays when it could not be deleted, and the screen says so', async () => {
  kept = [message('a', { folder: 'spam' })];
  await open('/analytics/messages?folder=spam');
  await click('Empty spam');
  screen.getByText('Delete the message in spam? This cannot be undone.');
  refuse = json({ error: 'no' }, 500);
  await click('Delete');
  await waitFor(() => expect(status()).toContain('Could not empty spam. Please try again.'));
  row('Name a');
});

test('inbox and archive cannot be emptied', async () => {
  kept = [message('a'), message('b', { folder: 'archive' }), message('c', { folder: 'spam' })];
  await open();
  expect(screen.queryByRole('button', { name: 'Empty spam' })).toBeNull();
});

test('a message is marked unread again', async () => {
  kept = [message('a', { isRead: true })];
  await open();
  await userEvent.click(row('Name a'));
  await click('Mark unread');
  await waitFor(() => expect(namesIn('Unread')).toEqual(['Name a']));
  expect(status()).toContain('The message from Name a is unread again.');
  await waitFor(() => expect(document.activeElement).toBe(row('Name a')));
});

test.each<[string, Partial<Message>, RegExp]>([
  [
    'was sent',
    { delivery: { state: 'sent', at: '2026-01-31T14:06:00.000Z' } },
    /^Mailed to you Jan 31, 2026/,
  ],
  [
    'waits',
    {
      delivery: {
        state: 'waiting',
        dueAt: '2026-01-31T14:08:00.000Z',
        attempts: 2,
        error: 'later',
      },
    },
    /^Waiting, next try Jan 31.*: later$/,
  ],
  [
    'is new',
    { delivery: { state: 'waiting', dueAt: '2026-01-31T14:08:00.000Z', attempts: 0 } },
    /^Waiting to be mailed$/,
  ],
  [
    'is refused',
    { delivery: { state: 'refused', at: '2026-01-31T14:08:00.000Z', error: 'no' } },
    /^Your mail server refuses it: no$/,
  ],
  ['is none', {}, /^Not mailed$/],
])('says of a letter that %s', async (_, change, sentence) => {
  kept = [message('a', change)];
  await open();
  await userEvent.click(row('Name a'));
  expect(screen.getByText('Letter to you').nextElementSibling?.textContent).toMatch(sentence);
});

test('says that nothing is mailed without a mail server', async () => {
  isMailed = false;
  kept = [message('a')];
  await open();
  screen.getByText(/not mailed to you, since no mail server is set/);
  await userEvent.click(row('Name a'));
  screen.getByText('Not mailed: there is no mail server');
});

test('a reply quotes the message, and a long one no more than a mail program takes', () => {
  const address = new URL(
    replyAddress(message('a', { email: 'a+b?c@example.com', message: 'Hi &\r\nyou\n\nbye' })),
  );
  expect(address.pathname).toBe('a%2Bb%3Fc@example.com');
  expect(address.searchParams.get('subject')).toMatch(/^Re: your message to ./);
  expect(address.searchParams.get('body')).toMatch(
    /^\r\n\r\nOn Jan 31, 2026, .*, Name a wrote:\r\n> Hi &\r\n> you\r\n> \r\n> bye$/,
  );
  const long = replyAddress(message('a', { message: '\u{1F6A2}'.repeat(5000) }));
  expect(new URL(long).searchParams.get('body')).toMatch(/\u{1F6A2} …$/u);
});

test('more are shown when asked for, each once', async () => {
  kept = ['a', 'b', 'c', 'd', 'e'].map((id, n) =>
    message(id, { receivedAt: `2026-01-0${n + 1}T10:00:00.000Z` }),
  );
  await open();
  await click('Show more');
  await waitFor(() => expect(namesIn('Unread')).toHaveLength(4));
  await click('Show more');
  await waitFor(() =>
    expect(namesIn('Unread')).toEqual(['e', 'd', 'c', 'b', 'a'].map((id) => `Name ${id}`)),
  );
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('status')));
});

test('words are searched for in the folder, and where nothing is found it says so', async () => {
  kept = [message('a'), message('b', { message: 'A needle' })];
  await open();
  await userEvent.type(
    screen.getByRole('searchbox', { name: 'Search the messages' }),
    ' needle {Enter}',
  );
  await waitFor(() => expect(namesIn('Unread')).toEqual(['Name b']));
  await userEvent.clear(screen.getByRole('searchbox'));
  await userEvent.type(screen.getByRole('searchbox'), 'nothing{Enter}');
  await screen.findByText('Nothing here holds “nothing”');
});

test.each<[string, string]>([
  ['', 'No messages'],
  ['?folder=archive', 'Nothing archived'],
  ['?folder=spam', 'No spam'],
  ['?folder=elsewhere', 'No messages'],
])('an empty folder %s says “%s”', async (query, title) => {
  await open(`/analytics/messages${query}`);
  screen.getByText(title);
});

test('a change that is refused leaves the message open, and says so', async () => {
  kept = [message('a', { isRead: true })];
  await open();
  await userEvent.click(row('Name a'));
  refuse = json({ error: 'no' }, 500);
  await click('Archive');
  await waitFor(() => expect(status()).toContain('That could not be done. Please try again.'));
  expect(row('Name a').getAttribute('aria-expanded')).toBe('true');
});

test('a failure is said once, and what is known stays', async () => {
  kept = [message('a')];
  await open();
  refuse = json({ error: 'no' }, 500);
  await click('Refresh');
  await screen.findByRole('alert');
  row('Name a');
});

test('who is signed out is led to the login', async () => {
  refuse = json({ error: 'Unauthorized' }, 401);
  renderScreen(<InboxPage />, { at: '/analytics/messages' });
  await waitFor(() => expect(visited).toEqual(['/analytics/messages', '/admin']));
});

test('both files are links that download', async () => {
  await open();
  for (const name of ['CSV', 'JSON']) {
    const link = screen.getByRole('link', { name });
    expect(link.getAttribute('href')).toBe(`/api/messages.${name.toLowerCase()}`);
    expect(link.hasAttribute('download')).toBe(true);
  }
});
