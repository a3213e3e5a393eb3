import { expect, it } from 'vitest';
import { messageId } from './message-id.ts';

it('message id is a version 7 UUID that starts with its time', () => {
  const id = messageId(Date.UTC(2026, 0, 2, 3, 4, 5, 6));
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const time = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  expect(new Date(time).toISOString()).toBe('2026-01-02T03:04:05.006Z');
});

it('message ids sort by time and are unique', () => {
  const ids = Array.from({ length: 1000 }, (_, i) => messageId(1_000_000 + i));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(Array.from({ length: 1000 }, () => messageId(5))).size).toBe(1000);
});
