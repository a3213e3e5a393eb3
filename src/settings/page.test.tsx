import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { siteFields } from '../../server/content/fields.ts';
import { styleCache } from '../app-providers.tsx';
import { json, renderScreen, visited } from '../testing/screen.tsx';
import { SettingsPage } from './page.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const settings = 'Settings (the file .env, or the environment)';
const todo = (where: string) => ({ kind: 'todo', where, text: 'is not set.' });
const session = (id: string, isThis: boolean) => ({
  id,
  isThis,
  browser: isThis ? 'Firefox on Linux' : 'Safari on iPhone',
  createdAt: '2026-01-31T14:05:00.000Z',
  seenAt: '2026-01-31T15:05:00.000Z',
});

const at = '2026-01-31T14:05:00.000Z';
const unset = ['stripe', 'busyCalendars', 'webhook', 'calcom', 'calendly'].map((name) => ({
  ...{ name, state: 'unset' },
}));
const closed: string[] = [];
const siteDocument = {
  schedulers: { strategyCall: '', inboxReview: '' },
  links: { checkout: '' },
  calls: {
    timeZone: 'Europe/Berlin',
    hours: {
      ...{ monday: closed, tuesday: ['10:00-12:30', '14:00-16:30'], wednesday: ['10:00-12:30'] },
      ...{ thursday: ['10:00-12:30'], friday: ['10:00-12:30'], saturday: closed, sunday: closed },
    },
  },
};

/** What the server responds with, by path. */
let responses: Record<string, (body: unknown) => Response | Promise<Response>>;
let requests: { path: string; body: unknown }[];

beforeEach(() => {
  requests = [];
  sessionStorage.clear();
  responses = {
    '/api/settings/launch-check': () =>
      json({
        checks: [
          { topic: settings, done: 'A mail server is set.', findings: [todo('SMTP_URL')] },
          { topic: settings, done: 'Sales are counted.', findings: [] },
          { topic: 'Domain', done: 'Your address is set.', findings: [todo('PUBLIC_URL')] },
          {
            topic: 'Texts',
            done: 'No text is a sample.',
            findings: [
              { kind: 'advice', where: 'calls', text: 'are not read.', line: 12 },
              { kind: 'todo', text: 'Three quotes are samples.', path: 'testimonials.quotes.0' },
            ],
          },
        ],
      }),
    '/api/settings/network-check': () =>
      json({
        checks: [
          {
            topic: 'Links',
            done: 'Your links respond.',
            findings: [{ kind: 'unknown', text: 'Your quiz refuses checks.', path: 'links.quiz' }],
          },
        ],
      }),
    '/api/site/draft': () =>
      json({ document: siteDocument, changes: [], mistakes: [], revision: 1, isReadOnly: false }),
    '/api/site/fields': () => json({ fields: siteFields({}) }),
    '/api/bookings?state=upcoming': () => json({ bookings: [], timeZone: 'UTC' }),
    '/api/admin/log': () =>
      json({ entries: [{ at, act: 'key_created', browser: 'Firefox on Linux' }] }),
    '/api/settings/email': () =>
      json({ mailServer: { host: 'smtp.my-domain.com', recipients: ['me@my-domain.com'] } }),
    '/api/connections': () =>
      json({
        connections: [{ name: 'email', state: 'environment', variables: ['SMTP_URL'] }, ...unset],
      }),
    '/api/settings/backups': () => json({ isNightly: true, backups: [] }),
    '/api/keys': (body) => {
      if (body) return json({ id: 'shingle_5e6f7a8b', key: 'shingle_5e6f7a8b90' });
      return json({
        keys: [
          {
            id: 'CONVERSION_KEY',
            name: 'CONVERSION_KEY',
            scopes: ['write:conversions'],
            createdAt: null,
            usedAt: null,
            isInEnvironment: true,
          },
          {
            id: 'shingle_1a2b3c4d',
            name: 'Spreadsheet',
            scopes: ['read:analytics'],
            createdAt: '2026-01-31T14:05:00.000Z',
            usedAt: null,
            isInEnvironment: false,
          },
        ],
      });
    },
    '/api/admin/sessions': () =>
      json({ sessions: [session('mine', true), session('other', false)], fixedPassword: null }),
  };
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const path = String(input);
    const body = init?.body && JSON.parse(String(init.body));
    requests.push({ path, body });
    return responses[path]?.(body) ?? json({ ok: true });
  });
});

