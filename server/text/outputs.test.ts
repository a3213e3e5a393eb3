/** A type test: `@ts-expect-error` fails the type check if the line below compiles. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { omittable } from './outputs.ts';

const output = z.object({ id: z.string(), next: omittable(z.string()) });
const sent = (response: z.input<typeof output>) => JSON.stringify(output.parse(response));

it('omittable field is left out of the response while it is undefined', () => {
  expect(sent({ id: 'a', next: 'b' })).toBe('{"id":"a","next":"b"}');
  expect(sent({ id: 'a', next: undefined })).toBe('{"id":"a"}');
});

it('response that forgets an omittable field does not compile', () => {
  // @ts-expect-error next is missing
  expect(sent({ id: 'a' })).toBe('{"id":"a"}');
});
