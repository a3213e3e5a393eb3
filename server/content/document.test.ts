/** Mistakes in the voice of the form, documents of other releases, and their types. */
import { expect, it } from 'vitest';
import { site as own } from '../../site.config.ts';
import { en } from '../contract/words/en.ts';
import { site as sample, sampleWith } from '../testing/sample-config.ts';
import {
  complete,
  configOf,
  documentSchema,
  exported,
  filesOf,
  mistakesIn,
  withoutWords,
} from './document.ts';

const exists = (path: string) => /^\/sample-\w+\.svg$/.test(path);
const json = (value: unknown) => JSON.parse(JSON.stringify(value));

it('sample document is complete and has no mistakes', () => {
  expect(complete(sample, sample)).toEqual(sample);
  expect(mistakesIn(sample, exists)).toEqual([]);
  expect(configOf(sample)).toEqual(sample);
});

it('lookup of files counts for its own document only, also when it throws', () => {
  expect(mistakesIn(sample, () => false)).not.toEqual([]);
  expect(documentSchema.safeParse(sample).success).toBe(true);
  const failing = () => {
    throw new Error('no folder');
  };
  expect(() => mistakesIn(sample, failing)).toThrow('no folder');
  expect(documentSchema.safeParse(sample).success).toBe(true);
});

it.each([
  [{ brand: { name: ' ' } }, 'brand.name', 'Please fill this in.'],
  [{ brand: { name: 'A {{b}}' } }, 'brand.name', /without \{\{/],
  [
    { brand: { name: 'long '.repeat(8) } },
    'brand.name',
    'This is 40 characters long, and its place has room for 32.',
  ],
  [{ brand: { email: 'me' } }, 'brand.email', /such as me@my-domain\.com\.$/],
  [{ links: { quiz: 'quiz' } }, 'links.quiz', 'Please enter a web address such as https://….'],
  [{ links: { linkedin: 'me' } }, 'links.linkedin', /or leave this empty\.$/],
  [{ about: { photo: 'me' } }, 'about.photo', 'Please choose a picture, or none.'],
  [{ about: { photo: '/me.jpg' } }, 'about.photo', /^This picture is not on the server\./],
  [{ seo: { icon: '/photos/0.webp' } }, 'seo.icon', 'Please choose a JPEG or PNG, or none.'],
  [{ about: { text: [] } }, 'about.text', 'This needs 1 to 6 texts, and has 0.'],
  [{ hero: { tracks: ['a'] } }, 'hero.tracks', 'This needs exactly 5 texts, and has 1.'],
  [{ calls: { timeZone: 'London' } }, 'calls.timeZone', /such as Europe\/London\.$/],
  [{ calls: { special: { '2027-01-04': ['9'] } } }, 'calls.special.2027-01-04.0', /10:00-12:30\.$/],
  [
    { calls: { special: { '2027-01-04': ['09:00-08:00'] } } },
    'calls.special.2027-01-04.0',
    'The end of these hours is before their start.',
  ],
  [{ calls: { closed: ['soon'] } }, 'calls.closed.0', /such as 2026-12-24\/2027-01-01\.$/],
  [{ calls: { special: { soon: [] } } }, 'calls.special.soon', /a date such as 2026-12-24\.$/],
  [{ colours: { primary: { light: 'red', dark: '#000000' } } }, 'colours.primary.light', /colour/],
  [{ optIn: { place: { style: 'x' } } }, 'optIn.place.style', /must be id, class or begin/],
  [{ language: 'xx' }, 'language', 'Please choose a language.'],
  [{ emails: { reminder: 'Soon!' } }, 'emails.reminder', /^Please keep \{when\}, where/],
  [{ labels: { menu: '' } }, 'labels.menu', 'Please fill this in.'],
  [{ currency: 'euro' }, 'currency', 'Please choose the code of a currency, such as USD.'],
])('%j has one mistake, at %s, in a sentence of its own', (changes, path, message) => {
  const expected = typeof message === 'string' ? message : expect.stringMatching(message);
  expect(mistakesIn(sampleWith(changes as object), exists)).toEqual([{ path, message: expected }]);
});

it('pictures are those that the build has made, each in its shape', () => {
  const [face] = sample.testimonials.quotes;
  const portrait = sample.about.photo;
  const made = filesOf(sample, (path) => path === '/opt-in.js', []);
  const swapped = sampleWith({
    about: { photo: face?.photo ?? '' },
    testimonials: { quotes: [{ ...face, photo: portrait }] as typeof sample.testimonials.quotes },
    optInScript: '/opt-in.js' as never,
  });
  expect(mistakesIn(sample, made)).toEqual([]);
  expect(mistakesIn(swapped, made).map(({ path }) => path)).toEqual([
    'testimonials.quotes.0.photo',
    'about.photo',
  ]);
});

it('no sentence of the form speaks of how the file is written', () => {
  const wrong = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(wrong);
    if (typeof value !== 'object' || value === null) return typeof value === 'number' ? 0.5 : '{{';
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, wrong(one)]));
  };
  const shapes = [
    wrong(sample),
    {},
    ...Object.keys(sample).map((key) => ({ ...sample, [key]: 7 })),
  ];
  const messages = new Set(
    shapes.flatMap((one) => mistakesIn(one, exists)).map(({ message }) => message),
  );
  expect(messages.size).toBeGreaterThan(3);
  for (const message of messages) {
    expect(message).toMatch(/^(Please|This|Another|The) .*\.$/);
    expect(message).not.toMatch(/quotes|bracket|folder|''/);
  }
});