/** Opens the part of Settings at this path; without one, the list. */
const open = (path?: string) =>
  renderScreen(
    <Routes>
      <Route path="/analytics/settings/:noun?" element={<SettingsPage />} />
      <Route path="/admin" element={null} />
    </Routes>,
    { at: `/analytics/settings${path ? `/${path}` : ''}`, styles: styleCache() },
  );
const requestsTo = (path: string) => requests.filter((request) => request.path === path);
const panel = (name: string) => screen.findByRole('region', { name });
const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));

/** What the list says of each part: its mark in words, and a few words. */
const entries = () =>
  within(screen.getByRole('navigation', { name: 'Settings' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
const heading = (name: string) => screen.findByRole('heading', { level: 2, name });

/** A screen with room for the list alone, or for a part beside it; `turn` changes it. */
function onScreen(isWide: boolean) {
  const query = Object.assign(new EventTarget(), { matches: isWide });
  vi.spyOn(window, 'matchMedia').mockReturnValue(query as unknown as MediaQueryList);
  return {
    turn() {
      query.matches = !query.matches;
      query.dispatchEvent(new Event('change'));
    },
  };
}

test('settings list every part with its state', async () => {
  open();
  await screen.findByText('Two things are to do.');
  expect(entries()).toEqual([
    'Hours and callsWorks: 12.5 hours a week, Berlin',
    'Other calendarsNot used',
    'EmailSet on the server',
    'PaymentsNot used',
    'Booking servicesNot used',
    'PasswordWorks: Set',
    'DevicesWorks: 2 are signed in',
    'BackupsThe first one comes at night',
    'People’s dataFind, download, erase',
    'Owner’s logWorks: Last entry Jan 31, 2026, 2:05 PM',
    'DomainTo do: Not ready for visitors',
    'Webhooks and API keysWorks: 2 API keys',
    'Import salesFrom a CSV file',
    'Before you go liveTo do: 3 things to do',
  ]);
});

test('settings show the first part beside the list, and the one that is broken before it', async () => {
  const { unmount } = open();
  expect(await panel('Hours and calls')).toBeDefined();
  unmount();
  const problem = '3 emails could not be sent for 2 hours. Each is tried again by itself.';
  responses['/api/connections'] = () =>
    json({
      connections: [{ name: 'email', state: 'browser', problem }, ...unset],
    });
  open();
  const link = await screen.findByRole('link', { current: 'page', name: /^Email/ });
  expect(link.textContent).toBe('EmailBroken: 3 emails could not be sent for 2 hours.');
  expect(await panel('Email')).toBeDefined();
  expect(screen.getByText('One thing is broken, two are to do.')).toBeDefined();
});

test('settings say which part could not be checked, and not that everything works', async () => {
  responses['/api/keys'] = () => json({ error: 'Busy.' }, 500);
  open();
  await screen.findByText('Could not be checked');
  expect(entries()).toContain('Webhooks and API keysCould not be checked');
});

test('settings do not call working what could not be checked again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open();
  await screen.findByText('Two things are to do.');
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  await act(() => vi.advanceTimersByTimeAsync(31_000));
  await waitFor(() => expect(entries()).toContain('DevicesCould not be checked'));
  expect(entries().filter((entry) => entry?.includes('Works'))).toEqual([]);
  expect(screen.getByText('Not everything could be checked.')).toBeDefined();
});

test('settings show within seconds that another browser has published other hours', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open();
  await screen.findByText('Two things are to do.');
  const { calls } = siteDocument;
  const hours = { ...calls.hours, monday: ['10:00-12:00'] };
  const document = { ...siteDocument, calls: { ...calls, hours } };
  responses['/api/site/draft'] = () =>
    json({ document, changes: [], revision: 2, isReadOnly: false });
  await act(() => vi.advanceTimersByTimeAsync(31_000));
  expect(entries()).toContain('Hours and callsWorks: 14.5 hours a week, Berlin');
});

test('a part takes the focus when the owner chooses it, and an unknown address shows the list', async () => {
  open('nothing');
  await userEvent.click(await screen.findByRole('link', { name: /^Devices/ }));
  expect(document.activeElement).toBe(await heading('Devices'));
  expect(screen.getByRole('link', { current: 'page', name: /^Devices/ })).toBeDefined();
  await userEvent.click(screen.getByRole('link', { name: /^Backups/ }));
  expect(document.activeElement).toBe(await heading('Backups'));
});

test('a phone shows the list, then one part with a way back to its entry', async () => {
  onScreen(false);
  open();
  await screen.findByText('Two things are to do.');
  expect(screen.queryByRole('region')).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: /^Devices/ }));
  expect(document.activeElement).toBe(await heading('Devices'));
  expect(screen.queryByRole('navigation', { name: 'Settings' })).toBeNull();
  const back = within(screen.getByRole('heading', { level: 1 })).getByRole('link');
  await userEvent.click(back);
  expect(document.activeElement).toBe(await screen.findByRole('link', { name: /^Devices/ }));
});

