import { expect, it } from 'vitest';
import { feedTokenOf, idIn, isFeedToken, stampAt, stampedAt, tokenOf } from './token.ts';

const key = Buffer.from('a key');
const other = Buffer.from('another key');
const id = '01a2099d-6171-7e4a-8d2d-91c87e45db30';
const now = Date.UTC(2026, 2, 2);

it('token of a booking is the same each time and holds its id', () => {
  const token = tokenOf(id, key);
  expect(tokenOf(id, key)).toBe(token);
  expect(token).toMatch(/^[\w.-]+$/);
  expect(idIn(token, key)).toBe(id);
});

it('changed, forged and malformed tokens hold no id', () => {
  const token = tokenOf(id, key);
  const last = token.at(-10) === 'A' ? 'B' : 'A';
  for (const forged of [
    '',
    id,
    `${id}.`,
    `${id}.${'A'.repeat(22)}`,
    token.replace('01a2', '01a3'),
    `${token.slice(0, -10)}${last}${token.slice(-9)}`,
    `${token}=`,
    `${token} `,
    tokenOf(id, other),
  ]) {
    expect(idIn(forged, key), forged).toBeUndefined();
  }
});

it('stamp says when it was made, for a day, and differs each time', () => {
  const stamp = stampAt(now, key);
  expect(stampAt(now, key)).not.toBe(stamp);
  expect(stampedAt(stamp, now, key)).toBe(now);
  expect(stampedAt(stamp, now + 24 * 60 * 60_000, key)).toBe(now);
  expect(stampedAt(stamp, now + 24 * 60 * 60_000 + 1, key)).toBeUndefined();
  expect(stampedAt(stamp, now, other)).toBeUndefined();
});

it('token of the feed is the same each time, and no other token opens the feed', () => {
  expect(isFeedToken(feedTokenOf(key), key)).toBe(true);
  for (const token of ['', tokenOf(id, key), tokenOf('calls', key), feedTokenOf(other)]) {
    expect(isFeedToken(token, key)).toBe(false);
  }
});

it('stamp is not accepted as a token, nor a token as a stamp', () => {
  expect(idIn(stampAt(now, key), key)).toBeUndefined();
  expect(stampedAt(tokenOf('1', key), now, key)).toBeUndefined();
});
