import { expect, test } from 'vitest';
import { initialsOf } from './monogram.tsx';

test('a monogram has the initials of the first and last name', () => {
  expect(initialsOf('Maya Sample')).toBe('MS');
  expect(initialsOf('  Ann van der Berg ')).toBe('AB');
  expect(initialsOf('Cher')).toBe('C');
  expect(initialsOf('e\u0301mile zola')).toBe('E\u0301Z');
  expect(initialsOf('')).toBe('');
});