test.each(['people', undefined])(
  'what was typed into a part survives that there is no room for the list, opened at %s',
  async (path) => {
    if (!path) {
      responses['/api/connections'] = () => json({ connections: [] });
      responses['/api/settings/backups'] = () =>
        json({ isNightly: true, backups: [], problem: 'Full.' });
    }
    const device = onScreen(true);
    open(path);
    const field = async () =>
      path
        ? screen.findByLabelText<HTMLInputElement>('Email address of the person')
        : screen.findByRole('link', { name: 'Download a backup' });
    const before = await field();
    await act(async () => device.turn());
    expect(before.isConnected).toBe(true);
    await act(async () => device.turn());
    expect(await field()).toBe(before);
  },
);

test('log panel shows acts in words, refused sign-ins apart, and more when asked', async () => {
  responses['/api/admin/log?before=2'] = () =>
    json({
      entries: [{ at, act: 'key_created', browser: 'Firefox on Linux', detail: 'shingle_1' }],
    });
  responses['/api/admin/log'] = () =>
    json({
      next: '2',
      entries: [
        {
          at,
          act: 'sign_in_refused',
          browser: 'Chrome on Mac',
          detail: 'wrong password, 3 times, from 203.0.113.9',
        },
        { at, act: 'site_published', detail: '2 changes, by npm run admin -- content import' },
        { at, act: 'connection_set', browser: 'Firefox on Linux', detail: 'email' },
        { at, act: 'flag_raised', browser: 'Firefox on Linux', detail: 'red' },
      ],
    });
  open('log');
  await press('Show more');
  await screen.findByText('API key created');
  const log = within(await panel('Owner’s log'));
  const time = 'Jan 31, 2026, 2:05 PM';
  expect(
    log.getAllByRole('listitem').map(({ textContent }) => textContent?.replace(/\s/g, ' ')),
  ).toEqual([
    `${time}Wrong password, 3 times203.0.113.9, Chrome on Mac. Not you?`,
    `${time}Site published2 changes, by npm run admin -- content import`,
    `${time}Connected the mail serverFirefox on Linux`,
    `${time}Flag raisedred, Firefox on Linux`,
    `${time}API key createdshingle_1, Firefox on Linux`,
  ]);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

/** Finds this person, of whom the server has these counts. */
async function findPerson(counts: Record<string, number>) {
  const all = { messages: 0, calls: 0, upcomingCalls: 0, sales: 0, stripeEvents: 0, ...counts };
  responses['/api/people?email=ada%40example.com'] = () => json(all);
  responses['/api/people/erase'] = () => json({ ...all, isWiped: true });
  open('people');
  await userEvent.type(
    await screen.findByLabelText('Email address of the person'),
    'ada@example.com{Enter}',
  );
}

test('people panel erases a person only after the question, and says what stays elsewhere', async () => {
  await findPerson({ messages: 2, calls: 3, sales: 1, stripeEvents: 4 });
  await screen.findByText('Found: 2 messages, 3 calls, 1 sale.');
  await press('Erase …');
  await screen.findByText(
    'Erase 2 messages and 3 calls for ever? The sale stays without the address: tax law asks for it.',
  );
  expect(requestsTo('/api/people/erase')).toEqual([]);
  await press('Erase for ever');
  const status = await screen.findByText('Erased: 2 messages, 3 calls, 1 sale.');
  await waitFor(() => expect(document.activeElement).toBe(status));
  expect(requestsTo('/api/people/erase')[0]?.body).toEqual({ email: 'ada@example.com' });
  expect(screen.getByText(/^Earlier backups and your mailbox/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Download all' })).toBeNull();
});

test.each([
  [1, '1 of the calls is still to come: nobody tells them. Cancel it under Bookings first'],
  [2, '2 of the calls are still to come: nobody tells them. Cancel them under Bookings first'],
])(
  'people panel asks to cancel %d of the calls first when they are to come, and links to them',
  async (n, sentence) => {
    await findPerson({ messages: 1, calls: 3, upcomingCalls: n });
    await screen.findByText('Found: 1 message, 3 calls.');
    await press('Erase …');
    const question = await screen.findByText(/^Erase 1 message/);
    expect(question.textContent).toContain(
      `Erase 1 message and 3 calls for ever? ${sentence}, so that they get an email.`,
    );
    expect(screen.getByRole('link', { name: 'Open Bookings' }).getAttribute('href')).toBe(
      '/analytics/bookings',
    );
    await press('Erase for ever');
    await screen.findByText('Erased: 1 message, 3 calls.');
  },
);

test('people panel erases nobody but the person whose address is in the field', async () => {
  await findPerson({ messages: 2 });
  await screen.findByText('Found: 2 messages.');
  const field = screen.getByLabelText('Email address of the person');
  await userEvent.clear(field);
  await userEvent.type(field, 'bob@example.com');
  expect(screen.queryByRole('button', { name: 'Erase …' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Download all' })).toBeNull();
});

test('people panel downloads all data of a person as a file', async () => {
  await findPerson({ messages: 1 });
  const file = { email: 'ada@example.com', messages: [{ id: 'a' }] };
  responses['/api/people/export?email=ada%40example.com'] = () => json(file);
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob);
    return 'blob:1';
  });
  // The window of the tests would leave its page.
  const follow = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await press('Download all');
  await screen.findByText('Found: 1 message. The file is in your downloads.');
  expect(follow.mock.contexts).toMatchObject([{ download: 'ada@example.com.json' }]);
  expect(JSON.parse((await saved[0]?.text()) ?? '')).toEqual(file);
});

test('people panel says that nothing is stored, and offers nothing then', async () => {
  await findPerson({});
  await screen.findByText('Nothing is stored about ada@example.com.');
  expect(screen.queryByRole('button', { name: 'Erase …' })).toBeNull();
});

test('domain panel shows what is missing, and checks again', async () => {
  responses['/api/settings/network-check'] = () =>
    json({
      checks: [{ topic: 'Domain', done: 'Your address responds with https.', findings: [] }],
    });
  open('domain');
  const domain = within(await panel('Domain'));
  await domain.findByText('PUBLIC_URL', { exact: false });
  await domain.findByText('Your address responds with https.');
  expect(domain.queryByText('Sales are counted.')).toBeNull();
  await press('Check again');
  await domain.findByText(/^Checked at/);
  expect(requestsTo('/api/settings/network-check')).toHaveLength(2);
});

test('launch check lists by topic what is done, what is left and what is advice', async () => {
  open('launch');
  await screen.findByText('3 things to do before going live.');
  const items = (topic: string) =>
    within(screen.getByRole('region', { name: topic }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(items(settings)).toEqual(['Done: Sales are counted.', 'To do: SMTP_URL is not set.Do it']);
  expect(items('Texts')).toEqual([
    'To do: Three quotes are samples.Do it',
    'For information: Line 12: calls are not read.',
  ]);
  expect(requestsTo('/api/settings/network-check')).toEqual([]);
});

test('a finding links to the field of the site, or the part of Settings, that can change it', async () => {
  open('launch');
  const link = await screen.findByRole('link', { name: 'Do it: Three quotes are samples.' });
  expect(link.getAttribute('href')).toBe('/analytics/site?field=testimonials.quotes.0');
  const email = screen.getByRole('link', { name: 'Do it: is not set.' });
  expect(email.getAttribute('href')).toBe('/analytics/settings/email');
});

test('launch check asks for the network when told to, and checks again', async () => {
  open('launch');
  await press('Check links and mail domain');
  await screen.findByText('Your quiz refuses checks.');
  await press('Check again');
  await screen.findByText(/^Checked at/);
  expect(requestsTo('/api/settings/launch-check')).toHaveLength(2);
  expect(requestsTo('/api/settings/network-check')).toHaveLength(2);
});

test('launch check shows the server’s sentence when it is limited', async () => {
  responses['/api/settings/network-check'] = () =>
    json({ error: 'Too many requests.', code: 'RATE_LIMITED' }, 429);
  open('launch');
  await press('Check links and mail domain');
  expect((await screen.findByRole('alert')).textContent).toBe('Too many requests.');
});

const change = async (current: string, next: string) => {
  await userEvent.type(await screen.findByLabelText('Current password'), current);
  await userEvent.type(screen.getByLabelText('New password'), `${next}{Enter}`);
};

test('password change sends both passwords and clears the form', async () => {
  open('password');
  await change('old one', 'plum tractor seldom violet');
  await screen.findByText('Your password was changed. Other browsers are signed out.');
  expect(requestsTo('/api/admin/password')).toEqual([
    {
      path: '/api/admin/password',
      body: { currentPassword: 'old one', newPassword: 'plum tractor seldom violet' },
    },
  ]);
  expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('');
});

test('password change shows a wrong current password at its field', async () => {
  responses['/api/admin/password'] = () =>
    json({ error: 'Another one.', code: 'WRONG_CURRENT_PASSWORD' }, 403);
  open('password');
  await change('wrong', 'plum tractor seldom violet');
  expect((await screen.findByRole('alert')).textContent).toBe('Another one.');
  const field = screen.getByLabelText('Current password');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(field);
  expect(visited).toEqual(['/analytics/settings/password']);
});

test('password change shows a weak new password at its field', async () => {
  const issues = [{ path: 'newPassword', message: 'This has 5 characters; use 12 or more.' }];
  responses['/api/admin/password'] = () =>
    json({ error: 'Some fields.', code: 'VALIDATION', issues }, 400);
  open('password');
  await change('old one', 'short');
  expect((await screen.findByRole('alert')).textContent).toBe(issues[0]?.message);
  expect(document.activeElement).toBe(screen.getByLabelText('New password'));
});

test('password panel says what to do instead while the environment sets it', async () => {
  responses['/api/admin/sessions'] = () =>
    json({ sessions: [], fixedPassword: 'It is set elsewhere.' });
  open('password');
  await within(await panel('Password')).findByText(/It is set elsewhere\./);
  expect(screen.queryByLabelText('New password')).toBeNull();
});

test('sessions panel signs out one browser, and all others', async () => {
  open('devices');
  const list = within(await panel('Devices'));
  await screen.findByText('Firefox on Linux (this browser)');
  expect(list.getAllByRole('button')).toHaveLength(2);
  await press(/^Sign out Safari on iPhone/);
  await screen.findByText('Safari on iPhone was signed out.');
  expect(requestsTo('/api/admin/sessions/end')[0]?.body).toEqual({ id: 'other' });
  await press('Sign out all others');
  await screen.findByText('All other browsers were signed out.');
  expect(requestsTo('/api/admin/sessions/end-others')).toHaveLength(1);
});

test('email panel sends a test email and says who gets it', async () => {
  open('email');
  await press('Send a test email');
  await screen.findByText(/took the email to me@my-domain\.com/);
  expect(requestsTo('/api/settings/test-email')).toHaveLength(1);
});

test('email panel shows why the mail server did not take the test email', async () => {
  responses['/api/settings/test-email'] = () =>
    json({ error: 'The test email was not sent: EAUTH', code: 'TEST_EMAIL_FAILED' }, 422);
  open('email');
  await press('Send a test email');
  expect((await screen.findByRole('alert')).textContent).toBe('The test email was not sent: EAUTH');
});

test('email panel says what to do about the test email, above what the mail server says', async () => {
  const error = 'The test email was not sent: Set EMAIL_FROM.\nEENVELOPE: 550';
  responses['/api/settings/test-email'] = () => json({ error, code: 'TEST_EMAIL_FAILED' }, 422);
  open('email');
  await press('Send a test email');
  const alert = await screen.findByRole('alert');
  expect(alert.firstChild?.textContent).toBe('The test email was not sent: Set EMAIL_FROM.');
  expect(alert.querySelector('details:not([open]) > p')?.textContent).toBe('EENVELOPE: 550');
});

test.each([null, { host: 'smtp.my-domain.com', recipients: ['me@my-domain.com'] }])(
  'email panel says that made-up data send no emails, with the mail server %j',
  async (mailServer) => {
    responses['/api/settings/email'] = () => json({ mailServer });
    responses['/api/settings/status'] = () => json({ unread: 0, alert: null, isDemo: true });
    open('email');
    await screen.findByText(/so the site sends no emails\./);
    expect(screen.queryByRole('button', { name: 'Send a test email' })).toBeNull();
  },
);

/** A server on which the mail server can be set in the browser; `set` responds to that. */
function connectable(set: () => Response) {
  let hint: string | undefined;
  responses['/api/settings/email'] = () => {
    const mailServer = { host: 'smtp.fastmail.com', recipients: ['me@my-domain.com'] };
    return json({ mailServer: hint === undefined ? null : mailServer });
  };
  responses['/api/connections'] = (body) => {
    const state = hint === undefined ? 'unset' : 'browser';
    const fields = { host: 'smtp.fastmail.com', port: 465, user: 'me@fastmail.com' };
    const connected = { state, ...(hint && { hint, fields }) };
    if (!body) return json({ connections: [{ name: 'email', ...connected }] });
    const response = set();
    if (response.ok) hint = 'me@fastmail.com at smtp.fastmail.com';
    return response;
  };
  responses['/api/connections/clear'] = () => {
    hint = undefined;
    return json({ ok: true });
  };
}
const stored = () => json({ connection: { name: 'email', state: 'browser' } });
const refusal = 'The mail server rejects the user or the password.';
const refused = () =>
  json({ error: '', code: 'VALIDATION', issues: [{ path: 'value', message: refusal }] }, 400);
const type = async (label: string, text: string) =>
  userEvent.type(await screen.findByLabelText(label), text);

test('email panel connects an account with what its provider needs, and asks whether the test arrived', async () => {
  connectable(stored);
  open('email');
  await screen.findByText(/nobody gets an email\./);
  await userEvent.click(await screen.findByLabelText('Fastmail'));
  await type('Address', 'me@fastmail.com');
  await type('App password', 'a secret');
  await press('Try and save');
  const status = await screen.findByText(
    'The mail server took the email to me@my-domain.com. Did it arrive?',
  );
  await waitFor(() => expect(document.activeElement).toBe(status));
  expect(requestsTo('/api/connections').find(({ body }) => body)?.body).toEqual({
    name: 'email',
    value: {
      ...{ host: 'smtp.fastmail.com', port: 465, user: 'me@fastmail.com', password: 'a secret' },
    },
  });
  await within(await panel('Email')).findByText('me@fastmail.com at smtp.fastmail.com');
  await press('No');
  expect(status.textContent).toMatch(/^Look into your spam folder\./);
  expect(screen.queryByLabelText('App password')).toBeNull();
});

test('email panel says why a mail server was refused, and keeps what was typed but the password', async () => {
  connectable(refused);
  const { unmount } = open('email');
  await userEvent.click(await screen.findByLabelText('Other'));
  await type('Mail server', 'mail.my-domain.com');
  await type('Address that sends', 'me@my-domain.com');
  await type('User', 'me');
  await type('Password of the account', 'a secret');
  await press('Try and save');
  expect((await screen.findByRole('alert')).textContent).toBe(refusal);
  expect(screen.getByLabelText<HTMLInputElement>('Password of the account').value).toBe('a secret');
  unmount();
  open('email');
  const value = async (label: string) =>
    (await screen.findByLabelText<HTMLInputElement>(label)).value;
  expect(await value('Mail server')).toBe('mail.my-domain.com');
  expect(await value('Address that sends')).toBe('me@my-domain.com');
  expect(await value('Password of the account')).toBe('');
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('a secret');
});

test('email panel changes a connected account without its password, and disconnects it', async () => {
  connectable(stored);
  open('email');
  await userEvent.click(await screen.findByLabelText('Fastmail'));
  await type('Address', 'me@fastmail.com');
  await type('App password', 'a secret');
  await press('Try and save');
  await press('Yes, it arrived');
  await press('Change');
  expect(await screen.findByPlaceholderText(/^Stored\. Type a new one/)).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('me@fastmail.com');
  await type('Your own address', 'me@my-host.com');
  await press('Try and save');
  await screen.findByText(/Did it arrive\?$/);
  expect(requestsTo('/api/connections').findLast(({ body }) => body)?.body).toEqual({
    name: 'email',
    value: {
      ...{ host: 'smtp.fastmail.com', port: 465, user: 'me@fastmail.com' },
      to: ['me@my-host.com'],
    },
  });
  await press('Disconnect');
  await press('Disconnect');
  await screen.findByText('The mail server is disconnected.');
  expect(requestsTo('/api/connections/clear')[0]?.body).toEqual({ name: 'email' });
  await screen.findByLabelText('Fastmail');
});

test('email panel names the variables that set fields, and does not send these', async () => {
  connectable(stored);
  const list = responses['/api/connections'];
  responses['/api/connections'] = (body) =>
    body
      ? (list?.(body) ?? json({}))
      : json({
          connections: [{ name: 'email', state: 'unset', variables: ['EMAIL_FROM', 'CONTACT_TO'] }],
        });
  open('email');
  await userEvent.click(await screen.findByLabelText('Resend'));
  await screen.findByText(/^The address that sends is set on the server \(EMAIL_FROM\)/);
  await screen.findByText(/^Your own address is set on the server \(CONTACT_TO\)/);
  await type('API key', 're_1234');
  await press('Try and save');
  await waitFor(() =>
    expect(requestsTo('/api/connections').find(({ body }) => body)?.body).toEqual({
      name: 'email',
      value: { host: 'smtp.resend.com', port: 465, user: 'resend', password: 're_1234' },
    }),
  );
});

test('email panel does not keep the sentence of one act beside the next', async () => {
  let isRefused = false;
  connectable(() => (isRefused ? refused() : stored()));
  open('email');
  await userEvent.click(await screen.findByLabelText('Fastmail'));
  await type('Address', 'me@fastmail.com');
  await type('App password', 'a secret');
  await press('Try and save');
  await press('Yes, it arrived');
  await press('Change');
  isRefused = true;
  await press('Try and save');
  expect((await screen.findByRole('alert')).textContent).toBe(refusal);
  expect(screen.queryByText(/^Good\. Messages/)).toBeNull();
  await press('Cancel');
  await press('Change');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('email panel names the variable that sets the mail server, and does not offer to change it', async () => {
  open('email');
  await screen.findByText('Set on the server (SMTP_URL). To change it here, remove it there.');
  expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
});

test('keys panel lists keys, and asks before it revokes one', async () => {
  open('webhooks');
  const list = within(await panel('API keys'));
  await screen.findByText('Set in the environment');
  expect(list.getByText(/^Created Jan 31, 2026, .+\. Never used$/)).toBeTruthy();
  await press('Revoke Spreadsheet, shingle_1a2b3c4d');
  expect(requestsTo('/api/keys/revoke')).toEqual([]);
  await press('Revoke');
  const status = await screen.findByText('Spreadsheet was revoked.');
  expect(document.activeElement).toBe(status);
  expect(requestsTo('/api/keys/revoke')[0]?.body).toEqual({ id: 'shingle_1a2b3c4d' });
});

test('keys panel sends name and scopes, and shows the new key until it is closed', async () => {
  open('webhooks');
  await userEvent.click(await screen.findByText('Create an API key'));
  await userEvent.type(await screen.findByLabelText('Name of the program'), 'Zapier');
  await userEvent.click(screen.getByLabelText('Report sales'));
  await userEvent.click(screen.getByLabelText('Read bookings'));
  await press('Create key');
  const key = await screen.findByLabelText<HTMLInputElement>('Your new API key');
  expect(key.value).toBe('shingle_5e6f7a8b90');
  expect(document.activeElement).toBe(key);
  expect(requestsTo('/api/keys').find(({ body }) => body)?.body).toEqual({
    name: 'Zapier',
    scopes: ['read:bookings', 'write:conversions'],
  });
  await press('Done');
  expect(screen.queryByLabelText('Your new API key')).toBeNull();
});

test('keys panel says what is wrong with a new key', async () => {
  open('webhooks');
  await userEvent.click(await screen.findByText('Create an API key'));
  const issues = [{ path: 'scopes', message: 'Please choose what the key may do.' }];
  responses['/api/keys'] = () => json({ error: 'Some fields.', code: 'VALIDATION', issues }, 400);
  await userEvent.type(await screen.findByLabelText('Name of the program'), 'Zapier{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe(issues[0]?.message);
});

/** The server asks for the password, until this one is sent. */
function askForPassword(right: string) {
  let isConfirmed = false;
  const send = responses['/api/keys'];
  responses['/api/keys'] = (body) => {
    if (!body || isConfirmed) return send?.(body) ?? json({});
    return json({ error: 'This asks for your password.', code: 'CONFIRM_PASSWORD' }, 403);
  };
  responses['/api/admin/confirm'] = (body) => {
    isConfirmed = (body as { password: string }).password === right;
    return isConfirmed
      ? json({ ok: true })
      : json({ error: 'Invalid password', code: 'INVALID_PASSWORD' }, 401);
  };
}

const enterNewKey = async () => {
  await userEvent.click(await screen.findByText('Create an API key'));
  await userEvent.type(await screen.findByLabelText('Name of the program'), 'Zapier');
  await userEvent.click(screen.getByLabelText('Report sales'));
  await press('Create key');
};
const newKeys = () => requestsTo('/api/keys').flatMap(({ body }) => body || []);

test('a new key is sent again as typed once the password is confirmed', async () => {
  askForPassword('right');
  open('webhooks');
  await enterNewKey();
  const dialog = within(await screen.findByRole('dialog', { name: 'Is it you?' }));
  dialog.getByText('Creating an API key asks for your password again.');
  const password = dialog.getByLabelText('Password');
  expect(document.activeElement).toBe(password);
  await userEvent.type(password, 'wrong{Enter}');
  expect((await dialog.findByRole('alert')).textContent).toBe('Invalid password');
  expect(document.activeElement).toBe(password);
  await userEvent.clear(password);
  await userEvent.type(password, 'right{Enter}');
  await screen.findByLabelText('Your new API key');
  expect(screen.queryByRole('dialog')).toBeNull();
  const key = { name: 'Zapier', scopes: ['write:conversions'] };
  expect(newKeys()).toEqual([key, key]);
  expect(visited).toEqual(['/analytics/settings/webhooks']);
});

test('a new key is not sent again when the question is closed, and the form stays', async () => {
  askForPassword('right');
  open('webhooks');
  await enterNewKey();
  await press('Close');
  expect((await screen.findByRole('alert')).textContent).toBe('This asks for your password.');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Name of the program').value).toBe('Zapier');
  expect(newKeys()).toHaveLength(1);
});

test('the question about the password opens the login when the session has ended', async () => {
  askForPassword('right');
  responses['/api/admin/confirm'] = () =>
    json({ error: 'Unauthorized', code: 'UNAUTHORIZED' }, 401);
  open('webhooks');
  await enterNewKey();
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByLabelText('Password'), 'right{Enter}');
  await waitFor(() => expect(visited).toEqual(['/analytics/settings/webhooks', '/admin']));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('settings open the login without a session', async () => {
  for (const path of Object.keys(responses)) {
    responses[path] = () => json({ error: 'Unauthorized' }, 401);
  }
  open();
  await waitFor(() => expect(visited).toEqual(['/analytics/settings', '/admin']));
});

test('settings open the login when the session ends, whatever failed before', async () => {
  responses['/api/site/draft'] = () => json({ error: 'Busy.', code: 'BUSY' }, 503);
  responses['/api/keys'] = () => json({ error: 'Unauthorized', code: 'UNAUTHORIZED' }, 401);
  onScreen(false);
  open();
  await waitFor(() => expect(visited).toEqual(['/analytics/settings', '/admin']));
});

test('import of a file that is too large as JSON says what to do instead', async () => {
  open('import');
  // 9 MB, whose quotes are escaped.
  const file = new File(['"'.repeat(9 * 1024 * 1024)], 'sales.csv');
  await userEvent.upload(await screen.findByLabelText('File of sales'), file);
  await screen.findByText('This file is too large to send. Split it, or use the command line.');
  expect(requestsTo('/api/analytics/import/preview')).toEqual([]);
});

test('backup panel says beside its button why no backup can be made', async () => {
  const problem = 'The disk has too little room: 67.0 MB are needed in /data, 0.0 MB are free.';
  responses['/api/settings/backups'] = () => json({ isNightly: true, backups: [], problem });
  open('backups');
  const alert = await screen.findByText(`The backup cannot be made now. ${problem}`);
  expect(alert.closest('[role=alert]')).toBeTruthy();
});

test('backup panel says that PostgreSQL has no nightly backups', async () => {
  responses['/api/settings/backups'] = () => json({ isNightly: false, backups: [] });
  open('backups');
  expect(await screen.findByText(/^On PostgreSQL the site makes no nightly backups/)).toBeTruthy();
});
