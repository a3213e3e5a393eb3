/** How each part of Settings works, from what the server says. */

import type { Outputs } from '../../server/contract/api.ts';
import { type CallService, serviceOf } from '../../server/contract/calls.ts';
import { pluralize } from '../../server/contract/numbers.ts';
import { placeOf } from '../../server/contract/times.ts';
import type { SiteConfig } from '../../site.defaults.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { countLeft, isTodo } from '../admin/steps-left.tsx';
import { hoursOf } from '../week/spans.ts';
import { inText, whenInWords } from './when.ts';

/** `neutral` claims nothing: not used, or not tried yet. */
export type Mark = 'works' | 'todo' | 'broken' | 'neutral';

export interface State {
  mark: Mark;
  /** A few words about it. */
  words: string;
}

/** What the states follow from. What could not be loaded is missing. */
export interface Facts {
  draft?: Outputs['site']['draft'] | undefined;
  checks?: Outputs['settings']['launchCheck']['checks'] | undefined;
  connections?: Connection[] | undefined;
  sessions?: Outputs['auth']['sessions'] | undefined;
  keys?: Outputs['keys']['list']['keys'] | undefined;
  backups?: Outputs['settings']['backups'] | undefined;
  log?: Outputs['auth']['log']['entries'] | undefined;
  /** Milliseconds since 1970, UTC. */
  now: number;
}

type Connection = Outputs['connections']['list']['connections'][number];
type ConnectionName = Connection['name'];

/** The state of a part of Settings; undefined when what it follows from is missing. */
export type StateOf = (facts: Facts) => State | undefined;

const works = (words: string): State => ({ mark: 'works', words });
const todo = (words: string): State => ({ mark: 'todo', words });
const broken = (words: string): State => ({ mark: 'broken', words });
const neutral = (words: string): State => ({ mark: 'neutral', words });

/** A nightly backup is missed when the newest one is older, in ms. */
const maxBackupAge = 36 * 60 * 60_000;

/** The document of the draft. The editor changes any field of it, so that it is read as it comes. */
const documentOf = ({ draft }: Facts) => draft?.document as Partial<SiteConfig> | undefined;

const connectionOf = ({ connections }: Facts, name: ConnectionName) =>
  connections?.find((one) => one.name === name);

/** What is left to do before going live about one of these variables or fields. */
const findingOf = ({ checks = [] }: Facts, ...places: string[]) =>
  checks
    .flatMap(({ findings }) => findings)
    .filter(isTodo)
    .find(({ where, path }) => places.some((place) => place === where || place === path));

/** The state of a connection that was tried when it was set; `unset` is its state without one. */
function connected(facts: Facts, name: ConnectionName, unset: State): State | undefined {
  const connection = connectionOf(facts, name);
  if (!connection) return undefined;
  const { state, problem, checkedAt, hint, items } = connection;
  if (problem !== undefined) return broken(firstSentence(problem));
  if (state === 'unset') return unset;
  if (checkedAt !== undefined) return works(`Checked ${inText(whenInWords(checkedAt, facts.now))}`);
  // Nobody has tried what the environment sets.
  if (state === 'environment') return neutral('Set on the server');
  return works(hint ?? items?.map((one) => one.hint).join(', ') ?? 'Connected');
}

const firstSentence = (text: string): string => text.split(/(?<=\.)\s/, 1)[0] ?? text;

const services: Record<CallService, { name: 'calcom' | 'calendly'; title: string }> = {
  cal: { name: 'calcom', title: 'Cal.com' },
  calendly: { name: 'calendly', title: 'Calendly' },
};

/** The calendars elsewhere at which visitors book. */
const calendarsOf = (document: Partial<SiteConfig>): string[] =>
  Object.values(document.schedulers ?? {}).filter((address) => !isPlaceholder(address));

