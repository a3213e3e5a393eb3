import { expect, test } from 'vitest';
import { ago } from './ago.ts';

const minute = 60_000;
const now = Date.UTC(2026, 2, 10, 12);

test.each([
  // A clock that is a little behind the server's.
  [-2 * minute, '1 minute ago'],
  [0, '1 minute ago'],
  [59_000, '1 minute ago'],
  [3 * minute, '3 minutes ago'],
  [59.9 * minute, '59 minutes ago'],
  [60 * minute, '1 hour ago'],
  [47 * 60 * minute, '1 day ago'],
  [40 * 24 * 60 * minute, '40 days ago'],
])('%i ms: %s', (passed, text) =>
  expect(ago(new Date(now - passed).toISOString(), now)).toBe(text),
);
