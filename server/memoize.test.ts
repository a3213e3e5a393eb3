import { describe, expect, it, vi } from 'vitest';
import { memoize } from './memoize.ts';

const setUp = () => {
  const compute = vi.fn((text: string, n: number) => (n === 0 ? null : `${text}${n}`));
  return { compute, cached: memoize(compute, (text, n) => `${n} ${text}`) };
};

describe('memoize', () => {
  it('memoize calls the function once for the same arguments, also when it returns null', () => {
    const { compute, cached } = setUp();
    for (let i = 0; i < 3; i++) {
      expect(cached('a', 1)).toBe('a1');
      expect(cached('a', 0)).toBeNull();
      expect(cached('b', 1)).toBe('b1');
    }
    expect(compute).toHaveBeenCalledTimes(3);
  });

  it('memoize limits the number of cached results and skips long keys', () => {
    const { compute, cached } = setUp();
    for (let i = 0; i < 2500; i++) expect(cached('a', i)).toBe(i === 0 ? null : `a${i}`);
    cached('a', 0);
    expect(compute).toHaveBeenCalledTimes(2501);
    for (let i = 0; i < 499; i++) cached('b', i);
    compute.mockClear();
    cached('x'.repeat(501), 1);
    cached('x'.repeat(501), 1);
    expect(compute).toHaveBeenCalledTimes(2);
    cached('b', 1);
    expect(compute).toHaveBeenCalledTimes(2);
  });
});
