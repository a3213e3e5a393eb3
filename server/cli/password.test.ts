import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { matches } from '../auth/password.ts';
import { createOwner, now, type TestOwner } from '../testing/cli-io.ts';
import { validPublish } from '../testing/publish.ts';
import { site as file } from '../testing/sample-config.ts';

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
  'password reads %j from a pipe and ends every session',
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

it('password refuses the brand’s name of the published site', async () => {
  await owner.inside(async ({ content }) => {
    const act = { file, now };
    const patches = [{ path: 'brand.name', from: file.brand.name, to: 'Nora Quist' }];
    const { revision } = await content.save({ ...act, patches });
    await content.publish({ ...act, ...validPublish, revision });
  });
  const { code, err } = await owner.admin(['password'], piped('Nora Quist 2026'));
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/words that attackers try/),
  });
  expect((await owner.admin(['password'], piped('Rowan Hale 2026'))).code).toBe(0);
});

it('password prompts twice on a terminal without echoing what is typed', async () => {
  const outcome = await owner.admin(['password'], typed('langes pässwort 1\rlanges pässwort 1\r'));
  expect(outcome.code).toBe(0);
  expect(outcome.err).toContain('New admin password: \nOnce more: \n');
  expect(outcome.out + outcome.err).not.toContain('pässwort');
  expect(await isPassword('langes pässwort 1')).toBe(true);
});

it.each([
  ['two different ones', 'one\rtwo\r', 'The passwords do not match.'],
  ['an empty one', '\r\r', 'A password cannot be empty.'],
  ['Ctrl-C', 'one\r\u0003', 'Nothing was changed.'],
  ['Ctrl-D', '\u0004', 'Nothing was changed.'],
])('password changes nothing after %s', async (_name, keys, sentence) => {
  const { code, err } = await owner.admin(['password'], typed(keys));
  expect(code).toBe(1);
  expect(err).toContain(sentence);
  expect(await owner.inside(({ auth }) => auth.passwordHash())).toBeUndefined();
});

it.each([
  ['', 'Standard input holds no password.'],
  ['\n', 'Standard input holds no password.'],
  ['a\nb\n', 'Standard input holds more than one line.'],
  ['eleven lett', 'The password has 11 characters; use 12 or more. Use four or five random words.'],
  [
    'Password1234!',
    'The password is made of words that attackers try first. Use four or five random words.',
  ],
])('password refuses %j from a pipe', async (text, sentence) => {
  const { code, err } = await owner.admin(['password'], piped(text));
  expect(code).toBe(1);
  expect(err).toBe(`${sentence} Nothing was changed.\n`);
});

it('password --generate makes up a password and prints only that', async () => {
  const { code, out } = await owner.admin(['password', '--generate']);
  expect(code).toBe(0);
  expect(out).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}\n$/);
  expect(await isPassword(out.trim())).toBe(true);
});

it('password refuses a password as an argument and does not print it', async () => {
  const { code, err } = await owner.admin(['password', 'hunter2']);
  expect(code).toBe(1);
  expect(err).toContain('Please do not write the password into the command');
  expect(err).not.toContain('hunter2');
});

it('password does not print a password that was given as an option value', async () => {
  const { code, err } = await owner.admin(['password', '--generate=hunter2']);
  expect(code).toBe(1);
  expect(err).not.toContain('hunter2');
});

it('password refuses to run while ADMIN_PASSWORD is set', async () => {
  const env = { ADMIN_PASSWORD: 'from the environment' };
  const { code, err } = await owner.admin(['password'], { ...piped('other'), env });
  expect(code).toBe(1);
  expect(err).toMatch(/^ADMIN_PASSWORD is set .*\n$/);
});
