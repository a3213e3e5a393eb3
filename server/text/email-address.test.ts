import { expect, it } from 'vitest';
import { addressForms, domainFault, storedAddress, withAsciiDomain } from './email-address.ts';

it.each([
  ['eva@bücher.example', 'eva@xn--bcher-kva.example'],
  ['a@\u{A0}¡', 'a@\u{A0}¡'],
  ['a@x\u{200D}', 'a@x\u{200D}'],
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

it.each([
  ['Vic Tim <vic@x.example>', 'vic@x.example'],
  ['"A, B" <vic@bücher.example> ', 'vic@xn--bcher-kva.example'],
  ['jörg@bücher.example', 'jörg@xn--bcher-kva.example'],
  ['JO\u0308RG@BÜCHER.example', 'jörg@xn--bcher-kva.example'],
  ['Ada@Example.com', 'Ada@Example.com'],
  ['mailto:vic@x.example', 'vic@x.example'],
  ['not an <address>', 'not an <address>'],
  ['¡', '¡'],
])('address %s is stored as %s', (text, stored) => expect(storedAddress(text)).toBe(stored));

it('a person is found by every form in which their address may be stored', () => {
  expect(addressForms('Jo <jo@bücher.example>')).toEqual([
    'Jo <jo@bücher.example>',
    'jo@xn--bcher-kva.example',
    'jo@bücher.example',
  ]);
  expect(addressForms('jo@studio.example')).toEqual(['jo@studio.example']);
});

it.each([
  ['jo@gmail', 'jo@gmail.com'],
  ['jo@gmial', 'jo@gmail.com'],
  ['jo@gmial.com', 'jo@gmail.com'],
  ['jo@GMAIL.CON', 'jo@gmail.com'],
  ['jo@hotmail.con', 'jo@hotmail.com'],
  ['jo@outlok.com', 'jo@outlook.com'],
  ['jo@studio.con', 'jo@studio.com'],
  ['a@b', undefined],
  ['a@localhost', undefined],
  ['a@192.0.2.7', undefined],
])('domain of %s receives no email, and %s is suggested', (address, suggestion) => {
  const domain = address.slice(address.indexOf('@') + 1).toLowerCase();
  expect(domainFault(address)).toEqual({ domain, ...(suggestion && { suggestion }) });
});

it.each([
  ...[
    'jo@gmail.com',
    'jo@googlemail.com',
    'jo@mail.com',
    'jo@ymail.com',
    'jo@gmx.de',
    'jo@gmx.net',
  ],
  ...['jo@hotmail.fr', 'jo@yahoo.co.uk', 'jo@studio.co', 'jo@studio.cm', 'jo@me.com', 'jo@a.io'],
  ...['jo@xn--bcher-kva.example', 'jo@studio.xn--p1ai', 'jo@STUDIO.EXAMPLE'],
])('domain of %s may receive email', (address) => expect(domainFault(address)).toBeUndefined());
