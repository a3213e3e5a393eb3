import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outputs } from '../../server/contract/api.ts';
import { json, renderScreen, visited } from '../testing/screen.tsx';
import { type Folder, type InboxData, type Message, replyAddress } from './message.ts';
import { InboxPage } from './page.tsx';

afterEach(cleanup);

const message = (id: string, change: Partial<Message> = {}): Message => ({
  id,
  receivedAt: '2026-01-31T14:05:00.000Z',
  name: `Name ${id}`,
  email: `${id}@example.com`,
  message: `Text of ${id}`,
  folder: 'inbox',
  isRead: false,
  ...change,
});

/** The messages on the server, which returns pages of two. */
let stored: Message[];
let isMailed: boolean;
let siteStatus: Outputs['settings']['status'];
let failure: Response | undefined;
/** Delays the changes sent to the server. */
let delay: Promise<void> | undefined;
/** Delays the pages: each is read when it is requested, and received later. */
let pageDelay: Promise<void> | undefined;
/** The time of the snapshot a page was read from. */
let asOf: string;
let fetched: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  stored = [];
  isMailed = true;
  siteStatus = { unread: 0, alert: null, isDemo: false };
  failure = undefined;
  delay = undefined;
  pageDelay = undefined;
  asOf = '2026-01-31T15:00:00.000Z';
  fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (failure) return failure.clone();
    if (input === '/api/settings/status') return json(siteStatus);
    if (init?.method !== 'POST') {
      const response = page(String(input));
      await pageDelay;
      return response;
    }
    await delay;
    const body = JSON.parse(String(init.body));
    return String(input).endsWith('empty-spam') ? emptied(body) : sorted(body);
  });
});

function sorted({ ids, ...change }: { ids: string[]; folder?: Folder; isRead?: boolean }) {
  stored = stored.map((one) => (ids.includes(one.id) ? { ...one, ...change } : one));
  return json({ ok: true });
}

function emptied({ until }: { until: string }) {
  const isSeenSpam = (one: Message) => one.folder === 'spam' && one.receivedAt <= until;
  stored = stored.filter((one) => !isSeenSpam(one));
  return json({ ok: true });
}

