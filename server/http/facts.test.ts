import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { factsOf } from './facts.ts';

const publicOrigin = 'https://www.example.com';

function facts(headers: Record<string, string>, address = '192.0.2.7', hops = 0) {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const req = new IncomingMessage(socket);
  Object.assign(req.headers, { host: 'localhost:3000', ...headers });
  return factsOf(req, { trust: (_, hop) => hop < hops, publicOrigin });
}

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('takes %s for %s', (address, block) => {
  expect(facts({}, address).addressBlock).toBe(block);
});

it('believes a proxy only when told to', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' };
  expect(facts(forwarded).addressBlock).toBe('192.0.2.7');
  expect(facts(forwarded, '192.0.2.7', 1).addressBlock).toBe('203.0.113.9');
  expect(facts(forwarded, '192.0.2.7', 2).addressBlock).toBe('198.51.100.1');
});

it.each([
  [{ 'sec-fetch-site': 'same-origin' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ 'sec-fetch-site': 'same-site' }, true],
  [{ 'sec-fetch-site': 'cross-site', origin: publicOrigin }, true],
  [{ origin: 'http://localhost:3000' }, false],
  [{ origin: publicOrigin }, false],
  [{ origin: 'https://evil.example' }, true],
  [{ origin: 'null' }, true],
  [{}, false],
])('a request with %j comes from another site: %s', (headers, isForeign) => {
  expect(facts(headers as Record<string, string>).isForeign).toBe(isForeign);
});

it('knows who is not looking and who asked not to be counted', () => {
  expect(facts({ 'sec-purpose': 'prefetch;prerender' }).isPrefetch).toBe(true);
  expect(facts({}).isPrefetch).toBe(false);
  expect(facts({ 'sec-gpc': '1' }).wantsPrivacy).toBe(true);
});

it('reads a bearer key and nothing else', () => {
  expect(facts({ authorization: 'Bearer abc' }).bearer).toBe('abc');
  expect(facts({ authorization: 'Basic abc' }).bearer).toBeUndefined();
  expect(facts({ authorization: 'Bearer a b' }).bearer).toBeUndefined();
});
