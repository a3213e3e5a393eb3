/** Random text for property tests. */
import fc from 'fast-check';

const anyCodePoint = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((codePoint) => String.fromCodePoint(codePoint));

/**
 * Text of any code points, lone surrogates included, or such as `__proto__`. Unlike `unit: 'binary'` of
 * fast-check it builds no table of all code points, which takes most of a second and 100 MB.
 */
export const anyText = (limits: { maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.oneof(fc.string({ ...limits, unit: anyCodePoint }), fc.string(limits));
