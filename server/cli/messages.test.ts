import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ContactMessage } from '../contact/store.ts';
import { createOwner, now, type TestOwner } from './test-io.ts';

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
});
afterEach(() => owner.remove());

const keep = (id: string, change: Partial<ContactMessage> = {}) =>
  owner.inside(({ contact }) =>
    contact.add({
      id,
      receivedAt: now,
      name: 'Ada',
      email: 'ada@example.com',
      company: null,
      message: 'Hello',
      ...change,
    }),
  );

it('says so when there are none', async () => {
  expect(await owner.admin(['messages'])).toEqual({ code: 0, out: 'No messages yet.\n', err: '' });
});

it('shows them newest first, with company and all lines', async () => {
  await keep('a', { name: 'First', message: 'one\r\ntwo\n\nfour' });
  await keep('b', { name: 'Second', company: 'Acme', receivedAt: now + 60_000 });
  const { out } = await owner.admin(['messages']);
  expect(out).toMatch(
    /Second <ada@example\.com>, Acme\n\n {4}Hello\n\n.*First <ada@example\.com>\n/,
  );
  expect(out).toContain('\n    one\n    two\n\n    four\n');
  expect(out).toMatch(/2026, .*2 messages\.\n$/s);
});

it('shows as many as asked for, and how many there are', async () => {
  for (const n of [1, 2, 3]) await keep(`m${n}`, { name: `Name ${n}`, receivedAt: now + n });
  const { out } = await owner.admin(['messages', '--limit', '2']);
  expect(out).toContain('Name 3');
  expect(out).not.toContain('Name 1');
  expect(out).toMatch(/2 of 3 messages\.\n$/);
});

const nasty = '\u001b[2J\u009b31m\u007f\u0007\u202eevil\u2066\ttab';

it('lets no message command the terminal', async () => {
  await keep('a', { name: `A\r\nB${nasty}`, company: nasty, message: `x\u0008\r${nasty}` });
  const { out } = await owner.admin(['messages']);
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
  expect(out).toContain('A B');
  expect(out).toContain('\n    x\n');
});

it('lets no message look like the next one', async () => {
  await keep('a', { message: 'x\u2028Nov 21, 2026  Eve <eve@example.com>' });
  const { out } = await owner.admin(['messages']);
  expect(out).toContain('\n    Nov 21, 2026  Eve');
});

it('writes JSON that says everything and commands nothing', async () => {
  await keep('a', { message: `two\nlines ${nasty}` });
  const { out } = await owner.admin(['messages', '--json']);
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
  expect(JSON.parse(out)).toEqual([
    {
      receivedAt: '2026-11-21T02:30:00.000Z',
      id: 'a',
      name: 'Ada',
      email: 'ada@example.com',
      company: null,
      message: `two\nlines ${nasty}`,
    },
  ]);
});
