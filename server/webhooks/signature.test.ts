import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { secret, signed } from '../testing/stripe/events.ts';
import { isSigned } from './signature.ts';

const body = Buffer.from('{"id":"evt_1"}');
const check = (signature: string) => isSigned({ body, signature, secrets: [secret] });

it('isSigned returns false, and never throws, for any header that the secret did not make', () => {
  const right = signed(body.toString());
  const piece = fc.oneof(
    fc.constantFrom('t', 'v1', 'v0', '=', ',', '\0', '-1', 'NaN', '1e9', ' ', ...right.split('=')),
    anyText({ maxLength: 80 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const header = pieces.join('');
      // Skips headers that happen to contain the valid signature.
      fc.pre(!/t=\d/.test(header) || !header.includes(right.split('v1=')[1] ?? ''));
      expect(check(header)).toBe(false);
    }),
    { numRuns: process.env.TEST_LONG ? 5000 : 1000 },
  );
  expect(check(right)).toBe(true);
});
