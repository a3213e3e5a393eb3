import { expect, it } from 'vitest';
import { withAsciiDomain } from './email-address.ts';

it.each([
  ['eva@bücher.example', 'eva@xn--bcher-kva.example'],
  ['eva@example.com', 'eva@example.com'],
  ['eva@bücher.example/x', 'eva@bücher.example/x'],
])('%s is encoded as %s', (address, encoded) => {
  expect(withAsciiDomain(address)).toBe(encoded);
});

it('a domain that is too long for one is not encoded, which would hold up the server for seconds', () => {
  const address = (length: number) => `eva@${'bü.'.repeat(length / 3)}`;
  expect(withAsciiDomain(address(252))).not.toBe(address(252));
  expect(withAsciiDomain(address(255))).toBe(address(255));
});
