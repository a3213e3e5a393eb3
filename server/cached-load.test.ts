import { expect, it, vi } from 'vitest';
import { cachedLoad } from './cached-load.ts';

it('cachedLoad loads again when the value is too old, forgotten or of the future, and after a failure', async () => {
  let time = 1000;
  let n = 0;
  const load = vi.fn(async () => {
    n += 1;
    if (n === 5) throw new Error('away');
    return n;
  });
  const { read, forget } = cachedLoad(load, { maxAgeMs: 100, now: () => time });
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  time += 99;
  expect(await read()).toBe(1);
  time += 1;
  expect(await read()).toBe(2);
  time -= 1;
  expect(await read()).toBe(3);
  forget();
  expect(await read()).toBe(4);
  time += 100;
  await expect(read()).rejects.toThrow('away');
  expect(await read()).toBe(6);
});
