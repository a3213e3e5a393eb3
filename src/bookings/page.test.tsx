import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outputs } from '../../server/contract/api.ts';
import { json, renderScreen, visited } from '../testing/screen.tsx';
import type { Booking, State } from './booking.ts';
import { BookingsPage } from './page.tsx';

afterEach(cleanup);

const booking = (id: string, change: Partial<Booking> = {}): Booking => ({
  id,
  call: 'strategy-call',
  start: '2026-11-24T10:00:00.000Z',
  end: '2026-11-24T10:30:00.000Z',
  state: 'booked',
  sequence: 0,
  createdAt: '2026-11-20T08:00:00.000Z',
  changedAt: '2026-11-20T08:00:00.000Z',
  name: `Name ${id}`,
  email: `${id}@example.com`,
  timeZone: 'Asia/Tokyo',
  note: null,
  answers: {},
  ownerNote: null,
  source: 'newsletter',
  button: 'hero',
  url: `/booking/token-${id}`,
  ...change,
});

// From a Monday on.
const week = [23, 24, 25, 26, 27, 28, 29].map((day) => `2026-11-${day}`);

let lists: Record<State, Booking[]>;
let blocked: Outputs['booking']['list']['blocked'];
let busyTimesAt: string | null | undefined;
let failure: Response | undefined;
let siteStatus: Outputs['settings']['status'];
let isMailed: boolean;
let posted: [address: string, body: unknown][];

beforeEach(() => {
  lists = { upcoming: [], past: [], cancelled: [] };
  blocked = [];
  failure = undefined;
  siteStatus = { unread: 3, alert: null, isDemo: false };
  isMailed = true;
  busyTimesAt = undefined;
  posted = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (init?.method === 'POST') {
      posted.push([String(input), JSON.parse(String(init.body))]);
      return failure?.clone() ?? json({ ok: true });
    }
    if (failure) return failure.clone();
    if (input === '/api/settings/status') return json(siteStatus);
    const query = new URL(String(input), 'http://localhost').searchParams;
    const state = (query.get('state') ?? 'upcoming') as State;
    return json({
      bookings: lists[state],
      counts: { upcoming: lists.upcoming.length, past: lists.past.length, cancelled: 0 },
      blocked,
      week: week.map((date, i) => ({ date, isOpen: i < 5, calls: i === 1 ? 2 : 0 })),
      questions: { 'strategy-call': 4, 'inbox-review': 0 },
      ...(busyTimesAt !== undefined && { busyTimesAt }),
      feed: '/calendar/token.ics',
      timeZone: 'Europe/London',
      isMailed,
    } satisfies Outputs['booking']['list']);
  });
});

