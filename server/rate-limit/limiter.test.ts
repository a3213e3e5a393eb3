import { expect, it } from 'vitest';
import { createLimiter } from './limiter.ts';

const allowance = { max: 2, per: 1000 };

it('lets a key try as often as it may, then says how long to wait', () => {
  let now = 0;
  const limiter = createLimiter(() => now);
  expect([1, 2, 3].map(() => limiter.take('a', allowance))).toEqual([0, 0, 1000]);
  now = 400;
  expect(limiter.take('a', allowance)).toBe(600);
  expect(limiter.take('b', allowance)).toBe(0);
  now = 1000;
  expect(limiter.take('a', allowance)).toBe(0);
});

it('forgets a key that is cleared', () => {
  const limiter = createLimiter(() => 0);
  for (let n = 0; n < 5; n++) limiter.take('a', allowance);
  limiter.clear('a');
  expect(limiter.take('a', allowance)).toBe(0);
});

it('does not lock a key out when the clock jumps back', () => {
  let now = 10_000_000;
  const limiter = createLimiter(() => now);
  for (let n = 0; n < 5; n++) limiter.take('a', allowance);
  now = 0;
  expect(limiter.take('a', allowance)).toBe(0);
});

it('stays small under a flood of addresses', () => {
  const limiter = createLimiter(() => 0);
  for (let n = 0; n < 3; n++) limiter.take('first', allowance);
  for (let n = 0; n < 20_000; n++) limiter.take(`flood ${n}`, allowance);
  expect(limiter.take('first', allowance)).toBe(0);
});

it('does not forget a key that keeps trying through the flood', () => {
  const limiter = createLimiter(() => 0);
  let wait = 0;
  for (let n = 0; n < 50_000; n++) {
    limiter.take(`flood ${n}`, allowance);
    if (n % 1000 === 0) wait = limiter.take('held', allowance);
  }
  expect(wait).toBe(1000);
});

it('counts several at once, also of what is beyond the allowance', () => {
  const limiter = createLimiter(() => 0);
  expect(limiter.take('a', { max: 100, per: 1000 }, 60)).toBe(0);
  expect(limiter.take('a', { max: 100, per: 1000 }, 41)).toBe(1000);
  limiter.giveBack('a', 41);
  expect(limiter.take('a', { max: 100, per: 1000 }, 40)).toBe(0);
});

it('takes back a try that was none', () => {
  const limiter = createLimiter(() => 0);
  for (let n = 0; n < 9; n++) {
    expect(limiter.take('a', allowance)).toBe(0);
    limiter.giveBack('a');
  }
  limiter.giveBack('a');
  limiter.giveBack('never seen');
  expect([1, 2, 3].map(() => limiter.take('a', allowance))).toEqual([0, 0, 1000]);
});