function page(address: string): Response {
  const query = new URL(address, 'http://localhost').searchParams;
  const folder = (query.get('folder') ?? 'inbox') as Folder;
  const search = query.get('search') ?? '';
  const found = stored
    .filter((one) => one.folder === folder && one.message.includes(search))
    .sort((a, b) => Number(a.isRead) - Number(b.isRead) || (a.receivedAt < b.receivedAt ? 1 : -1));
  const from = Number(query.get('after') ?? 0);
  const count = (one: Folder) => ({
    all: stored.filter(({ folder }) => folder === one).length,
    unread: stored.filter(({ folder, isRead }) => folder === one && !isRead).length,
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
  fetched.mock.calls
    .filter(([, init]: [unknown, RequestInit?]) => init?.method === 'POST')
    .map(([address, init]: [unknown, RequestInit]) => [address, JSON.parse(String(init.body))]);

test('inbox lists unread messages above read ones', async () => {
  stored = [message('a'), message('b', { isRead: true, company: 'Acme' })];
  await open();
  expect(namesIn('Unread')).toEqual(['Name a']);
  expect(namesIn('Read')).toEqual(['Name b']);
  expect(row('Name a').textContent).toMatch(/^Unread: Name aText of a.*Jan 31, 2026/);
  expect(row('Name b').textContent).toMatch(/^Name b, AcmeText of b/);
  expect(screen.getByRole('link', { name: 'Inbox 1 unread' }).getAttribute('aria-current')).toBe(
    'page',
  );
  screen.getByRole('link', { name: 'Messages 1 unread' });
});

test('opened message shows its full text, is marked as read and keeps its place', async () => {
  stored = [
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

test('opened message stays when newer messages fill the first page', async () => {
  stored = ['a', 'b', 'c', 'd'].map((id, n) =>
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

test('archiving focuses the next message, announces the move and can be undone', async () => {
  stored = [message('a'), message('b', { receivedAt: '2026-01-30T10:00:00.000Z' })];
  await open();
  await userEvent.click(row('Name a'));
  await click('Archive');
  await waitFor(() => expect(status()).toContain('The message from Name a was archived.'));
  await waitFor(() => expect(document.activeElement).toBe(row('Name b')));
  expect(screen.queryByRole('button', { name: /Name a/ })).toBeNull();
  await click('Undo');
  await waitFor(() =>
    expect(status()).toContain('The message from Name a was moved to the inbox.'),
  );
  expect(document.activeElement).toBe(screen.getByRole('status'));
  row('Name a');
});

test('opened message keeps its place when another one is archived meanwhile', async () => {
  stored = [message('a'), message('b', { receivedAt: '2026-01-30T10:00:00.000Z' })];
  await open();
  await userEvent.click(row('Name a'));
  await waitFor(() => expect(posted()).toHaveLength(1));
  let finish = () => {};
  delay = new Promise((resolve) => (finish = resolve));
  await click('Archive');
  await userEvent.click(row('Name b'));
  finish();
  await waitFor(() => expect(status()).toContain('The message from Name a was archived.'));
  await waitFor(() => expect(stored.every(({ isRead }) => isRead)).toBe(true));
  await click('Refresh');
  await waitFor(() => expect(status()).toMatch(/^Updated at/));
  expect(screen.getByRole('region', { name: 'Unread' }).textContent).toContain('Name b');
});

test('message opened during a refresh keeps its place when the refresh ends', async () => {
  stored = [message('a'), message('b', { receivedAt: '2026-01-30T10:00:00.000Z' })];
  await open();
  let finish = () => {};
  pageDelay = new Promise((resolve) => (finish = resolve));
  await click('Refresh');
  await userEvent.click(row('Name a'));
  await waitFor(() => expect(posted()).toHaveLength(1));
  expect(screen.queryByRole('region', { name: 'Read' })).toBeNull();
  finish();
  await screen.findByRole('link', { name: 'Inbox 1 unread' });
  expect(screen.getByRole('region', { name: 'Unread' }).textContent).toContain('Name a');
  expect(screen.queryByRole('region', { name: 'Read' })).toBeNull();
});

test.each(['Archive', 'Mark as unread'])(
  '%s does not move an opened message to the read ones while the list reloads',
  async (action) => {
    stored = [message('a'), message('b', { receivedAt: '2026-01-30T10:00:00.000Z' })];
    await open();
    await userEvent.click(row('Name a'));
    await screen.findByRole('link', { name: 'Inbox 1 unread' });
    let finish = () => {};
    pageDelay = new Promise((resolve) => (finish = resolve));
    await click(action);
    await waitFor(() => expect(posted()).toHaveLength(2));
    await screen.findByRole('button', { name: 'Refresh', busy: true });
    expect(screen.queryByRole('region', { name: 'Read' })).toBeNull();
    finish();
    await waitFor(() => expect(status()).toContain('The message from Name a was'));
    expect(screen.queryByRole('region', { name: 'Read' })).toBeNull();
  },
);

test('opened message stays unread and the status says so when marking it fails', async () => {
  stored = [message('a')];
  await open();
  failure = json({ error: 'no' }, 500);
  await userEvent.click(row('Name a'));
  await waitFor(() => expect(status()).toContain('Could not mark the message as read.'));
  expect(row('Name a').getAttribute('aria-expanded')).toBe('true');
  expect(row('Name a').textContent).toMatch(/^Unread: Name a/);
});

test('inbox redirects to /admin when the session has ended before a message is opened', async () => {
  stored = [message('a')];
  await open();
  failure = json({ error: 'Unauthorized' }, 401);
  await userEvent.click(row('Name a'));
  await waitFor(() => expect(visited).toEqual(['/analytics/messages', '/admin']));
});

test('archiving the last message focuses the status', async () => {
  stored = [message('a')];
  await open();
  await userEvent.click(row('Name a'));
  await click('Archive');
  await screen.findByText('No messages');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('status')));
});

test('spam lists its signs and can be moved to the inbox', async () => {
  stored = [message('a', { folder: 'spam', suspicions: ['trap', 'links'] })];
  await open('/analytics/messages?folder=spam');
  await userEvent.click(row('Name a'));
  screen.getByText('Signs of spam: a hidden field was filled in, and it contains many links.');
  await click('Not spam');
  await screen.findByText('No spam');
  expect(posted().at(-1)).toEqual(['/api/messages', { ids: ['a'], folder: 'inbox' }]);
});

test('spam without stored signs shows none', async () => {
  stored = [message('a', { folder: 'spam', suspicions: [] })];
  await open('/analytics/messages?folder=spam');
  await userEvent.click(row('Name a'));
  expect(screen.queryByText(/Signs of spam/)).toBeNull();
});

test('emptying spam asks for confirmation and keeps messages received since', async () => {
  stored = [
    message('a', { folder: 'spam' }),
    message('b', { folder: 'spam', isRead: true }),
    message('c'),
  ];
  await open('/analytics/messages?folder=spam');
  stored.push(message('d', { folder: 'spam', receivedAt: '2026-01-31T15:00:01.000Z' }));
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
  expect(stored.map(({ id }) => id)).toEqual(['c', 'd']);
  expect(namesIn('Unread')).toEqual(['Name d']);
});

test('emptying spam keeps messages received after the first page was loaded', async () => {
  stored = ['a', 'b', 'c'].map((id, n) =>
    message(id, { folder: 'spam', receivedAt: `2026-01-0${n + 1}T10:00:00.000Z` }),
  );
  await open('/analytics/messages?folder=spam');
  asOf = '2026-01-31T15:05:00.000Z';
  stored.push(message('d', { folder: 'spam', receivedAt: '2026-01-31T15:01:00.000Z' }));
  await click('Show more');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull());
  await click('Empty spam');
  await click('Delete');
  await waitFor(() =>
    expect(posted()).toEqual([['/api/messages/empty-spam', { until: '2026-01-31T15:00:00.000Z' }]]),
  );
  expect(stored.map(({ id }) => id)).toEqual(['d']);
});

test('emptying spam shows an error and keeps the messages when the request fails', async () => {
  stored = [message('a', { folder: 'spam' })];
  await open('/analytics/messages?folder=spam');
  await click('Empty spam');
  screen.getByText('Delete the message in spam? This cannot be undone.');
  failure = json({ error: 'no' }, 500);
  await click('Delete');
  await waitFor(() => expect(status()).toContain('Could not empty spam. Try again.'));
  row('Name a');
});

test('inbox and archive have no button that empties them', async () => {
  stored = [message('a'), message('b', { folder: 'archive' }), message('c', { folder: 'spam' })];
  await open();
  expect(screen.queryByRole('button', { name: 'Empty spam' })).toBeNull();
});

test('message can be marked as unread', async () => {
  stored = [message('a', { isRead: true })];
  await open();
  await userEvent.click(row('Name a'));
  await click('Mark as unread');
  await waitFor(() => expect(namesIn('Unread')).toEqual(['Name a']));
  expect(status()).toContain('The message from Name a was marked as unread.');
  await waitFor(() => expect(document.activeElement).toBe(row('Name a')));
});

test.each<[string, Partial<Message>, RegExp]>([
  ['sent', { delivery: { state: 'sent', at: '2026-01-31T14:06:00.000Z' } }, /^Sent Jan 31, 2026/],
  [
    'waiting for a retry',
    {
      delivery: {
        state: 'waiting',
        dueAt: '2026-01-31T14:08:00.000Z',
        attempts: 2,
        error: 'later',
      },
    },
    /^Waiting, next attempt Jan 31.*: later$/,
  ],
  [
    'waiting to be sent',
    { delivery: { state: 'waiting', dueAt: '2026-01-31T14:08:00.000Z', attempts: 0 } },
    /^Waiting to be sent$/,
  ],
  [
    'rejected',
    { delivery: { state: 'refused', at: '2026-01-31T14:08:00.000Z', error: 'no' } },
    /^Rejected by your mail server: no$/,
  ],
  [
    'rejected, with what to do',
    {
      delivery: {
        state: 'refused',
        at: '2026-01-31T14:08:00.000Z',
        error: 'EAUTH: 535',
        advice: 'Set EMAIL_FROM.',
      },
    },
    /^Rejected by your mail server: Set EMAIL_FROM\.What the mail server saysEAUTH: 535$/,
  ],
  ['not sent', {}, /^Not sent$/],
])('message shows the notification as %s', async (_, change, sentence) => {
  stored = [message('a', change)];
  await open();
  await userEvent.click(row('Name a'));
  expect(screen.getByText('Notification').nextElementSibling?.textContent).toMatch(sentence);
});

test('inbox says that messages are not emailed when no mail server is configured', async () => {
  isMailed = false;
  stored = [message('a')];
  await open();
  screen.getByText(/not emailed to you: no mail server is configured/);
  await userEvent.click(row('Name a'));
  screen.getByText('Not sent: no mail server is configured');
});

test('inbox shows the owner alerts', async () => {
  siteStatus.alert = 'An email could not be sent for 7 minutes.';
  await open();
  expect((await screen.findByRole('alert')).textContent).toBe(siteStatus.alert);
});

test('inbox of a database with made-up data says so, instead of asking for a mail server', async () => {
  isMailed = false;
  siteStatus.isDemo = true;
  await open();
  await screen.findByText('Demo data.');
  expect(screen.queryByText(/no mail server is configured/)).toBeNull();
});

test('reply quotes the message and shortens a long one', () => {
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

test('Show more appends the next page without duplicates', async () => {
  stored = ['a', 'b', 'c', 'd', 'e'].map((id, n) =>
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

test('Show more appends the next page when a message is opened while it loads', async () => {
  stored = ['a', 'b', 'c', 'd', 'e'].map((id, n) =>
    message(id, { receivedAt: `2026-01-0${n + 1}T10:00:00.000Z` }),
  );
  await open();
  let finish = () => {};
  pageDelay = new Promise((resolve) => (finish = resolve));
  await click('Show more');
  await userEvent.click(row('Name e'));
  await waitFor(() => expect(posted()).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  finish();
  await waitFor(() => expect(namesIn('Unread')).toEqual(['Name d', 'Name c', 'Name b', 'Name a']));
});

test('search filters the folder and says when no messages match', async () => {
  stored = [message('a'), message('b', { message: 'A needle' })];
  await open();
  await userEvent.type(
    screen.getByRole('searchbox', { name: 'Search the messages' }),
    ' needle {Enter}',
  );
  await waitFor(() => expect(namesIn('Unread')).toEqual(['Name b']));
  await userEvent.clear(screen.getByRole('searchbox'));
  await userEvent.type(screen.getByRole('searchbox'), 'nothing{Enter}');
  await screen.findByText('No messages match “nothing”');
});

test('search field keeps the focus and the caret after a search', async () => {
  stored = [message('a')];
  await open();
  const field = screen.getByRole<HTMLInputElement>('searchbox');
  await userEvent.type(field, 'needle');
  field.setSelectionRange(2, 2);
  await userEvent.keyboard('{Enter}');
  await screen.findByText('No messages match “needle”');
  expect(document.activeElement).toBe(field);
  expect(field.selectionStart).toBe(2);
});

test('search field is empty after a link to a folder', async () => {
  await open('/analytics/messages?search=needle');
  const field = () => screen.getByRole<HTMLInputElement>('searchbox');
  expect(field().value).toBe('needle');
  await userEvent.type(field(), 's{Enter}');
  await screen.findByText('No messages match “needles”');
  await userEvent.click(screen.getByRole('link', { name: 'Archive' }));
  await waitFor(() => expect(field().value).toBe(''));
});

test.each<[string, string]>([
  ['', 'No messages'],
  ['?folder=archive', 'Nothing archived'],
  ['?folder=spam', 'No spam'],
  ['?folder=elsewhere', 'No messages'],
])('empty folder %s shows “%s”', async (query, title) => {
  await open(`/analytics/messages${query}`);
  screen.getByText(title);
});

test('message stays open and shows an error when moving it fails', async () => {
  stored = [message('a', { isRead: true })];
  await open();
  await userEvent.click(row('Name a'));
  failure = json({ error: 'no' }, 500);
  await click('Archive');
  await waitFor(() => expect(status()).toContain('Could not update the message. Try again.'));
  expect(row('Name a').getAttribute('aria-expanded')).toBe('true');
});

test('inbox shows an alert and keeps its messages when a refresh fails', async () => {
  stored = [message('a')];
  await open();
  failure = json({ error: 'no' }, 500);
  await click('Refresh');
  await screen.findByRole('alert');
  row('Name a');
});

test('inbox redirects to /admin when the session has ended', async () => {
  failure = json({ error: 'Unauthorized' }, 401);
  renderScreen(<InboxPage />, { at: '/analytics/messages' });
  await waitFor(() => expect(visited).toEqual(['/analytics/messages', '/admin']));
});

test('inbox links to the CSV and JSON downloads', async () => {
  await open();
  for (const name of ['CSV', 'JSON']) {
    const link = screen.getByRole('link', { name });
    expect(link.getAttribute('href')).toBe(`/api/messages.${name.toLowerCase()}`);
    expect(link.hasAttribute('download')).toBe(true);
  }
});