it('ids and the length of a list are checked beside a field of another release', () => {
  const [first, second] = sample.faq.items;
  const items = [
    { ...first, icon: 'star' },
    { ...second, id: first?.id },
  ];
  expect(mistakesIn(sampleWith({ faq: { items } as never }), exists)).toEqual([
    { path: 'faq.items.1.id', message: expect.stringMatching(/^Another entry/) },
  ]);
});

it('an older document gets the fields of this release: defaults, then those of the file', () => {
  const { offline, legal, currency, ...rest } = json(sampleWith({ brand: { name: 'Nora Quist' } }));
  delete rest.hero.link;
  rest.calls.special = {};
  const completed = complete(rest, sample);
  expect(completed).toMatchObject({
    ...{ currency: 'USD', offline: sample.offline, legal: { name: 'Nora Quist', address: [] } },
    hero: { title: sample.hero.title, link: sample.hero.link },
  });
  expect(completed).toHaveProperty('calls.special', {});
  expect(mistakesIn(completed, exists)).toEqual([]);
});

it('a document is stored without the words of its language, and completed with them, not with those of the file', () => {
  const changed = sampleWith({
    labels: { ...sample.labels, menu: 'Plan' },
    dialogs: { ...sample.dialogs, loading: 'One moment' },
  });
  const stored = withoutWords({ ...json(changed), bookingPages: { ...en.bookingPages, new: 'x' } });
  expect(stored).toMatchObject({ labels: { menu: 'Plan' }, bookingPages: { new: 'x' } });
  expect(stored.dialogs).toEqual({ ...own.dialogs, loading: 'One moment' });
  expect(stored).not.toHaveProperty('contactPages');
  const file = sampleWith({ labels: { ...sample.labels, close: 'Shut' } });
  expect(complete(stored, file)).toEqual({
    ...json(changed),
    bookingPages: { ...en.bookingPages, new: 'x' },
  });
  expect(complete(file, file).labels).toEqual(file.labels);
});

it('a document keeps the fields of another release', () => {
  const newer = { ...json(sample), video: { title: 'Watch' } };
  newer.hero.subtitle = 'New';
  expect(complete(newer, sample)).toEqual(newer);
  expect(configOf(newer)).toEqual(newer);
});

it('an export lacks the fields of another release, which the build would refuse', () => {
  const newer = { ...json(sample), video: { title: 'Watch' } };
  newer.hero.subtitle = 'New';
  newer.faq.items[0].icon = 'star';
  newer.labels.menu = 'Plan';
  newer.labels.icon = 'star';
  expect(exported(newer)).toEqual({
    ...exported(json(sample)),
    labels: { menu: 'Plan' },
  });
  expect(exported(json(sample))).not.toHaveProperty('labels');
});

it.each([
  ['text', null],
  ['text', 7],
  ['list', { ...sample, hero: { ...sample.hero, tracks: 'Leads' } }],
  ['number', { ...sample, calls: { ...sample.calls, strategyCall: { minutes: 'x' } } }],
  ['group', { ...sample, brand: [] }],
  ['prototype', { ...sample, optIn: JSON.parse('{"place": {"__proto__": "x"}}') }],
])('a document with a wrong %s is no config', (_, document) => {
  expect(configOf(complete(document, sample))).toBeUndefined();
});
