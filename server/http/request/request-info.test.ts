import { expect, it } from 'vitest';
import type { RequestInfo } from '../../app/context.ts';
import { throughExpress } from '../../testing/express.ts';
import { requestInfoOf } from './request-info.ts';

const publicOrigin = 'https://www.example.com';

function infoOf(
  headers: Record<string, string>,
  address = '192.0.2.7',
  trustProxy: number | string = 0,
): RequestInfo {
  return throughExpress(
    { headers: { host: 'localhost:3000', ...headers }, address, trustProxy },
    (req) => requestInfoOf(req, publicOrigin),
  );
}

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:cb00:71c9', '203.0.113.201'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('address %s counts as %s', (address, block) => {
  expect(infoOf({}, address).addressBlock).toBe(block);
});

it('forwarded address counts only from a trusted proxy', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' };
  expect(infoOf(forwarded).addressBlock).toBe('192.0.2.7');
  expect(infoOf(forwarded, '192.0.2.7', 1).addressBlock).toBe('203.0.113.9');
  expect(infoOf(forwarded, '192.0.2.7', 2).addressBlock).toBe('198.51.100.1');
});

it.each([
  ['198.51.100.1', '198.51.100.1'],
  ['198.51.100.1:50001', '198.51.100.1'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['[::ffff:198.51.100.1]:443', '198.51.100.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['[2001:db8::1]', '2001:db8:0:0::/64'],
  ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
  ['[198.51.100.1]:80', '198.51.100.1'],
])('forwarded address %s counts as %s', (forwarded, block) => {
  expect(infoOf({ 'x-forwarded-for': forwarded }, '127.0.0.1', 1).addressBlock).toBe(block);
});

it.each([
  'unknown',
  'x'.repeat(60),
  '198.51.100',
  '198.51.100.256',
  '::ffff:198.51.100.999',
  '198.51.100.1:50001:1',
  '198.51.100.1:port',
  '[2001:db8::1',
  '2001:db8::1]:443',
  '[]:443',
  '_hidden',
  '"198.51.100.1"',
  '',
])('invalid forwarded address (%s) counts as the address of the connection', (forwarded) => {
  expect(infoOf({ 'x-forwarded-for': forwarded }, '192.0.2.7', 1).addressBlock).toBe('192.0.2.7');
});

it('trusted proxy is found by its address without the port', () => {
  const headers = { 'x-forwarded-for': '198.51.100.1:4711, 10.0.0.9:50001' };
  expect(infoOf(headers, '192.0.2.7', '192.0.2.7, 10.0.0.9').addressBlock).toBe('198.51.100.1');
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
])('request with %j is cross-site: %s', (headers, isForeign) => {
  expect(infoOf(headers as Record<string, string>).isForeign).toBe(isForeign);
});

it('request info contains prefetch and Global Privacy Control', () => {
  expect(infoOf({ 'sec-purpose': 'prefetch;prerender' }).isPrefetch).toBe(true);
  expect(infoOf({}).isPrefetch).toBe(false);
  expect(infoOf({ 'sec-gpc': '1' }).wantsPrivacy).toBe(true);
});

it('request info contains whatever follows Bearer, so that it never counts as a request without a key', () => {
  expect(infoOf({ authorization: 'Bearer abc' }).bearer).toBe('abc');
  expect(infoOf({ authorization: 'Basic abc' }).bearer).toBeUndefined();
  expect(infoOf({ authorization: 'bearer  abc' }).bearer).toBe('abc');
  expect(infoOf({ authorization: 'Bearer a b' }).bearer).toBe('a b');
  expect(infoOf({ authorization: 'Bearer' }).bearer).toBe('');
  expect(infoOf({ authorization: 'Bearerabc' }).bearer).toBeUndefined();
});
