import { expect, test } from 'vitest';
import { siteFields } from '../../server/content/fields.ts';
import { type Field, indexFields } from './fields.ts';
import { inWords } from './words.ts';

const fields = indexFields(siteFields({}) as Field[]);

test.each<[path: string, value: unknown, words: string]>([
  ['calls.closed', ['2026-12-24/2026-12-28', '2027-01-06'], 'Dec 24 – 28, 2026\nJan 6, 2027'],
  ['calls.closed.0', '2026-12-24/2027-01-06', 'Dec 24, 2026 – Jan 6, 2027'],
  ['calls.closed.0', '2026-12-28/2026-12-24', 'Dec 28, 2026 – Dec 24, 2026'],
  ['calls.closed.0', '2026-12-', '2026-12-'],
  ['calls.hours.monday', ['10:00-12:30', '14:00-16:00'], '10:00 – 12:30, 14:00 – 16:00'],
  ['calls.hours.monday', [], 'No calls'],
  ['calls.special', { '2026-12-23': ['10:00-11:30'] }, 'Dec 23, 2026: 10:00 – 11:30'],
  ['calls.timeZone', 'America/New_York', 'America/New York'],
  ['currency', 'EUR', 'EUR · Euro'],
  ['language', 'en', 'English'],
  ['about.photo', '/photos/0.jpg', 'a photo'],
  ['about.photo', '', ''],
  ['seo.icon', '/photos/0.png', 'a picture'],
  ['faq.items', [{ id: 'a', question: 'Why?', answer: 'So.' }], 'Why?'],
  ['hero.title', 'EUR', 'EUR'],
  ['hero.title', undefined, ''],
])('the value of %s, %j, is shown as the form shows it', (path, value, words) => {
  expect(inWords(value, path, fields).replace(/[\u2009\u202f]/g, ' ')).toBe(words);
});

test('names keep their capital letter within the name of a field', () => {
  expect(fields.labelBeneath('calls.hours.monday')).toBe('Hours, Monday');
  expect(fields.labelBeneath('faq.items.3.answer')).toBe('Question 4, answer');
});
