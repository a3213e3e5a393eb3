import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { matches } from '../auth/password.ts';
import { createOwner, now, type TestOwner } from '../testing/cli-io.ts';

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
});
afterEach(() => owner.remove());

const isPassword = (password: string) =>
  owner.inside(async ({ auth }) => {
    const hash = await auth.passwordHash();
    return hash !== undefined && matches(password, hash);
  });
const session = { idHash: 'id', createdAt: now, seenAt: now, browser: '' };
const piped = (text: string) => ({ stdin: Readable.from([Buffer.from(text)]) });
const typed = (keys: string) => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.write(keys);
  return { stdin };
};

it.each(['new long secret', 'new long secret\n', 'new long secret\r\n'])(
  'takes %j from a pipe and ends every session',
  async (text) => {
    await owner.inside(async ({ auth }) => {
      await auth.setPasswordHash('old', now);
      await auth.addSession(session, 'old');
    });
    const { code, out, err } = await owner.admin(['password'], piped(text));
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).not.toContain('secret');
    expect(await isPassword('new long secret')).toBe(true);
    expect(await owner.inside(({ auth }) => auth.session('id'))).toBeUndefined();
  },
);

it('asks on a terminal, twice, without showing what is typed', async () => {
  const outcome = await owner.admin(['password'], typed('langes pässwort 1\rlanges pässwort 1\r'));
  expect(outcome.code).toBe(0);
  expect(outcome.err).toContain('New admin password: \nOnce more: \n');
  expect(outcome.out + outcome.err).not.toContain('pässwort');
  expect(await isPassword('langes pässwort 1')).toBe(true);
});

it.each([
  ['two different ones', 'one\rtwo\r', 'These are two passwords.'],
  ['an empty one', '\r\r', 'A password cannot be empty.'],
  ['Ctrl-C', 'one\r\u0003', 'Nothing was changed.'],
  ['Ctrl-D', '\u0004', 'Nothing was changed.'],
])('changes nothing after %s', async (_name, keys, sentence) => {
  const { code, err } = await owner.admin(['password'], typed(keys));
  expect(code).toBe(1);
  expect(err).toContain(sentence);
  expect(await owner.inside(({ auth }) => auth.passwordHash())).toBeUndefined();
});

it.each([
  ['', 'No password came by standard input.'],
  ['\n', 'No password came by standard input.'],
  ['a\nb\n', 'More than one line came by standard input.'],
  [
    'eleven letter'.slice(0, 11),
    'Please use 12 letters or more, such as a few words that only you put together.',
  ],
])('refuses %j from a pipe', async (text, sentence) => {
  const { code, err } = await owner.admin(['password'], piped(text));
  expect(code).toBe(1);
  expect(err).toBe(`${sentence} Nothing was changed.\n`);
});

it('makes one up and prints only that', async () => {
  const { code, out } = await owner.admin(['password', '--generate']);
  expect(code).toBe(0);
  expect(out).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}\n$/);
  expect(await isPassword(out.trim())).toBe(true);
});

it('never takes it as an argument, and does not repeat it', async () => {
  const { code, err } = await owner.admin(['password', 'hunter2']);
  expect(code).toBe(1);
  expect(err).toContain('Please do not write the password into the command');
  expect(err).not.toContain('hunter2');
});

it('does not repeat a password that was given as an option either', async () => {
  const { code, err } = await owner.admin(['password', '--generate=hunter2']);
  expect(code).toBe(1);
  expect(err).not.toContain('hunter2');
});

it('does not set what ADMIN_PASSWORD would undo', async () => {
  const env = { ADMIN_PASSWORD: 'from the environment' };
  const { code, err } = await owner.admin(['password'], { ...piped('other'), env });
  expect(code).toBe(1);
  expect(err).toMatch(/^ADMIN_PASSWORD is set .*\n$/);
});
