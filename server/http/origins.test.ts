import { beforeEach, expect, it } from 'vitest';
import { createOrigins } from './origins.ts';

let now = 0;
let left: string[] = [];
let origins: ReturnType<typeof createOrigins>;
beforeEach(() => {
  now = 1_000_000;
  left = [];
  origins = createOrigins({ left: (origin) => left.push(origin), now: () => now });
});
const madeUp = (n: number) => Array.from({ length: n }, (_, i) => `http://made-up-${i}.com`);

it('gives eight places, and keeps them', () => {
  expect(madeUp(10).map(origins.hasPlace)).toEqual([...Array(8).fill(true), false, false]);
  expect(origins.all()).toEqual(madeUp(8));
  expect(origins.hasPlace('http://made-up-0.com')).toBe(true);
});

it('gives the place of the longest unasked on, after a minute', () => {
  madeUp(8).forEach(origins.hasPlace);
  now += 30_000;
  origins.hasPlace('http://made-up-0.com');
  now += 30_001;
  expect(origins.hasPlace('https://www.real.com')).toBe(true);
  expect(left).toEqual(['http://made-up-1.com']);
  expect(origins.all()).toContain('http://made-up-0.com');
});

it('gives on one place at a time: scanners fill none faster than they rest', () => {
  madeUp(8).forEach(origins.hasPlace);
  now += 60_001;
  // Two are in use: the one that was asked for last before, and this one.
  origins.hasPlace('https://www.real.com');
  const later = Array.from({ length: 20 }, (_, i) => `http://later-${i}.com`);
  expect(later.filter(origins.hasPlace)).toHaveLength(6);
  expect(origins.hasPlace('https://www.real.com')).toBe(true);
});

it('never takes the place of the one that is asked for all the time', () => {
  origins.hasPlace('https://www.real.com');
  for (let i = 0; i < 100; i++) {
    now += 61_000;
    origins.hasPlace(`http://made-up-${i}.com`);
    expect(origins.hasPlace('https://www.real.com')).toBe(true);
  }
  expect(left).not.toContain('https://www.real.com');
});