async function open(at = '/analytics/bookings') {
  renderScreen(<BookingsPage />, { at });
  await screen.findByText(/^Times in London \(GMT/);
}

test('address of a booking opens a draft to exactly that address', async () => {
  const email = 'ceo?bcc=spy%40evil.example&subject=x@evil.example';
  lists.upcoming = [booking('a', { email })];
  await open();
  const link = await screen.findByRole('link', { name: email });
  const { pathname, search } = new URL(link.getAttribute('href') ?? '');
  expect([decodeURIComponent(pathname), search]).toEqual([email, '']);
});

test('bookings show the number of unread messages in the header', async () => {
  await open();
  await screen.findByRole('link', { name: 'Messages 3 unread' });
});

test('bookings show the owner alerts', async () => {
  siteStatus.alert = 'An email could not be sent for 7 minutes.';
  await open();
  expect((await screen.findByRole('alert')).textContent).toBe(siteStatus.alert);
});

test('bookings of a database with made-up data say so, instead of asking for a mail server', async () => {
  isMailed = false;
  await open();
  expect(screen.getByText(/no mail server is configured/)).toBeTruthy();
  cleanup();
  siteStatus.isDemo = true;
  await open();
  await screen.findByText('Demo data.');
  expect(screen.queryByText(/no mail server is configured/)).toBeNull();
});

const block = (start: string, end: string) => ({ id: 'x', start, end, note: 'Dentist' });

const click = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const status = () => screen.getByRole('status').textContent;

const row = (name: string) => screen.getByRole('link', { name: new RegExp(name) });
const details = () => screen.getByRole('region', { name: /^The call with/ });

test('calls are listed by day in the zone of the owner', async () => {
  lists.upcoming = [
    booking('a'),
    booking('b', { start: '2026-11-24T14:00:00.000Z', end: '2026-11-24T14:30:00.000Z' }),
    booking('c', { start: '2026-11-26T10:00:00.000Z', answers: { Why: 'Time' }, source: null }),
    booking('d', { start: '2027-01-05T10:00:00.000Z', call: 'inbox-review' }),
  ];
  await open();
  const tomorrow = screen.getByRole('region', { name: 'Tomorrow, Tuesday, November 24' });
  expect(within(tomorrow).getAllByRole('listitem')).toHaveLength(2);
  expect(row('Name a').textContent).toBe(
    '10:00–10:30 AMName aStrategy call, from newsletterNo answers yet',
  );
  const thursday = screen.getByRole('region', { name: 'Thursday, November 26' });
  expect(thursday.textContent).toContain('from DirectAnswered 1 of 4');
  const nextYear = screen.getByRole('region', { name: 'Tuesday, January 5, 2027' });
  expect(nextYear.textContent).toMatch(/Inbox review, from newsletter$/);
  expect(screen.getByRole('link', { name: 'Calendar feed' }).getAttribute('href')).toBe(
    '/calendar/token.ics',
  );
  expect(screen.getByRole('link', { name: /^Upcoming ?4$/ }).getAttribute('aria-current')).toBe(
    'page',
  );
});

test('week shows the calls, the blocked time and the closed days', async () => {
  blocked = [block('2026-11-26T09:00:00.000Z', '2026-11-26T13:00:00.000Z')];
  await open();
  const days = within(screen.getByRole('list', { name: 'The next seven days' }));
  const texts = days.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(texts.map((text) => text?.split(': ')[1])).toEqual([
    'Free',
    '2 calls',
    'Free',
    'Blocked 9 AM–1 PM',
    'Free',
    'Closed',
    'Closed',
  ]);
  expect(texts[0]).toMatch(/^Mon 23 today/);
});

test('call shows the clock of the visitor, the answers and the actions', async () => {
  lists.upcoming = [
    booking('a'),
    booking('b', {
      createdAt: '2026-07-01T08:00:00.000Z',
      note: 'Nine tools',
      answers: { 'What do you sell?': 'Courses' },
    }),
  ];
  await open();
  expect(row('Name a').getAttribute('aria-current')).toBe('true');
  await userEvent.click(row('Name b'));
  expect(row('Name a').getAttribute('aria-current')).toBeNull();
  for (const text of [
    'Tuesday, November 24, 10:00–10:30 AM',
    '7:00–7:30 PM for Name b, Tokyo',
    'Nine tools',
    'What do you sell?',
    'Courses',
    'newsletter, button Top of the page',
    // By the owner's clock, in summer time.
    'Jul 1, 2026, 9:00 AM',
  ]) {
    expect(details().textContent).toContain(text);
  }
  expect(screen.getByRole('link', { name: /Move/ }).getAttribute('href')).toBe(
    '/booking/token-b?move',
  );
});

test('visitor with the clock of the owner has no second time', async () => {
  lists.upcoming = [booking('a', { timeZone: 'Europe/Lisbon' })];
  await open();
  expect(details().textContent).not.toContain('Lisbon');
});

test('email that was refused is shown with the call', async () => {
  const delivery = { state: 'refused', at: '1970-01-01T00:00:00.000Z', error: '550' } as const;
  lists.upcoming = [booking('a', { delivery })];
  await open();
  expect(row('Name a').textContent).toContain('Email not delivered');
  expect(details().textContent).toContain('The address may be mistyped.');
});

test('call is cancelled with two presses, and the status takes the focus', async () => {
  lists.upcoming = [booking('a')];
  await open();
  await click('Cancel call');
  const question = screen.getByText('Cancel the call with Name a?');
  expect(document.activeElement).toBe(question);
  await click('Keep it');
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel call' })),
  );
  await click('Cancel call');
  expect(posted).toEqual([]);
  lists.upcoming = [];
  await click('Cancel the call');
  expect(posted).toEqual([['/api/bookings/change', { token: 'token-a', cancel: true }]]);
  await waitFor(() => expect(status()).toMatch(/^The call with Name a was cancelled\. a@example/));
  expect(document.activeElement).toBe(screen.getByRole('status'));
  expect(screen.getByText('No upcoming calls')).toBeDefined();
});

test('past call stays open while its note is edited, until another call is chosen', async () => {
  lists.upcoming = [booking('a'), booking('b', { start: '2026-11-25T10:00:00.000Z' })];
  await open();
  const field = () => screen.getByLabelText<HTMLTextAreaElement>('Private note');
  await userEvent.type(field(), 'Nine tools');
  lists.upcoming = lists.upcoming.slice(1);
  await click('Refresh');
  await waitFor(() => expect(screen.queryByRole('link', { name: /Name a/ })).toBeNull());
  expect(details().textContent).toContain('Name a');
  expect(field().value).toBe('Nine tools');
  await userEvent.click(row('Name b'));
  expect(details().textContent).toContain('Name b');
  expect(field().value).toBe('');
});

