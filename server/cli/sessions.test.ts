import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOwner, now, type TestOwner } from '../testing/cli-io.ts';

const hour = 60 * 60_000;

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
  await owner.inside(({ auth }) => auth.setPasswordHash('hash', now - 100 * 24 * hour));
});
afterEach(() => owner.remove());

const signIn = (idHash: string, browser: string, [createdAt, seenAt]: [number, number]) =>
  owner.inside(({ auth }) => auth.addSession({ idHash, browser, createdAt, seenAt }, 'hash'));

it('sessions prints that no browser is signed in', async () => {
  await signIn('gone', 'Chrome on Linux', [now - 50 * 24 * hour, now - 31 * 24 * hour]);
  expect(await owner.admin(['sessions'])).toEqual({
    code: 0,
    out: 'No browser is signed in.\n',
    err: '',
  });
});

it('sessions lists the browsers, last seen first, without session ids', async () => {
  await signIn('id-of-one', 'Firefox on Linux', [now - 48 * hour, now - 30 * hour]);
  await signIn('id-of-two', 'Safari on iPhone', [now - 47 * hour, now - hour]);
  await signIn('id-of-three', 'Chrome on Windows', [now - 49 * hour, now - 40 * hour]);
  const { code, out } = await owner.admin(['sessions']);
  expect(code).toBe(0);
  const lines = out.split('\n');
  expect(lines.filter((line) => /^\S/.test(line))).toEqual([
    'Safari on iPhone',
    'Firefox on Linux',
    'Chrome on Windows',
    '3 browsers signed in.',
  ]);
  expect(lines[1]).toMatch(/^ {2}signed in Nov \d+, 2026, \d+:\d\d [AP]M /);
  expect(out).not.toContain('id-of');
});

it('sessions --end-all signs every browser out and invalidates known-device tokens', async () => {
  await signIn('one', 'Firefox on Linux', [now, now]);
  expect(await owner.admin(['sessions', '--end-all'])).toEqual({
    code: 0,
    out: '1 browser signed out.\n',
    err: '',
  });
  await owner.inside(async ({ auth }) => {
    expect(await auth.sessions()).toEqual([]);
    expect(await auth.signedOutAt()).toBe(now);
  });
});
