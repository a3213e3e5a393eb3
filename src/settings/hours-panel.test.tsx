import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { siteFields } from '../../server/content/fields.ts';
import { applyPatches, changesBetween } from '../../server/content/patch.ts';
import {
  type Change,
  type Group,
  overlaps,
  valueAt,
  withValue,
} from '../../server/contract/document-changes.ts';
import { documentWith } from '../../server/testing/document-edits.ts';
import { json, renderScreen } from '../testing/screen.tsx';
import { HoursPanel } from './hours-panel.tsx';

afterEach(cleanup);

const sample: Group = documentWith();

let draft: Group;
let live: Group;
let revision: number;
/** The paths of each publish. */
let publishes: string[][];
let bookings: { start: string }[];
let mistakes: { path: string; message: string }[];
let isReadOnly: boolean;
let isOnline: boolean;

beforeEach(() => {
  localStorage.clear();
  [draft, live, revision] = [sample, sample, 1];
  [publishes, bookings, mistakes, isReadOnly, isOnline] = [[], [], [], false, true];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (!isOnline) throw new TypeError('Failed to fetch');
    const body = init?.body ? JSON.parse(String(init.body)) : undefined;
    const path = String(input);
    if (path.startsWith('/api/bookings')) return json({ bookings, timeZone: 'Europe/London' });
    switch (path) {
      case '/api/site/fields':
        return json({ fields: siteFields({}) });
      case '/api/site/draft':
        if (init?.method === 'POST') {
          const result = applyPatches(draft, (body as { patches: Change[] }).patches);
          draft = result.document;
          revision++;
          return json({ revision, mistakes, conflicts: result.conflicts });
        }
        return json({
          ...{ document: draft, revision, live: null, mistakes, file: null, isReadOnly },
          changes: changesBetween(live, draft),
        });
      case '/api/site/publish':
        if (body.revision !== revision) return json({ code: 'DRAFT_CHANGED' }, 409);
        publishes.push(body.paths);
        for (const change of changesBetween(live, draft)) {
          if (body.paths.some((one: string) => overlaps(one, change.path))) {
            live = withValue(live, change.path, change.to);
          }
        }
        return json({ version: 2, publishedAt: '2026-11-27T12:00:00.000Z' });
      default:
        return json({ checks: [] });
    }
  });
});

async function open() {
  renderScreen(<HoursPanel />, { at: '/analytics/settings/hours' });
  await screen.findByRole('heading', { level: 3, name: 'Week' });
  return userEvent.setup();
}

const region = (name: string) => within(screen.getByRole('region', { name }));
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const saved = () => screen.findByText(/^Saved .+ Visitors see it now\.$/);

