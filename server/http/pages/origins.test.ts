import { beforeEach, expect, it } from 'vitest';
import { createOrigins } from './origins.ts';

let now = 0;
let onEvict: string[] = [];
let origins: ReturnType<typeof createOrigins>;
beforeEach(() => {
  now = 1_000_000;
  onEvict = [];
  origins = createOrigins({ onEvict: (origin) => onEvict.push(origin), now: () => now });
});
const madeUp = (n: number) => Array.from({ length: n }, (_, i) => `http://made-up-${i}.com`);
const real = 'https://www.real.com';

it('cache admits eight origins', () => {
  expect(madeUp(10).map(origins.admit)).toEqual([...Array(8).fill(true), false, false]);
  expect(origins.admit('http://made-up-0.com')).toBe(true);
});

it('first origin stays cached when clients request nine invented hosts', () => {
  origins.admit(real);
  for (let minute = 0; minute < 10; minute++) {
    now += 61_000;
    madeUp(9).forEach(origins.admit);
  }
  expect(onEvict).not.toContain(real);
});

it('new origin evicts the least recently used one after a minute', () => {
  madeUp(8).forEach(origins.admit);
  now += 30_000;
  origins.admit('http://made-up-1.com');
  now += 30_001;
  expect(origins.admit(real)).toBe(true);
  expect(onEvict).toEqual(['http://made-up-2.com']);
});

it('new origins evict only origins that were unused for a minute', () => {
  madeUp(8).forEach(origins.admit);
  now += 60_001;
  origins.admit(real);
  const later = Array.from({ length: 20 }, (_, i) => `http://later-${i}.com`);
  expect(later.filter(origins.admit)).toHaveLength(6);
  expect(origins.admit(real)).toBe(true);
});

it('origin in constant use stays cached', () => {
  origins.admit('http://made-up-first.com');
  origins.admit(real);
  for (let i = 0; i < 100; i++) {
    now += 61_000;
    origins.admit(real);
    origins.admit(`http://made-up-${i}.com`);
  }
  expect(onEvict).not.toContain(real);
});