test('cancellation that fails says so and keeps the focus on the page', async () => {
  lists.upcoming = [booking('a')];
  await open();
  await click('Cancel call');
  failure = json({ error: 'This call can no longer be changed.' }, 409);
  await click('Cancel the call');
  await waitFor(() => expect(status()).toBe('This call can no longer be changed.'));
  expect(document.activeElement).toBe(screen.getByRole('status'));
});

test.each([
  [undefined, ''],
  [null, 'Busy times not read yet'],
  [0, 'Busy times read just now'],
  [4, 'Busy times read 4 minutes ago'],
  [60, 'Busy times read 1 hour ago'],
])('busy times that were read %s minutes ago', async (minutes, text) => {
  busyTimesAt = minutes == null ? minutes : new Date(Date.now() - minutes * 60_000).toISOString();
  await open();
  expect(screen.queryByText(/^Busy times/)?.textContent ?? '').toBe(text);
});

test('note is saved, and an error says what to do', async () => {
  lists.upcoming = [booking('a', { ownerNote: 'Old' })];
  await open();
  const field = screen.getByLabelText<HTMLTextAreaElement>('Private note');
  expect(field.value).toBe('Old');
  await userEvent.type(field, ' and new');
  await click('Save note');
  await waitFor(() => expect(status()).toBe('The note about Name a was saved.'));
  expect(posted).toEqual([['/api/bookings/note', { id: 'a', note: 'Old and new' }]]);
  failure = json({ error: 'Please keep the note under 5000 characters.' }, 400);
  await click('Save note');
  await waitFor(() => expect(status()).toBe('Please keep the note under 5000 characters.'));
  expect(field.value).toBe('Old and new');
});

test('past calls are a list of their own, without actions', async () => {
  lists.past = [booking('a')];
  blocked = [block('2026-11-24T09:00:00.000Z', '2026-11-24T13:00:00.000Z')];
  await open('/analytics/bookings?state=past');
  expect(details().textContent).toContain('Name a');
  expect(screen.queryByRole('button', { name: 'Cancel call' })).toBeNull();
  expect(screen.queryByText('Blocked')).toBeNull();
  expect(screen.queryByRole('list', { name: 'The next seven days' })).toBeNull();
});

const fill = async (label: string, text: string) =>
  userEvent.type(screen.getByLabelText(label), text);

test('time is blocked and unblocked between the calls', async () => {
  lists.upcoming = ['10:00', '15:00'].map((time) =>
    booking(time, { start: `2026-11-30T${time}:00.000Z`, end: `2026-11-30T${time}:00.000Z` }),
  );
  await open();
  await click('Block a time');
  await fill('Date', '2026-11-30');
  await fill('From', '11:00');
  await fill('To', '13:00');
  await fill('Note (optional)', 'Dentist');
  blocked = [block('2026-11-30T11:00:00.000Z', '2026-11-30T13:00:00.000Z')];
  await click('Block this time');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(status()).toBe('The time was blocked.');
  const monday = within(screen.getByRole('region', { name: 'Monday, November 30' }));
  expect(monday.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Name 10:00'),
    '11:00 AM–1:00 PMBlockedDentistUnblock',
    expect.stringContaining('Name 15:00'),
  ]);
  await click('Unblock');
  await waitFor(() =>
    expect(posted).toEqual([
      ['/api/bookings/block', { date: '2026-11-30', from: '11:00', to: '13:00', note: 'Dentist' }],
      ['/api/bookings/unblock', { id: 'x' }],
    ]),
  );
});

test('time that is in use keeps the form and says so', async () => {
  await open();
  await click('Block a time');
  failure = json({ error: 'A call or a blocked time already begins then.' }, 409);
  await fill('Date', '2026-11-30');
  await fill('From', '09:00');
  await fill('To', '13:00');
  await click('Block this time');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'A call or a blocked time already begins then.',
  );
  expect(screen.getByLabelText<HTMLInputElement>('Date').value).toBe('2026-11-30');
});

test('ended session leads to the login', async () => {
  failure = json({ error: 'Unauthorized' }, 401);
  renderScreen(<BookingsPage />, { at: '/analytics/bookings' });
  await waitFor(() => expect(visited.at(-1)).toBe('/admin'));
});