test('a change of a day is live at once, and no other change of the draft is', async () => {
  draft = withValue(draft, 'hero.title', 'Half a sentence');
  const user = await open();
  await user.click(button('Add hours on Saturday'));
  await saved();
  expect(valueAt(live, 'calls.hours.saturday')).toEqual(['10:00-12:00']);
  expect(publishes).toEqual([['calls.hours.saturday']]);
  expect(valueAt(live, 'hero.title')).toBe(valueAt(sample, 'hero.title'));
  await user.click(button('Undo'));
  await waitFor(() => expect(live).toEqual(sample));
  expect(valueAt(draft, 'hero.title')).toBe('Half a sentence');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('hours copied to all days are one change, also for Undo', async () => {
  const user = await open();
  await user.click(button('Add hours on Saturday'));
  await user.click(button('Copy to all days'));
  await waitFor(() => expect(valueAt(live, 'calls.hours.sunday')).toEqual(['10:00-12:00']));
  await user.click(button('Undo'));
  await waitFor(() => expect(valueAt(live, 'calls.hours.sunday')).toEqual([]));
  expect(valueAt(live, 'calls.hours.saturday')).toEqual(['10:00-12:00']);
});

test('a removed span leaves a row with Undo, which has the focus and brings it back', async () => {
  const user = await open();
  screen.getByRole('button', { name: 'Friday 10:00 AM to 12:30 PM' }).focus();
  await user.keyboard('{Delete}');
  await screen.findByText('Removed: Friday, 10:00 AM–12:30 PM');
  expect(document.activeElement).toBe(button('Undo'));
  await waitFor(() => expect(valueAt(live, 'calls.hours.friday')).toEqual([]));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(live).toEqual(sample));
  expect(screen.queryByText(/^Removed/)).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Week' }));
});

test('what could not be saved stays, and is live after another try', async () => {
  const user = await open();
  isOnline = false;
  await user.click(button('Add hours on Saturday'));
  await screen.findByText('Not saved.');
  expect(screen.queryByText(/Visitors see it now/)).toBeNull();
  expect(button('Saturday 10:00 AM to 12:00 PM')).toBeDefined();
  isOnline = true;
  await user.click(button('Try again'));
  await saved();
  expect(valueAt(live, 'calls.hours.saturday')).toEqual(['10:00-12:00']);
});

test('hours that another tab changed meanwhile are both shown, and the chosen ones are live', async () => {
  const user = await open();
  draft = withValue(draft, 'calls.hours.saturday', ['08:00-09:00']);
  revision++;
  await user.click(button('Add hours on Saturday'));
  const card = within(await screen.findByRole('group', { name: 'Changed in another tab' }));
  expect(card.getByText('10:00 – 12:00')).toBeDefined();
  expect(card.getByText('08:00 – 09:00')).toBeDefined();
  expect(screen.getByText('Choose below which one shall stay.')).toBeDefined();
  expect(publishes).toEqual([]);
  await user.click(button('Keep mine'));
  await saved();
  expect(valueAt(live, 'calls.hours.saturday')).toEqual(['10:00-12:00']);
});

test('a length that another tab changed meanwhile is chosen with the starts that go with it', async () => {
  const user = await open();
  const call = valueAt(draft, 'calls.strategyCall') as Group;
  draft = withValue(draft, 'calls.strategyCall', { ...call, minutes: 60, step: 60 });
  revision++;
  await user.selectOptions(screen.getByLabelText('Length'), '45');
  for (let left = 2; left > 0; left--) {
    await waitFor(() => expect(screen.getAllByText('The other one')).toHaveLength(left));
    await user.click(screen.getAllByRole('button', { name: 'Take the other' })[0] as HTMLElement);
  }
  await saved();
  expect(valueAt(live, 'calls.strategyCall')).toMatchObject({ minutes: 60, step: 60 });
});

test('hours that end before they start are marked, and live once they are right', async () => {
  const user = await open();
  await user.click(button('Type the hours'));
  await user.click(screen.getByText('Friday', { selector: 'b' }));
  const friday = within(screen.getByRole('group', { name: 'Friday' }));
  mistakes = [{ path: 'calls.hours.friday.0', message: 'Please enter hours.' }];
  fireEvent.change(friday.getByLabelText('To'), { target: { value: '09:00' } });
  await screen.findByText('Look at what is marked below.');
  expect(friday.getByText('Please enter hours.')).toBeDefined();
  expect(publishes).toEqual([]);
  mistakes = [];
  fireEvent.change(friday.getByLabelText('To'), { target: { value: '11:00' } });
  await user.click(button('Try again'));
  await saved();
  expect(valueAt(live, 'calls.hours.friday')).toEqual(['10:00-11:00']);
});

test('hours that the editor has not published are shown beside what visitors see', async () => {
  draft = withValue(draft, 'calls.hours.saturday', ['08:00-09:00']);
  const user = await open();
  const notice = within(screen.getByRole('group', { name: 'Changed, but not published' }));
  expect(notice.getByText('08:00 – 09:00')).toBeDefined();
  expect(notice.getByText('No calls')).toBeDefined();
  await user.click(button('Add hours on Sunday'));
  await saved();
  expect(valueAt(live, 'calls.hours.saturday')).toEqual([]);
  await user.click(notice.getByRole('button', { name: 'Publish it' }));
  await waitFor(() => expect(valueAt(live, 'calls.hours.saturday')).toEqual(['08:00-09:00']));
  expect(screen.queryByRole('group', { name: 'Changed, but not published' })).toBeNull();
});

test('unpublished hours with a mistake name it, cannot be published, and are taken back', async () => {
  draft = withValue(draft, 'calls.hours.friday', ['10:00-08:00']);
  mistakes = [{ path: 'calls.hours.friday.0', message: 'Please enter hours.' }];
  const user = await open();
  const notice = within(screen.getByRole('group', { name: 'Changed, but not published' }));
  expect(notice.getByText('Please enter hours.')).toBeDefined();
  expect(notice.queryByRole('button', { name: 'Publish it' })).toBeNull();
  expect(screen.getByRole('row', { name: /10:00–08:00 cannot be drawn/ })).toBeDefined();
  mistakes = [];
  await user.click(notice.getByRole('button', { name: 'Take it back' }));
  await saved();
  expect(draft).toEqual(sample);
  expect(screen.queryByText(/cannot be drawn/)).toBeNull();
});

test('unpublished hours stay beside what visitors see when they could not be published', async () => {
  draft = withValue(draft, 'calls.hours.saturday', ['08:00-09:00']);
  const user = await open();
  await user.click(button('Add hours on Sunday'));
  await saved();
  isOnline = false;
  await user.click(button('Publish it'));
  await screen.findByText('Not saved.');
  const notice = within(screen.getByRole('group', { name: 'Changed, but not published' }));
  expect(notice.getByText('No calls')).toBeDefined();
  isOnline = true;
  await user.click(notice.getByRole('button', { name: 'Take it back' }));
  await saved();
  expect(valueAt(draft, 'calls.hours.saturday')).toEqual([]);
  expect(screen.queryByRole('group', { name: 'Changed, but not published' })).toBeNull();
});

test('a mistake that Undo brings back is taken back beside what visitors see', async () => {
  draft = withValue(draft, 'calls.hours.saturday', ['10:00-08:00']);
  const user = await open();
  await user.click(button('Add hours on Saturday'));
  await saved();
  mistakes = [{ path: 'calls.hours.saturday.0', message: 'Please enter hours.' }];
  await user.click(button('Undo'));
  await screen.findByText('Not saved.');
  const notice = within(screen.getByRole('group', { name: 'Changed, but not published' }));
  expect(notice.getByText('Please enter hours.')).toBeDefined();
  expect(notice.getByText('10:00 – 12:00')).toBeDefined();
  mistakes = [];
  await user.click(notice.getByRole('button', { name: 'Take it back' }));
  await saved();
  expect(valueAt(draft, 'calls.hours.saturday')).toEqual(['10:00-12:00']);
});

test('days off are added, name the calls that stay booked, and are removed with Undo', async () => {
  bookings = [{ start: '2027-02-16T10:00:00.000Z' }, { start: '2027-02-22T10:00:00.000Z' }];
  const user = await open();
  const holidays = region('Holidays');
  await user.click(button('Add days off'));
  const [first, last] = [screen.getByLabelText('First day'), screen.getByLabelText('Last day')];
  await user.clear(first);
  await user.type(first, '2027-02-15');
  await user.clear(last);
  await user.type(last, '2027-02-11');
  await user.click(button('Add these days'));
  expect(screen.getByRole('alert').textContent).toBe('Last day is before first day.');
  await user.clear(last);
  await user.type(last, '2027-02-21');
  await user.click(button('Add these days'));
  expect(await holidays.findByText('7 days, 1 call stays booked')).toBeDefined();
  await saved();
  expect(publishes).toEqual([['calls.closed']]);
  expect(valueAt(live, 'calls.closed')).toContain('2027-02-15/2027-02-21');
  await user.click(button(/^Remove Feb 15/));
  await waitFor(() => expect(live).toEqual(sample));
  await user.click(button('Undo'));
  await waitFor(() => expect(valueAt(live, 'calls.closed')).toHaveLength(2));
});

test('other hours on a day are added once for each day', async () => {
  const user = await open();
  await user.click(button('Other hours on a day'));
  const day = screen.getByLabelText('Day');
  await user.clear(day);
  await user.type(day, '2026-12-23');
  await user.click(button('Add this day'));
  expect(screen.getByRole('alert').textContent).toContain('This day has other hours already.');
  await user.clear(day);
  await user.type(day, '2027-01-04');
  await user.click(button('Add this day'));
  await saved();
  expect(valueAt(live, 'calls.special')).toMatchObject({ '2027-01-04': ['10:00-12:00'] });
});

test('the length of a call takes its starts along, and a link is live when it is whole', async () => {
  const user = await open();
  await user.selectOptions(screen.getByLabelText('Length'), '45');
  await saved();
  expect(valueAt(live, 'calls.strategyCall')).toMatchObject({ minutes: 45, step: 45 });
  await user.click(screen.getByRole('radio', { name: 'My video link' }));
  const link = screen.getByLabelText('Your video link');
  await user.type(link, 'meet.example.com');
  await user.tab();
  expect(screen.getByText(/^Paste your video link, with https/)).toBeDefined();
  await user.clear(link);
  await user.type(link, 'https://meet.example.com/rowan{Enter}');
  await waitFor(() =>
    expect(valueAt(live, 'calls.strategyCall.place')).toBe('https://meet.example.com/rowan'),
  );
  expect(publishes).toHaveLength(2);
  await user.click(screen.getByRole('radio', { name: 'Each time anew' }));
  await waitFor(() =>
    expect(valueAt(live, 'calls.strategyCall.place')).toBe('Video call. I email you the link.'),
  );
  await user.click(button('Undo'));
  expect(screen.getByLabelText<HTMLInputElement>('Your video link').value).toBe(
    'https://meet.example.com/rowan',
  );
  await waitFor(() =>
    expect(valueAt(live, 'calls.strategyCall.place')).toBe('https://meet.example.com/rowan'),
  );
  await user.click(button('Inbox review'));
  expect(screen.getByLabelText<HTMLSelectElement>('Length').value).toBe('45');
  expect(screen.getByRole('radio', { name: 'Each time anew', checked: true })).toBeDefined();
});

test('typed hours of a day are live when the owner leaves the day', async () => {
  const user = await open();
  await user.click(button('Type the hours'));
  await user.click(screen.getByText('Monday', { selector: 'b' }));
  const monday = within(screen.getByRole('group', { name: 'Monday' }));
  await user.click(monday.getByRole('button', { name: 'Add hours' }));
  await user.tab();
  await user.click(button('Draw the hours'));
  await saved();
  expect(valueAt(live, 'calls.hours.monday')).toEqual(['10:00-12:00']);
});

test('hours that the server’s file sets are shown and cannot be changed', async () => {
  isReadOnly = true;
  await open();
  expect(screen.getByText('site.config.ts')).toBeDefined();
  expect(button('Friday 10:00 AM to 12:30 PM')).toBeDefined();
  for (const name of ['Type the hours', 'Add days off', 'Other zone']) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
  expect(screen.getByLabelText<HTMLSelectElement>('Length').disabled).toBe(true);
});
