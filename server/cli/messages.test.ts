import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ContactMessage, StoreOptions } from '../contact/message.ts';
import { createOwner, now, type TestOwner } from '../testing/cli-io.ts';
import { sampleMessage } from '../testing/message.ts';

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
});
afterEach(() => owner.remove());

const addMessage = (id: string, change: Partial<ContactMessage> = {}, options: StoreOptions = {}) =>
  owner.inside(({ contact }) =>
    contact.add(sampleMessage({ id, receivedAt: now, ...change }), options),
  );

it('messages prints that there are none', async () => {
  expect(await owner.admin(['messages'])).toEqual({ code: 0, out: 'No messages yet.\n', err: '' });
});

it('messages prints them newest first, with company and all lines', async () => {
  await addMessage('a', { name: 'First', message: 'one\r\ntwo\n\nfour' });
  await addMessage('b', { name: 'Second', company: 'Acme', receivedAt: now + 60_000 });
  const { out } = await owner.admin(['messages']);
  expect(out).toMatch(
    /Second <ada@example\.com>, Acme\nunread, inbox, not emailed\n\n {4}Hello\n\n.*First <ada@example\.com>\n/,
  );
  expect(out).toContain('\n    one\n    two\n\n    four\n');
  expect(out).toMatch(/2026, .*2 messages\.\n$/s);
});

it('messages --limit prints that many messages and the total', async () => {
  for (const n of [1, 2, 3]) await addMessage(`m${n}`, { name: `Name ${n}`, receivedAt: now + n });
  const { out } = await owner.admin(['messages', '--limit', '2']);
  expect(out).toContain('Name 3');
  expect(out).not.toContain('Name 1');
  expect(out).toMatch(/2 of 3 messages\.\n$/);
});

/** Terminal control sequences and characters that reorder text. */
const nasty = '\u001b[2J\u009b31m\u007f\u0007\u202eevil\u2066\ttab';

it('messages prints no control characters from a message', async () => {
  await addMessage('a', { name: `A\r\nB${nasty}`, company: nasty, message: `x\u0008\r${nasty}` });
  const { out } = await owner.admin(['messages']);
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
  expect(out).toContain('A B');
  expect(out).toContain('\n    x\n');
});

it('messages indents text, so that it cannot pass for the next message', async () => {
  await addMessage('a', { message: 'x\u2028Nov 21, 2026  Eve <eve@example.com>' });
  const { out } = await owner.admin(['messages']);
  expect(out).toContain('\n    Nov 21, 2026  Eve');
});

it('messages --json prints every field and escapes control characters', async () => {
  await addMessage('a', { message: `two\nlines ${nasty}` });
  const { out } = await owner.admin(['messages', '--json']);
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
  expect(JSON.parse(out)).toEqual([
    {
      ...sampleMessage(),
      receivedAt: '2026-11-21T02:30:00.000Z',
      message: `two\nlines ${nasty}`,
      folder: 'inbox',
      isRead: false,
    },
  ]);
});

it('messages prints the folder and email state of each message, and the totals', async () => {
  const email = { id: 'contact-a', subject: 'Hello', blocks: [] };
  await addMessage('a', { name: 'Mailed' }, { email });
  await addMessage('b', { name: 'Waits' }, { email: { ...email, id: 'contact-b' } });
  await addMessage('c', { name: 'Refused' }, { email: { ...email, id: 'contact-c' } });
  await addMessage('d', { name: 'Spammer' }, { folder: 'spam', suspicions: ['trap', 'links'] });
  await addMessage('e', { name: 'Old' });
  await owner.inside(async ({ contact, mail }) => {
    await mail.sent('contact-a', now);
    await mail.postponed('contact-b', { dueAt: now, error: 'Greylisted\u001b[2J' });
    await mail.refused('contact-c', {
      at: now,
      error: 'EENVELOPE: Mail command failed: 530 Authentication required',
    });
    await contact.sort(['e'], { folder: 'archive', isRead: true, now });
  });
  const { out } = await owner.admin(['messages']);
  expect(out).toMatch(/Mailed <.*>\nunread, inbox, emailed Nov 2/);
  expect(out).toMatch(
    /Waits <.*>\nunread, inbox, email waiting, next try .*\nThe mail server says: Greylisted/,
  );
  expect(out).toMatch(
    /Refused <.*>\nunread, inbox, email refused by your mail server\n.*sends only after a login\..*\nThe mail server says: .*530/,
  );
  expect(out).toMatch(/Spammer <.*>\nunread, spam \(trap, links\), not emailed/);
  expect(out).toMatch(/Old <.*>\nread, archive, not emailed/);
  expect(out).toContain('\nInbox: 3, 3 unread. Archive: 1. Spam: 1, 1 unread.\n5 messages.\n');
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

it('messages --folder prints one folder and refuses an unknown name', async () => {
  await addMessage('a', { name: 'Real' });
  await addMessage('b', { name: 'Spammer' }, { folder: 'spam', suspicions: ['trap'] });
  const { out } = await owner.admin(['messages', '--folder', 'spam']);
  expect(out).toContain('Spammer');
  expect(out).not.toContain('Real');
  expect(out).toMatch(/Spam: 1, 1 unread\.\n1 message\.\n$/);
  expect((await owner.admin(['messages', '--folder', 'archive'])).out).toBe(
    'This folder is empty.\n',
  );
  expect(await owner.admin(['messages', '--folder', 'bin'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('--folder must be inbox, archive or spam.'),
  });
});

it('messages export writes every message and defuses formulas', async () => {
  await addMessage('a', { name: '=HYPERLINK("https://evil.example")', message: 'two;=1\n-lines' });
  await addMessage('b', { receivedAt: now + 1 }, { folder: 'spam', suspicions: ['rate', 'speed'] });
  expect(await owner.admin(['messages', 'export', 'messages.csv'])).toMatchObject({
    code: 0,
    out: '2 messages exported to messages.csv\n',
  });
  expect(await readFile(join(owner.folder, 'messages.csv'), 'utf8')).toBe(
    `id,received,folder,read,name,email,company,message,suspicions,delivery,delivery_error
a,2026-11-21T02:30:00.000Z,inbox,no,"'=HYPERLINK(""https://evil.example"")",ada@example.com,,"two;'=1
'-lines",,,
b,2026-11-21T02:30:00.001Z,spam,no,Ada,ada@example.com,,Hello,"rate speed",,
`,
  );
});

it('messages empty-spam deletes only the spam folder, and only with --yes', async () => {
  const empty = (...args: string[]) => owner.admin(['messages', 'empty-spam', ...args]);
  expect(await empty('--yes')).toMatchObject({ code: 0, out: 'The spam folder is empty.\n' });
  await addMessage('a');
  for (const id of ['b', 'c']) await addMessage(id, {}, { folder: 'spam', suspicions: ['trap'] });
  expect(await empty()).toMatchObject({
    code: 1,
    err: expect.stringContaining('The spam folder holds 2 messages, 2 of them unread.'),
  });
  expect(await empty('--yes')).toMatchObject({
    code: 0,
    out: '2 messages deleted from the spam folder.\n',
  });
  const { out } = await owner.admin(['messages']);
  expect(out).toMatch(/Inbox: 1, 1 unread\. Archive: 0\. Spam: 0\.\n1 message\.\n$/);
});
