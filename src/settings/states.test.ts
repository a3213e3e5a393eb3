import { describe, expect, test } from 'vitest';
import { type Facts, type State, states, summaryOf } from './states.ts';

const now = new Date(2026, 10, 27, 14, 5).getTime();
const atNow = new Date(now).toISOString();
const hours = { monday: ['10:00-12:30'], tuesday: ['14:00-15:00', 'soon'] };

type Draft = NonNullable<Facts['draft']>;
type Connection = NonNullable<Facts['connections']>[number];
type Check = NonNullable<Facts['checks']>[number];

const draft = (document: object = {}, changes: Draft['changes'] = []): Draft => ({
  document: {
    calls: { timeZone: 'America/New_York', hours },
    schedulers: { strategyCall: '', inboxReview: '' },
    links: { checkout: '' },
    ...document,
  },
  changes,
  ...{ revision: 1, live: null, mistakes: [], file: null, isReadOnly: false },
});
const connections = (...set: Connection[]): Connection[] => [
  ...set,
  ...(['email', 'stripe', 'busyCalendars', 'webhook', 'calcom', 'calendly'] as const)
    .filter((name) => !set.some((one) => one.name === name))
    .map((name) => ({ name, state: 'unset' as const })),
];
const checks = (...findings: Check['findings']): Check[] => [
  { topic: 'Any', done: 'It is done.', findings },
];
const todo = (where: string, path?: string) => ({
  ...{ kind: 'todo' as const, where, text: 'is not set.' },
  ...(path !== undefined && { path }),
});
const key = {
  id: 'a',
  name: 'A',
  scopes: [],
  createdAt: null,
  usedAt: null,
  isInEnvironment: false,
};
const session = { id: 'a', browser: 'Firefox', createdAt: atNow, seenAt: atNow, isThis: true };
const backup = (at: number) => ({
  isNightly: true,
  backups: [{ name: 'a.db', bytes: 9, at: new Date(at).toISOString() }],
});
const elsewhere = (strategyCall: string, inboxReview = '') =>
  draft({ schedulers: { strategyCall, inboxReview } });
const calendly = 'https://calendly.com/me/call';
const cal = 'https://cal.com/me/call';
const problem = 'It could not be read. Paste it again.';
const hour = 60 * 60_000;

