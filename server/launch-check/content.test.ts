import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { site as own } from '../../site.config.ts';
import { filled } from '../testing/filled-config.ts';
import { site as sample } from '../testing/sample-config.ts';
import { contentFindings } from './content.ts';
import { samples } from './samples.ts';

type Site = typeof sample;

const where = (subject: Site) => contentFindings(subject).map(({ where }) => where);

/** Every text of the file with its path, such as `about.text.0`. */
function leaves(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, entry]) =>
    leaves(entry, path ? `${path}.${key}` : key),
  );
}

/** The places of the texts that `isSample`, each once, named as findings name them. */
function placesOf(subject: Site, isSample: (text: string) => boolean): string[] {
  const places = leaves(subject)
    .filter(([, text]) => isSample(text))
    .map(([path]) =>
      path.replace(/^(testimonials\.quotes\.\d+|about\.timetable|about\.text).*/, '$1'),
    );
  return [...new Set(places)].sort();
}

const named = (subject: Site) =>
  where(subject)
    .map((name) => name.replace(/ \((\d+)\w+\)/g, (_, n: string) => `.${Number(n) - 1}`))
    .sort();

describe('a file with every sample', () => {
  it('has every sample that is known, and no other', () => {
    const texts = leaves(sample).map(([, text]) => text);
    expect([samples.name, ...samples.texts].filter((text) => !texts.includes(text))).toEqual([]);
    const { quotes } = sample.testimonials;
    const people = quotes.flatMap(({ quote, name, role }) => [quote, name, role]);
    const years = sample.about.timetable.rows.map(({ what }) => what);
    expect([...people, ...years].filter((text) => !samples.texts.includes(text))).toEqual([]);
  });

  it('is named wherever it has one', () => {
    const looksLikeSample = /\.example\b|\bsample\b|specimen|placeholder\b|rowan|\bhale\b/i;
    const places = placesOf(
      sample,
      (text) => looksLikeSample.test(text) || samples.texts.includes(text),
    );
    expect(named(sample)).toEqual(places);
    expect(places.length).toBeGreaterThan(10);
  });

  it('is read by its owner in the order of the file', () => {
    expect(where(sample).slice(0, 3)).toEqual(['brand.name', 'brand.email', 'seo.title']);
  });
});

it('names every sample that is still in the owner’s file', () => {
  const places = placesOf(own, (text) => [samples.name, ...samples.texts].includes(text));
  expect(named(own)).toEqual(expect.arrayContaining(places));
});

it('has nothing to say about a file that was filled in', () => {
  expect(contentFindings(filled)).toEqual([]);
});

it('finds a sample where the owner moved it', () => {
  const quotes = [...filled.testimonials.quotes];
  quotes[1] = { quote: 'Good.', name: 'Ines Specimen', role: 'Coach', photo: '' };
  expect(where({ ...filled, testimonials: { ...filled.testimonials, quotes } })).toEqual([
    'testimonials.quotes (2nd)',
  ]);
});

it('lets an owner be called as the sample is, in part', () => {
  const brand = { ...filled.brand, name: 'Rowan Smith' };
  const about = { ...filled.about, text: ['I’m Rowan.', 'Not Hale and hearty.'] };
  expect(contentFindings({ ...filled, brand, about })).toEqual([
    expect.objectContaining({
      where: 'about.text',
      text: 'still speaks of Hale: “Not Hale and hearty.”. Tell it about yourself.',
    }),
  ]);
});

it('says of a calendar that was left out what visitors get instead', () => {
  const schedulers = { ...filled.schedulers, inboxReview: '' };
  expect(contentFindings({ ...filled, schedulers })).toEqual([
    {
      topic: 'links',
      kind: 'advice',
      where: 'schedulers.inboxReview',
      text: 'is empty: visitors are asked to e-mail instead.',
    },
  ]);
});

it('has its samples in one place', async () => {
  const source = await readFile('server/launch-check/content.ts', 'utf8');
  for (const text of [samples.name, ...samples.texts]) expect(source).not.toContain(text);
});
