import { expect, it } from 'vitest';
import { createLocalLimiter } from './limiter.ts';

const allowance = { max: 2, windowMs: 1000 };

it('lets a key try as often as it may, then says how long to wait', () => {
  let now = 0;
  const limiter = createLocalLimiter(() => now);
  expect([1, 2, 3].map(() => limiter.consume('a', allowance))).toEqual([0, 0, 1000]);
  now = 400;
  expect(limiter.consume('a', allowance)).toBe(600);
  expect(limiter.consume('b', allowance)).toBe(0);
  now = 1000;
  expect(limiter.consume('a', allowance)).toBe(0);
});

it('forgets a key that is cleared', () => {
  const limiter = createLocalLimiter(() => 0);
  for (let n = 0; n < 5; n++) limiter.consume('a', allowance);
  limiter.reset('a');
  expect(limiter.consume('a', allowance)).toBe(0);
});

it('does not lock a key out when the clock jumps back', () => {
  let now = 10_000_000;
  const limiter = createLocalLimiter(() => now);
  for (let n = 0; n < 5; n++) limiter.consume('a', allowance);
  now = 0;
  expect(limiter.consume('a', allowance)).toBe(0);
});

it('stays small under a flood of addresses', () => {
  const limiter = createLocalLimiter(() => 0);
  for (let n = 0; n < 3; n++) limiter.consume('first', allowance);
  for (let n = 0; n < 20_000; n++) limiter.consume(`flood ${n}`, allowance);
  expect(limiter.consume('first', allowance)).toBe(0);
});

it('does not forget a key that keeps trying through the flood', () => {
  const limiter = createLocalLimiter(() => 0);
  let wait = 0;
  for (let n = 0; n < 50_000; n++) {
    limiter.consume(`flood ${n}`, allowance);
    if (n % 1000 === 0) wait = limiter.consume('held', allowance);
  }
  expect(wait).toBe(1000);
});

it('counts several at once, also of what is beyond the allowance', () => {
  const limiter = createLocalLimiter(() => 0);
  expect(limiter.consume('a', { max: 100, windowMs: 1000 }, 60)).toBe(0);
  expect(limiter.consume('a', { max: 100, windowMs: 1000 }, 41)).toBe(1000);
  limiter.refund('a', 41);
  expect(limiter.consume('a', { max: 100, windowMs: 1000 }, 40)).toBe(0);
});

it('takes back a try that was none', () => {
  const limiter = createLocalLimiter(() => 0);
  for (let n = 0; n < 9; n++) {
    expect(limiter.consume('a', allowance)).toBe(0);
    limiter.refund('a');
  }
  limiter.refund('a');
  limiter.refund('never seen');
  expect([1, 2, 3].map(() => limiter.consume('a', allowance))).toEqual([0, 0, 1000]);
});
