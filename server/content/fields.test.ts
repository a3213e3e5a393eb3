/** The fields of the editor's form: one for each part of the schema, with a label and the comment of the file as help. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { commentsIn, readSource } from '../build/config/source.ts';
import { site as sample } from '../testing/sample-config.ts';
import { documentSchema } from './document.ts';
import { labels } from './field-labels.ts';
import { siteFields } from './fields.ts';
import { entryOf, fieldsOf } from './parts.ts';

const fields = siteFields({ hero: 'The first\nscreen.' });
const paths = fields.map(({ path }) => path);
const fieldAt = (path: string) => fields.find((one) => one.path === path);

it('each part of the schema is one field, except a text that nothing shows', () => {
  const partsOf = (part: z.core.$ZodType, path: string): string[] => {
    const entry = fieldAt(path)?.kind === 'hours' ? undefined : entryOf(part);
    const parts = entry ? { '*': entry } : (fieldsOf(part) ?? {});
    return Object.entries(parts).flatMap(([key, one]) => {
      const inner = path ? `${path}.${key}` : key;
      return [inner, ...partsOf(one, inner)];
    });
  };
  const parts = partsOf(documentSchema, '').filter((path) => path !== 'contactPages.required');
  expect(paths).toEqual(parts);
});

it('each value of a document has one field', () => {
  const leavesOf = (value: unknown, path: string): string[] => {
    const kind = fieldAt(path)?.kind;
    if (typeof value !== 'object' || value === null) return [path];
    if (kind && !['group', 'list'].includes(kind)) return [path];
    const entries = Array.isArray(value)
      ? value.map((entry) => ['*', entry] as const)
      : Object.entries(value);
    return entries.flatMap(([key, part]) => leavesOf(part, path ? `${path}.${key}` : key));
  };
  const leaves = new Set(leavesOf(sample, ''));
  expect(leaves.size).toBeGreaterThan(200);
  expect([...leaves].filter((leaf) => paths.filter((path) => path === leaf).length !== 1)).toEqual(
    [],
  );
});

it.each([
  { path: 'hero', kind: 'group', label: 'Hero', help: 'The first screen.' },
  { path: 'hero.title', kind: 'text', max: 60, label: 'Headline' },
  { path: 'hero.action', kind: 'text', max: 44, label: 'Button' },
  { path: 'hero.facts.*', kind: 'group', label: 'Fact' },
  { path: 'faq.items', kind: 'list', least: 1, most: 12, label: 'Questions' },
  { path: 'faq.items.*', kind: 'group', label: 'Question' },
  { path: 'faq.items.*.question', kind: 'text', max: 120, label: 'Question' },
  { path: 'faq.items.*.id', kind: 'id', label: 'Name in links' },
  { path: 'about.text.*', kind: 'text', max: 480, label: 'Paragraph' },
  { path: 'legal.phone', kind: 'text', max: 40, optional: true as const, label: 'Phone' },
  { path: 'legal.address.*', kind: 'text', max: 80, label: 'Line' },
  { path: 'links.instagram', kind: 'link', optional: true as const, label: 'Instagram' },
  { path: 'calls.closed.*', kind: 'dates', label: 'Dates' },
  { path: 'calls.hours.monday', kind: 'hours', label: 'Monday' },
  {
    ...{ path: 'calls.strategyCall.minutes', kind: 'number', least: 5, most: 480 },
    label: 'Minutes',
  },
  {
    ...{ path: 'calls.strategyCall.notice', kind: 'duration', most: 60 },
    label: 'Shortest notice',
  },
  {
    ...{ path: 'about.photo', kind: 'photo', shape: 'portrait', optional: true as const },
    label: 'Photo of you',
  },
  {
    ...{ path: 'testimonials.quotes.*.photo', kind: 'photo', shape: 'face' },
    ...{ optional: true as const, label: 'Photo' },
  },
  { path: 'bookingPages.addToCalendar', kind: 'text', max: 28, label: 'Add to calendar' },
])('$path is a field of kind $kind with the label $label', (field) => {
  expect(fieldAt(field.path)).toEqual(field);
});

describe('labels', () => {
  it('each listed label belongs to a field', () => {
    const ends = paths.flatMap((path) => {
      const keys = path.split('.');
      return keys.map((_, i) => keys.slice(i).join('.'));
    });
    expect(Object.keys(labels).filter((end) => !ends.includes(end))).toEqual([]);
  });

  it('are short, and differ from those beside them', () => {
    const beside = fields.map(({ path, label }) => `${path.replace(/[^.]*$/, '')} ${label}`);
    expect(beside.filter((one, i) => beside.indexOf(one) !== i)).toEqual([]);
    for (const { label } of fields) expect(label).toMatch(/^[A-Z][\w- ]{1,28}$/);
  });
});

describe('help', async () => {
  const words = commentsIn(await readFile('server/contract/words/en.ts', 'utf8'), 'en');
  const file = await readSource(await readFile('site.config.ts', 'utf8'));
  const comments: Record<string, string> = { ...words, ...file.comments };
  const helps = siteFields(comments).flatMap(({ path, help }) =>
    help === undefined ? [] : [{ path, help }],
  );

  it('is each comment of site.config.ts and of the words below the first', () => {
    const commented = Object.keys(comments).filter((path) => path !== '');
    expect(helps.map(({ path }) => path).sort()).toEqual(commented.sort());
    expect(helps.length).toBeGreaterThan(50);
  });

  it.each(helps)('of $path is sentences that speak of no file', ({ help }) => {
    expect(help).toMatch(/^[A-Z].*[.]$/);
    expect(help).not.toMatch(/['"`[\]{}]|\b(public|files?|folders?|schedulers|links\.\w+)\b/);
  });
});

it('fields without a comment have no help', () => {
  expect(fields.filter((field) => 'help' in field).map(({ path }) => path)).toEqual(['hero']);
});
