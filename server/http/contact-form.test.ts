import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fieldsWith } from '../contract/contact-fields.ts';
import { databaseFile } from '../stores/data-folder.ts';
import { openTestSite, type TestSite } from '../testing/site.ts';
import { sentenceOf } from '../trpc/errors.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

const nothing = fieldsWith('', '');
const typed = {
  ...nothing,
  name: 'Ada <b>',
  email: 'ada@example.com',
  message: 'Line 1\r\nLine 2',
};
const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  site.fetch('/api/contact', { method: 'POST', body: new URLSearchParams(fields), headers });

const goBack = 'Go back in your browser: your text is still in the form.';
const slotsIn = (page: string) => JSON.parse(page.slice(page.indexOf('{')));

it('form post stores the message and shows the success page', async () => {
  const response = await submit(typed);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('contact-sent');
  const database = new DatabaseSync(databaseFile(site.dataDir), { timeout: 10_000 });
  expect(database.prepare('SELECT name, company, message FROM contact_message').all()).toEqual([
    { name: 'Ada <b>', company: null, message: 'Line 1\r\nLine 2' },
  ]);
  database.close();
});

it('form post repeats all values when a field is invalid', async () => {
  const response = await submit({ ...typed, email: 'nowhere' });
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain('contact-failed');
  expect(slotsIn(page)).toEqual({
    ...typed,
    email: 'nowhere',
    error: 'Please enter an e-mail address such as you@example.com.',
  });
});

it('form post returns 403 with its values when it is cross-site', async () => {
  const response = await submit(typed, { origin: 'https://evil.example' });
  expect(response.status).toBe(403);
  expect(slotsIn(await response.text())).toEqual({ ...typed, error: sentenceOf('FOREIGN_ORIGIN') });
});

it('form post stores long fields in full', async () => {
  const long = { ...typed, name: '名'.repeat(5000), message: '信'.repeat(110_000) };
  const response = await submit(long, { 'x-forwarded-for': '192.0.2.2' });
  expect(response.status).toBe(200);
  const database = new DatabaseSync(databaseFile(site.dataDir), { timeout: 10_000 });
  const sql = 'SELECT count(*) AS n FROM contact_message WHERE name = ? AND message = ?';
  expect(database.prepare(sql).get(long.name, long.message)).toEqual({ n: 1 });
  database.close();
});

it('form post over 1 MB returns 413 and says how to go back', async () => {
  const response = await submit({ ...typed, message: 'x'.repeat(1_100_000) });
  expect(response.status).toBe(413);
  expect(slotsIn(await response.text())).toEqual({
    ...nothing,
    error: `${sentenceOf('PAYLOAD_TOO_LARGE')} ${goBack}`,
  });
});

it('form post returns 429 and says how to go back when the memory for bodies is full', async () => {
  const { hostname, port } = new URL(site.origin);
  const socket = connect(Number(port), hostname);
  const head = [
    'POST /api/contact HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    'Content-Type: application/x-www-form-urlencoded',
    'Transfer-Encoding: chunked',
  ];
  // In chunks of one byte, 20 kB take as much memory as an address may hold.
  socket.write(`${head.join('\r\n')}\r\n\r\n${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`);
  const response = await text(socket);
  expect(response).toMatch(/^HTTP\/1\.1 429 /);
  expect(response).toContain(
    JSON.stringify({ ...nothing, error: `${sentenceOf('RATE_LIMITED')} ${goBack}` }),
  );
});

it('form post counts towards the rate limit of the call', async () => {
  const me = { 'x-forwarded-for': '192.0.2.1' };
  for (let n = 0; n < 20; n++) await submit(typed, me);
  const response = await submit(typed, me);
  expect(response.status).toBe(429);
  expect(slotsIn(await response.text())).toEqual({ ...typed, error: sentenceOf('RATE_LIMITED') });
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
});
