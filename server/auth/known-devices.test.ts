import { expect, it } from 'vitest';
import { createKnownDevices, deviceLife } from './known-devices.ts';

const start = Date.UTC(2026, 10, 21);

function setting() {
  const state = { hash: 'scrypt$of one', signedOutAt: 0, at: start, keys: ['key'] };
  const store = {
    passwordHash: async () => state.hash,
    signedOutAt: async () => state.signedOutAt,
  };
  const devices = () => createKnownDevices({ store, keys: state.keys, now: () => state.at });
  return { state, devices };
}

it('knows a browser again by its word, each by another', async () => {
  const { state, devices } = setting();
  const [one, two] = [devices().issue(state.hash), devices().issue(state.hash)];
  expect(await devices().idOf(one)).toMatch(/^[\w-]{22}$/);
  expect(await devices().idOf(one)).not.toBe(await devices().idOf(two));
  expect(one).not.toContain(state.hash);
});

it('forgets it when the password is changed', async () => {
  const { state, devices } = setting();
  const word = devices().issue(state.hash);
  state.hash = 'scrypt$of another';
  expect(await devices().idOf(word)).toBeUndefined();
});

it('forgets it when everybody is signed out, and knows the next one', async () => {
  const { state, devices } = setting();
  const word = devices().issue(state.hash);
  state.signedOutAt = start;
  expect(await devices().idOf(word)).toBeUndefined();
  state.at = start + 1;
  expect(await devices().idOf(devices().issue(state.hash))).toBeDefined();
});

it('forgets it in the end', async () => {
  const { state, devices } = setting();
  const word = devices().issue(state.hash);
  state.at = start + deviceLife - 1;
  expect(await devices().idOf(word)).toBeDefined();
  state.at += 1;
  expect(await devices().idOf(word)).toBeUndefined();
});

it('believes an older key while it is listed', async () => {
  const { state, devices } = setting();
  const word = devices().issue(state.hash);
  state.keys = ['new key', 'key'];
  expect(await devices().idOf(word)).toBeDefined();
  state.keys = ['new key'];
  expect(await devices().idOf(word)).toBeUndefined();
});

it('believes no word that was changed', async () => {
  const { state, devices } = setting();
  const word = devices().issue(state.hash);
  const [id = '', issuedAt = '', signature = ''] = word.split('.');
  const other = devices().issue(state.hash).split('.')[0];
  const changed = [
    `${other}.${issuedAt}.${signature}`,
    `${id}.${start + 1}.${signature}`,
    `${id}.${issuedAt}.${'A'.repeat(43)}`,
    `${id}.${issuedAt}`,
    `${word}A`,
    '',
    '..',
    'é'.repeat(40),
  ];
  for (const one of changed) expect(await devices().idOf(one)).toBeUndefined();
});
