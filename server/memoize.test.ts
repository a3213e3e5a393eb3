import { describe, expect, it, vi } from 'vitest';
import { memoize } from './memoize.ts';

const setUp = () => {
  const answer = vi.fn((text: string, n: number) => (n === 0 ? null : `${text}${n}`));
  return { answer, ask: memoize(answer, (text, n) => `${n} ${text}`) };
};

describe('remembering', () => {
  it('asks once for the same, whatever the answer', () => {
    const { answer, ask } = setUp();
    for (let i = 0; i < 3; i++) {
      expect(ask('a', 1)).toBe('a1');
      expect(ask('a', 0)).toBeNull();
      expect(ask('b', 1)).toBe('b1');
    }
    expect(answer).toHaveBeenCalledTimes(3);
  });

  it('keeps no more than so many answers, and none for what is long', () => {
    const { answer, ask } = setUp();
    for (let i = 0; i < 2500; i++) expect(ask('a', i)).toBe(i === 0 ? null : `a${i}`);
    ask('a', 0);
    expect(answer).toHaveBeenCalledTimes(2501);
    ask('x'.repeat(501), 1);
    ask('x'.repeat(501), 1);
    expect(answer).toHaveBeenCalledTimes(2503);
  });
});