/** The states, by the path of their part of Settings. */
export const states = {
  hours(facts) {
    const { draft, checks } = facts;
    const document = documentOf(facts);
    if (!draft || !document || !checks) return undefined;
    if (calendarsOf(document).length === Object.keys(document.schedulers ?? {}).length) {
      return neutral('Calls are booked elsewhere');
    }
    if (findingOf(facts, 'calls.hours')) return todo('The hours are samples');
    if (draft.changes.some(({ path }) => /^calls\b/.test(path))) {
      return todo('Changed, but not published');
    }
    const hours = hoursOf(document.calls?.hours);
    if (hours === 0) return todo('No hours yet');
    return works(`${pluralize(hours, 'hour')} a week, ${placeOf(document.calls?.timeZone ?? '')}`);
  },

  calendars(facts) {
    const state = connected(facts, 'busyCalendars', neutral('Not used'));
    const { items = [] } = connectionOf(facts, 'busyCalendars') ?? {};
    const counts = items.flatMap(({ busyTimes }) => busyTimes ?? []);
    if (counts.length === 0 || state?.mark !== 'works') return state;
    const sum = counts.reduce((total, count) => total + count, 0);
    return works(`${pluralize(sum, 'busy time')} in seven days`);
  },

  email: (facts) => connected(facts, 'email', todo('Nobody gets an email yet')),

  payments(facts) {
    const document = documentOf(facts);
    if (!document) return undefined;
    const isSold = !isPlaceholder(document.links?.checkout ?? '');
    return connected(facts, 'stripe', isSold ? todo('Sales are not counted') : neutral('Not used'));
  },

  'booking-services'(facts) {
    const document = documentOf(facts);
    if (!document || !facts.connections) return undefined;
    const set = Object.values(services).filter(({ name }) => {
      const state = connectionOf(facts, name)?.state;
      return state !== undefined && state !== 'unset';
    });
    const problem = set.map(({ name }) => connectionOf(facts, name)?.problem).find(Boolean);
    if (problem) return broken(firstSentence(problem));
    const uncounted = calendarsOf(document)
      .map(serviceOf)
      .flatMap((service) => (service ? services[service] : []))
      .find((service) => !set.includes(service));
    if (uncounted) return todo(`Calls at ${uncounted.title} are not all counted`);
    if (set.length === 0) return neutral('Not used');
    return neutral(`Set for ${set.map(({ title }) => title).join(' and ')}`);
  },

  password(facts) {
    const { sessions, checks } = facts;
    if (!sessions || !checks) return undefined;
    if (findingOf(facts, 'ADMIN_PASSWORD')) return todo('Too weak');
    return works(sessions.fixedPassword === null ? 'Set' : 'Set on the server');
  },

  devices: ({ sessions }) =>
    sessions &&
    works(
      sessions.sessions.length === 1
        ? 'Only this browser'
        : `${sessions.sessions.length} are signed in`,
    ),

  backups({ backups, now }) {
    if (!backups) return undefined;
    if (backups.problem !== undefined) return broken('None can be made now');
    if (!backups.isNightly) return neutral('Made by your database’s provider');
    const [newest] = backups.backups;
    if (!newest) return neutral('The first one comes at night');
    const when = whenInWords(newest.at, now);
    if (now - Date.parse(newest.at) > maxBackupAge) return broken(`None since ${when}`);
    return works(`On this disk, ${inText(when)}`);
  },

  people: () => neutral('Find, download, erase'),

  log({ log, now }) {
    if (!log) return undefined;
    const [newest] = log;
    return newest
      ? works(`Last entry ${inText(whenInWords(newest.at, now))}`)
      : neutral('No entry yet');
  },

  domain(facts) {
    if (!facts.checks) return undefined;
    if (findingOf(facts, 'PUBLIC_URL')) return todo('Not ready for visitors');
    if (findingOf(facts, 'TRUST_PROXY', 'HOST')) return todo('The proxy is not set');
    // With PUBLIC_URL, the server redirects every other address there: this page came from it.
    return works(location.host);
  },

  webhooks(facts) {
    const { keys } = facts;
    if (!keys) return undefined;
    const count = keys.length > 0 ? pluralize(keys.length, 'API key') : undefined;
    const webhook = connected(facts, 'webhook', neutral(count ?? 'Not used'));
    if (!webhook || webhook.mark === 'broken') return webhook;
    if (connectionOf(facts, 'webhook')?.state !== 'unset') {
      return { ...webhook, words: [webhook.words, count].filter(Boolean).join(', ') };
    }
    return count ? works(count) : webhook;
  },

  import: () => neutral('From a CSV file'),

  launch({ checks }) {
    if (!checks) return undefined;
    const count = countLeft(checks);
    return count === 0
      ? works('Nothing is left to do')
      : todo(`${pluralize(count, 'thing')} to do`);
  },
} satisfies Record<string, StateOf>;

const numbers = [
  ...['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve'],
];

/** `Everything works.`, or `One thing is broken, three are to do.` An undefined state could not be checked. */
export function summaryOf(all: readonly (State | undefined)[]): string {
  const count = (mark: Mark) => all.filter((state) => state?.mark === mark).length;
  const parts = [
    [count('broken'), 'broken'],
    [count('todo'), 'to do'],
  ] as const;
  const named = parts
    .filter(([n]) => n > 0)
    .map(([n, what], index) => {
      const things = index === 0 ? (n === 1 ? ' thing' : ' things') : '';
      return `${numbers[n] ?? n}${things} ${n === 1 ? 'is' : 'are'} ${what}`;
    });
  const list = named.join(', ');
  const sentences = [
    list && `${list.charAt(0).toUpperCase()}${list.slice(1)}.`,
    all.includes(undefined) && 'Not everything could be checked.',
  ].filter(Boolean);
  return sentences.join(' ') || 'Everything works.';
}
