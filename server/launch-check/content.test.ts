import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { site as own } from '../../site.config.ts';
import { filled } from '../testing/filled-config.ts';
import { site as sample } from '../testing/sample-config.ts';
import { callFindings, contentChecks, contentFindings } from './content.ts';
import { findingsOf } from './finding.ts';
import { samples } from './samples.ts';

type Site = typeof own;

const where = (subject: Site) => contentFindings(subject).map(({ where }) => where);

/** Every text of the file with its path, such as `about.text.0`. */
function leaves(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, entry]) =>
    leaves(entry, path ? `${path}.${key}` : key),
  );
}

/** The distinct fields with a text that `isSample`, at the level of findings. */
function fieldsOf(subject: Site, isSample: (text: string) => boolean): string[] {
  const fields = leaves(subject)
    .filter(([, text]) => isSample(text))
    .map(([path]) =>
      path.replace(
        /^(testimonials\.quotes\.\d+|about\.timetable|about\.text|legal\.(?:address|providers)).*/,
        '$1',
      ),
    );
  return [...new Set(fields)].sort();
}

/** The fields of the findings, as paths. */
const reportedFields = (subject: Site) =>
  where(subject)
    .map((name) => name.replace(/ \((\d+)\w+\)/g, (_, n: string) => `.${Number(n) - 1}`))
    .sort();

describe('a config with every sample', () => {
  it('the sample config has every known sample and no other', () => {
    const texts = leaves(sample).map(([, text]) => text);
    expect([samples.name, ...samples.texts].filter((text) => !texts.includes(text))).toEqual([]);
    const { quotes } = sample.testimonials;
    const people = quotes.flatMap(({ quote, name, role }) => [quote, name, role]);
    const years = sample.about.timetable.rows.map(({ what }) => what);
    expect([...people, ...years].filter((text) => !samples.texts.includes(text))).toEqual([]);
  });

  it('the launch check names every field with a sample', () => {
    const looksLikeSample = /\.example\b|\bsample\b|specimen|placeholder\b|rowan|\bhale\b/i;
    const fields = fieldsOf(
      sample,
      (text) => looksLikeSample.test(text) || samples.texts.includes(text),
    );
    expect(reportedFields(sample)).toEqual(fields);
    expect(fields.length).toBeGreaterThan(10);
  });

  it('each finding on a sample is in the check of its part of the file', () => {
    const checks = contentChecks(sample);
    expect(findingsOf(checks)).toHaveLength(contentFindings(sample).length);
    const partOf = (field: string) =>
      checks.find(({ findings }) => findings.some(({ where }) => where === field));
    expect(partOf('brand.email')?.done).toBe('Your name and email address are in place.');
    expect(partOf('testimonials.quotes (1st)')?.done).toBe('No testimonial is a sample.');
    expect(partOf('links.quiz')?.topic).toBe('links');
  });

  it('findings on samples are in the order of the file', () => {
    expect(where(sample).slice(0, 3)).toEqual(['brand.name', 'brand.email', 'seo.title']);
  });
});

it('the launch check names every sample left in the owner’s config', () => {
  const fields = fieldsOf(own, (text) => [samples.name, ...samples.texts].includes(text));
  expect(reportedFields(own)).toEqual(expect.arrayContaining(fields));
});

it('a config without samples has no findings', () => {
  expect(contentFindings(filled)).toEqual([]);
});

it('the launch check asks for legal when a file of an older release lacks it', () => {
  const { legal: _, ...older } = filled;
  expect(contentFindings(older)).toMatchObject([{ kind: 'todo', where: 'legal' }]);
});

it('the launch check finds a sample that the owner moved', () => {
  const quotes = [...filled.testimonials.quotes];
  quotes[1] = { quote: 'Good.', name: 'Ines Specimen', role: 'Coach', photo: '' };
  expect(where({ ...filled, testimonials: { ...filled.testimonials, quotes } })).toEqual([
    'testimonials.quotes (2nd)',
  ]);
});

it('an owner who shares a name with the sample gets findings for the other name only', () => {
  const brand = { ...filled.brand, name: 'Rowan Smith' };
  const about = { ...filled.about, text: ['I’m Rowan.', 'Not Hale and hearty.'] };
  expect(contentFindings({ ...filled, brand, about })).toEqual([
    expect.objectContaining({
      where: 'about.text',
      text: 'still mentions Hale: “Not Hale and hearty.”. Write about yourself.',
    }),
  ]);
});

describe('the calendar of this site', () => {
  const schedulers = { ...filled.schedulers, inboxReview: '' };
  const unread = { kind: 'advice', where: 'calls' };

  it('sample hours are to do while a call has no calendar elsewhere', () => {
    expect(callFindings({ ...filled, schedulers }, { readsCalendars: false })).toMatchObject([
      { kind: 'todo', where: 'calls.hours' },
      unread,
    ]);
    expect(callFindings(filled, { readsCalendars: false })).toEqual([]);
  });

  it('own hours leave the advice that other calendars are not read', () => {
    const calls = { ...filled.calls, timeZone: 'Europe/Paris' };
    const subject = { schedulers, calls };
    expect(callFindings(subject, { readsCalendars: false })).toMatchObject([unread]);
    expect(callFindings(subject, { readsCalendars: true })).toEqual([]);
  });
});

it('content.ts does not repeat the samples', async () => {
  const source = await readFile('server/launch-check/content.ts', 'utf8');
  for (const text of [samples.name, ...samples.texts]) expect(source).not.toContain(text);
});
