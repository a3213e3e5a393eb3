import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { controls } from '../contract/controls.ts';
import { sourceNamed } from './source-name.ts';
import { type Attribution, readToken, tokenOf } from './token.ts';

const key = randomBytes(32);
const day = 20_778;
const at = (n: number) => n * 86_400_000;

const name = fc.string({ unit: 'binary' }).map((text) => sourceNamed(text.toWellFormed()));
const attribution: fc.Arbitrary<Attribution> = fc.record({
  first: name,
  last: name,
  control: fc.constantFrom(null, ...controls),
  day: fc.constant(day),
});

describe('a token', () => {
  it('says what was put into it, in 200 letters that Stripe takes', () => {
    fc.assert(
      fc.property(attribution, (said) => {
        const token = tokenOf(said, key);
        expect(token).toMatch(/^[A-Za-z0-9_-]{1,200}$/);
        expect(readToken(token, at(day), key)).toEqual(said);
      }),
      { numRuns: 500 },
    );
  });

  it('a token of an earlier version names no person', () => {
    const said = { first: 'ada@example.com', last: 'to ada@example.com', control: null, day };
    expect(readToken(tokenOf(said, key), at(day), key)).toMatchObject({
      first: 'email',
      last: 'email',
    });
  });

  it('has room for the longest names', () => {
    const long = '語'.repeat(13);
    const said = { first: long, last: long, control: 'service-infrastructure', day };
    expect(tokenOf(said, key).length).toBeLessThanOrEqual(200);
  });

  it('is refused when anything of it was changed, or somebody else signed it', () => {
    const said = { first: 'podcast', last: null, control: 'hero', day };
    const token = tokenOf(said, key);
    for (let i = 0; i < token.length; i++) {
      const changed = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`;
      const read = readToken(changed, at(day), key);
      // The last letter may carry bits that no byte has.
      if (read) expect([i, read]).toEqual([token.length - 1, said]);
    }
    expect(readToken(tokenOf(said, randomBytes(32)), at(day), key)).toBeUndefined();
    for (const strange of ['', 'order-17', 'a'.repeat(201), 'a'.repeat(24), 'ä'.repeat(20)]) {
      expect(readToken(strange, at(day), key)).toBeUndefined();
    }
  });

  it('holds for thirty days', () => {
    const token = tokenOf({ first: null, last: 'x', control: null, day }, key);
    const holds = (n: number) => readToken(token, at(n), key) !== undefined;
    expect([day - 2, day - 1, day, day + 30, day + 31].map(holds)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });
});
