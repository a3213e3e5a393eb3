import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseFile } from '../data-folder.ts';
import { sentences } from '../errors.ts';
import { openTestSite, type TestSite } from '../test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

const typed = {
  name: 'Ada <b>',
  email: 'ada@example.com',
  company: '',
  message: 'Line 1\r\nLine 2',
};
const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  site.fetch('/api/contact', { method: 'POST', body: new URLSearchParams(fields), headers });

it('is kept and answered with the thank-you page', async () => {
  const answer = await submit(typed);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('contact-sent');
  const database = new DatabaseSync(databaseFile(site.dataDir));
  expect(database.prepare('SELECT name, company, message FROM contact_message').all()).toEqual([
    { name: 'Ada <b>', company: null, message: 'Line 1\r\nLine 2' },
  ]);
  database.close();
});

it('is answered with everything that was typed when a field needs another look', async () => {
  const answer = await submit({ ...typed, email: 'nowhere' });
  expect(answer.status).toBe(400);
  const text = await answer.text();
  expect(text).toContain('contact-failed');
  expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({
    ...typed,
    email: 'nowhere',
    error: 'Please enter an e-mail address such as you@example.com.',
  });
});

it('is refused from another site, with what was typed', async () => {
  const answer = await submit(typed, { origin: 'https://evil.example' });
  expect(answer.status).toBe(403);
  expect(await answer.text()).toContain(sentences.foreignOrigin);
});

it('is refused beyond 256 kB', async () => {
  const answer = await submit({ ...typed, message: 'x'.repeat(300_000) });
  expect(answer.status).toBe(413);
  expect(await answer.text()).toContain(sentences.tooLarge);
});

it('counts its tries with the other doors', async () => {
  const me = { 'x-forwarded-for': '192.0.2.1' };
  for (let n = 0; n < 20; n++) await submit(typed, me);
  const answer = await submit(typed, me);
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});
