import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buttonNames } from '../contract/button-names.ts';
import { anyText } from '../testing/any-text.ts';
import { sourceNamed, sourcePath } from './source-name.ts';
import { type Attribution, readToken, tokenOf } from './token.ts';

const key = randomBytes(32);
const day = 20_778;
const at = (n: number) => n * 86_400_000;

const text = anyText().map((one) => one.toWellFormed());
const name = text.map(sourceNamed);
const part = anyText({ maxLength: 12 }).map((one) => one.toWellFormed());
const path = fc.tuple(part, part, part).map((parts) => sourcePath(parts.join('/')));
const attribution: fc.Arbitrary<Attribution> = fc.record({
  first: name,
  last: fc.oneof(name, path),
  button: fc.constantFrom(null, ...buttonNames),
  day: fc.constant(day),
});

describe('a token', () => {
  it('a token returns its attribution and has at most 200 characters that Stripe accepts', () => {
    fc.assert(
      fc.property(attribution, (input) => {
        const token = tokenOf(input, key);
        expect(token).toMatch(/^[A-Za-z0-9_-]{1,200}$/);
        expect(readToken(token, at(day), key)).toEqual(input);
      }),
      { numRuns: 500 },
    );
  });

  it('a token of another format is rejected', () => {
    const content = Buffer.from(['2', day, 'hero', 'podcast', 'newsletter'].join('\n'));
    const signature = createHmac('sha256', key).update(content).digest().subarray(0, 8);
    const token = Buffer.concat([signature, content]).toString('base64url');
    expect(readToken(token, at(day), key)).toBeUndefined();
  });

  it('a token holds the longest names', () => {
    const long = '語'.repeat(13);
    const input = { first: long, last: long, button: 'service-infrastructure', day };
    expect(tokenOf(input, key).length).toBeLessThanOrEqual(200);
    expect(readToken(tokenOf(input, key), at(day), key)).toEqual(input);
  });

  it('a token omits only a campaign that does not fit', () => {
    const campaign = `email/${'c'.repeat(40)}`;
    const read = (first: string, last: string) =>
      readToken(tokenOf({ first, last, button: 'audit', day }, key), at(day), key);
    const fitting = `newsletter/${campaign}`;
    expect(read('newsletter', fitting)).toMatchObject({ first: 'newsletter', last: fitting });
    const long = 'n'.repeat(40);
    expect(read(long, `${long}/${long}/${long}`)).toMatchObject({ first: long, last: long });
  });

  it('a token is rejected when it was changed or signed with another secret', () => {
    const input = { first: 'podcast', last: null, button: 'hero', day };
    const token = tokenOf(input, key);
    for (let i = 0; i < token.length; i++) {
      const changed = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`;
      const read = readToken(changed, at(day), key);
      // The last character may have unused bits.
      if (read) expect([i, read]).toEqual([token.length - 1, input]);
    }
    expect(readToken(tokenOf(input, randomBytes(32)), at(day), key)).toBeUndefined();
    for (const strange of ['', 'order-17', 'a'.repeat(201), 'a'.repeat(24), 'ä'.repeat(20)]) {
      expect(readToken(strange, at(day), key)).toBeUndefined();
    }
  });

  it('a token is valid for thirty days', () => {
    const token = tokenOf({ first: null, last: 'x', button: null, day }, key);
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