const rows: [noun: keyof typeof states, facts: Partial<Facts>, expected: State | undefined][] = [
  ['hours', {}, undefined],
  ...rowsOf('hours', [
    [{ draft: draft(), checks: checks() }, 'works', '3.5 hours a week, New York'],
    [
      { draft: draft(), checks: checks(todo('x', 'calls.hours')) },
      ...(['todo', 'The hours are samples'] as const),
    ],
    [
      { draft: draft(), checks: checks(todo('calls.hours')) },
      ...(['todo', 'The hours are samples'] as const),
    ],
    [
      { draft: draft({}, [{ path: 'calls.hours', from: 1, to: 2 }]), checks: checks() },
      ...(['todo', 'Changed, but not published'] as const),
    ],
    [{ draft: draft({ calls: { hours: {} } }), checks: checks() }, 'todo', 'No hours yet'],
    [
      { draft: elsewhere(calendly, cal), checks: checks() },
      'neutral',
      'Calls are booked elsewhere',
    ],
    [{ draft: elsewhere(calendly), checks: checks() }, 'works', '3.5 hours a week, New York'],
  ]),
  ['calendars', {}, undefined],
  ...rowsOf('calendars', [
    [{ connections: connections() }, 'neutral', 'Not used'],
    [setTo('busyCalendars', { checkedAt: atNow }), 'works', 'Checked today, 2:05 PM'],
    [setTo('busyCalendars', { checkedAt: atNow, problem }), 'broken', 'It could not be read.'],
    [
      setTo('busyCalendars', { items: [{ id: 'a', hint: 'a.com' }] }),
      ...(['works', 'a.com'] as const),
    ],
    [
      setTo('busyCalendars', {
        items: [14, 3].map((busyTimes) => ({ id: `${busyTimes}`, hint: 'a.com', busyTimes })),
      }),
      ...(['works', '17 busy times in seven days'] as const),
    ],
  ]),
  ['email', {}, undefined],
  ...rowsOf('email', [
    [{ connections: connections() }, 'todo', 'Nobody gets an email yet'],
    [setTo('email', { hint: 'me at b.com' }), 'works', 'me at b.com'],
    [setTo('email', { state: 'environment' }), 'neutral', 'Set on the server'],
    [setTo('email', { state: 'environment', problem }), 'broken', 'It could not be read.'],
  ]),
  ['payments', { connections: connections() }, undefined],
  ...rowsOf('payments', [
    [{ draft: draft(), connections: connections() }, 'neutral', 'Not used'],
    [
      { draft: draft({ links: { checkout: 'https://a.com' } }), connections: connections() },
      ...(['todo', 'Sales are not counted'] as const),
    ],
    [{ draft: draft(), ...setTo('stripe', { hint: 'Key …4242' }) }, 'works', 'Key …4242'],
    [{ draft: draft(), ...setTo('stripe', { problem }) }, 'broken', 'It could not be read.'],
  ]),
  ['booking-services', { draft: draft() }, undefined],
  ...rowsOf('booking-services', [
    [{ draft: draft(), connections: connections() }, 'neutral', 'Not used'],
    [
      { draft: elsewhere(calendly, cal), ...setTo('calendly', {}) },
      ...(['todo', 'Calls at Cal.com are not all counted'] as const),
    ],
    [{ draft: elsewhere(calendly), ...setTo('calendly', {}) }, 'neutral', 'Set for Calendly'],
    [{ draft: draft(), ...setTo('calcom', { problem }) }, 'broken', 'It could not be read.'],
  ]),
  ['password', { checks: checks() }, undefined],
  ...rowsOf('password', [
    [{ checks: checks(), sessions: { sessions: [], fixedPassword: null } }, 'works', 'Set'],
    [
      { checks: checks(), sessions: { sessions: [], fixedPassword: 'Elsewhere.' } },
      ...(['works', 'Set on the server'] as const),
    ],
    [
      {
        checks: checks(todo('ADMIN_PASSWORD')),
        sessions: { sessions: [], fixedPassword: 'Elsewhere.' },
      },
      ...(['todo', 'Too weak'] as const),
    ],
  ]),
  ['devices', {}, undefined],
  ...rowsOf('devices', [
    [{ sessions: { sessions: [session], fixedPassword: null } }, 'works', 'Only this browser'],
    [
      { sessions: { sessions: [session, session], fixedPassword: null } },
      ...(['works', '2 are signed in'] as const),
    ],
  ]),
  ['backups', {}, undefined],
  ...rowsOf('backups', [
    [{ backups: backup(now - hour) }, 'works', 'On this disk, today, 1:05 PM'],
    [{ backups: backup(now - 37 * hour) }, 'broken', 'None since Nov 26, 2026, 1:05 AM'],
    [{ backups: { ...backup(now), problem } }, 'broken', 'None can be made now'],
    [{ backups: { isNightly: true, backups: [] } }, 'neutral', 'The first one comes at night'],
    [
      { backups: { isNightly: false, backups: [] } },
      ...(['neutral', 'Made by your database’s provider'] as const),
    ],
  ]),
  ...rowsOf('people', [[{}, 'neutral', 'Find, download, erase']]),
  ['log', {}, undefined],
  ...rowsOf('log', [
    [{ log: [{ at: atNow, act: 'signed_in' }] }, 'works', 'Last entry today, 2:05 PM'],
    [{ log: [] }, 'neutral', 'No entry yet'],
  ]),
  ['domain', {}, undefined],
  ...rowsOf('domain', [
    [{ checks: checks(todo('PUBLIC_URL')) }, 'todo', 'Not ready for visitors'],
    [{ checks: checks(todo('HOST')) }, 'todo', 'The proxy is not set'],
    [{ checks: checks(todo('SMTP_URL')) }, 'works', location.host],
  ]),
  ['webhooks', { connections: connections() }, undefined],
  ...rowsOf('webhooks', [
    [{ keys: [], connections: connections() }, 'neutral', 'Not used'],
    [{ keys: [key], connections: connections() }, 'works', '1 API key'],
    [{ keys: [key], ...setTo('webhook', { hint: 'a.com' }) }, 'works', 'a.com, 1 API key'],
    [{ keys: [key], ...setTo('webhook', { problem }) }, 'broken', 'It could not be read.'],
    [{ keys: [], ...setTo('webhook', { state: 'environment' }) }, 'neutral', 'Set on the server'],
  ]),
  ...rowsOf('import', [[{}, 'neutral', 'From a CSV file']]),
  ['launch', {}, undefined],
  ...rowsOf('launch', [
    [{ checks: checks() }, 'works', 'Nothing is left to do'],
    [{ checks: checks(todo('A'), todo('B')) }, 'todo', '2 things to do'],
  ]),
];

const says = (state: State | undefined) => (state ? `${state.mark}: ${state.words}` : 'nothing');

function rowsOf(
  noun: keyof typeof states,
  cases: [facts: Partial<Facts>, mark: State['mark'], words: string][],
): typeof rows {
  return cases.map(([facts, mark, words]) => [noun, facts, { mark, words }]);
}

function setTo(name: Connection['name'], more: Partial<Connection>): Partial<Facts> {
  return { connections: connections({ name, state: 'browser', ...more }) };
}

test.each(rows.map(([noun, facts, expected]) => ({ noun, facts, expected, says: says(expected) })))(
  'the state of $noun says "$says" when its facts do',
  ({ noun, facts, expected }) => {
    expect(states[noun]({ ...facts, now })).toEqual(expected);
  },
);

test('every part of Settings has a case for each of its states', () => {
  expect(new Set(rows.map(([noun]) => noun))).toEqual(new Set(Object.keys(states)));
});

describe('summary', () => {
  const all = (...marks: (State['mark'] | undefined)[]) =>
    marks.map((mark) => mark && { mark, words: '' });
  test.each([
    [all('works', 'neutral'), 'Everything works.'],
    [all('broken'), 'One thing is broken.'],
    [all('broken', 'todo', 'todo', 'todo'), 'One thing is broken, three are to do.'],
    [all('broken', 'broken', 'todo'), 'Two things are broken, one is to do.'],
    [all('todo'), 'One thing is to do.'],
    [all(...Array(13).fill('todo')), '13 things are to do.'],
    [all('works', undefined), 'Not everything could be checked.'],
    [all('todo', undefined), 'One thing is to do. Not everything could be checked.'],
  ])('summary of the states %# is a sentence', (given, sentence) => {
    expect(summaryOf(given)).toBe(sentence);
  });
});
