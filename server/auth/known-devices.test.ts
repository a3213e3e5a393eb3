import { expect, it } from 'vitest';
import { createKnownDevices, deviceLifetimeMs } from './known-devices.ts';

const start = Date.UTC(2026, 10, 21);

function setUp() {
  const state = { hash: 'scrypt$of one', signedOutAt: 0, at: start, keys: ['key'] };
  const store = {
    passwordHash: async () => state.hash,
    signedOutAt: async () => state.signedOutAt,
  };
  const devices = () => createKnownDevices({ store, keys: state.keys, now: () => state.at });
  return { state, devices };
}

it('known-device token identifies its browser', async () => {
  const { state, devices } = setUp();
  const [one, two] = [await devices().issue(state.hash), await devices().issue(state.hash)];
  expect(await devices().idOf(one)).toMatch(/^[\w-]{22}$/);
  expect(await devices().idOf(one)).not.toBe(await devices().idOf(two));
  expect(one).not.toContain(state.hash);
});

it('known-device token is invalid after a new password is set', async () => {
  const { state, devices } = setUp();
  const token = await devices().issue(state.hash);
  state.hash = 'scrypt$of another';
  expect(await devices().idOf(token)).toBeUndefined();
});

it('known-device token is invalid after all sessions were ended, and a later one is valid', async () => {
  const { state, devices } = setUp();
  const token = await devices().issue(state.hash);
  state.signedOutAt = start;
  expect(await devices().idOf(token)).toBeUndefined();
  expect(await devices().idOf(await devices().issue(state.hash))).toBeDefined();
});

it('known-device token expires', async () => {
  const { state, devices } = setUp();
  const token = await devices().issue(state.hash);
  state.at = start + deviceLifetimeMs - 1;
  expect(await devices().idOf(token)).toBeDefined();
  state.at += 1;
  expect(await devices().idOf(token)).toBeUndefined();
});

it('known-device token is valid while its signing key is configured', async () => {
  const { state, devices } = setUp();
  const token = await devices().issue(state.hash);
  state.keys = ['new key', 'key'];
  expect(await devices().idOf(token)).toBeDefined();
  state.keys = ['new key'];
  expect(await devices().idOf(token)).toBeUndefined();
});

it('known-device token is invalid when it was modified', async () => {
  const { state, devices } = setUp();
  const token = await devices().issue(state.hash);
  const [id = '', issuedAt = '', signature = ''] = token.split('.');
  const other = (await devices().issue(state.hash)).split('.')[0];
  const changed = [
    `${other}.${issuedAt}.${signature}`,
    `${id}.${start + 1}.${signature}`,
    `${id}.${issuedAt}.${'A'.repeat(43)}`,
    `${id}.${issuedAt}`,
    `${token}A`,
    '',
    '..',
    'é'.repeat(40),
  ];
  for (const one of changed) expect(await devices().idOf(one)).toBeUndefined();
});
