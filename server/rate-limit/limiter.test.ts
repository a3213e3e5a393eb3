import { expect, it } from 'vitest';
import { createLocalLimiter } from './limiter.ts';

const quota = { max: 2, windowMs: 1000 };

it('rate limiter allows the quota of a key, then returns the time to wait', () => {
  let now = 0;
  const limiter = createLocalLimiter(() => now);
  expect([1, 2, 3].map(() => limiter.consume('a', quota))).toEqual([0, 0, 1000]);
  now = 400;
  expect(limiter.consume('a', quota)).toBe(600);
  expect(limiter.consume('b', quota)).toBe(0);
  now = 1000;
  expect(limiter.consume('a', quota)).toBe(0);
});

it('rate limiter allows a full quota after a reset', () => {
  const limiter = createLocalLimiter(() => 0);
  for (let n = 0; n < 5; n++) limiter.consume('a', quota);
  limiter.reset('a');
  expect(limiter.consume('a', quota)).toBe(0);
});

it('rate limiter does not lock a key out when the clock jumps back', () => {
  let now = 10_000_000;
  const limiter = createLocalLimiter(() => now);
  for (let n = 0; n < 5; n++) limiter.consume('a', quota);
  now = 0;
  expect(limiter.consume('a', quota)).toBe(0);
});

it('rate limiter evicts old keys under a flood of addresses', () => {
  const limiter = createLocalLimiter(() => 0);
  for (let n = 0; n < 3; n++) limiter.consume('first', quota);
  for (let n = 0; n < 20_000; n++) limiter.consume(`flood ${n}`, quota);
  expect(limiter.consume('first', quota)).toBe(0);
});

it('rate limiter keeps a key that is used throughout a flood', () => {
  const limiter = createLocalLimiter(() => 0);
  let wait = 0;
  for (let n = 0; n < 50_000; n++) {
    limiter.consume(`flood ${n}`, quota);
    if (n % 1000 === 0) wait = limiter.consume('active', quota);
  }
  expect(wait).toBe(1000);
});

it('rate limiter counts several uses at once, including those beyond the quota', () => {
  const limiter = createLocalLimiter(() => 0);
  expect(limiter.consume('a', { max: 100, windowMs: 1000 }, 60)).toBe(0);
  expect(limiter.consume('a', { max: 100, windowMs: 1000 }, 41)).toBe(1000);
  limiter.release('a', 41);
  expect(limiter.consume('a', { max: 100, windowMs: 1000 }, 40)).toBe(0);
});

it('rate limiter does not count released uses', () => {
  const limiter = createLocalLimiter(() => 0);
  for (let n = 0; n < 9; n++) {
    expect(limiter.consume('a', quota)).toBe(0);
    limiter.release('a');
  }
  limiter.release('a');
  limiter.release('never seen');
  expect([1, 2, 3].map(() => limiter.consume('a', quota))).toEqual([0, 0, 1000]);
});
