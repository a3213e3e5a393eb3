import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mailto } from './mailto.ts';

it.each([
  'zoe@example.com',
  'ceo?bcc=spy%40evil.example&subject=x@evil.example',
  'a#b@evil.example',
  "o'brien+x@example.com",
  'jörg@bücher.example',
])('mailto link opens a draft to exactly %s', (address) => {
  const { pathname, search, hash } = new URL(mailto(address));
  expect(decodeURIComponent(pathname)).toBe(address);
  expect([search, hash]).toEqual(['', '']);
  const withFields = new URL(mailto(address, { subject: 'a & b', body: 'c\r\n?d' }));
  expect(decodeURIComponent(withFields.pathname)).toBe(address);
  expect(withFields.search).toBe('?subject=a%20%26%20b&body=c%0D%0A%3Fd');
});

it('mailto link keeps the @ before the domain, which Outlook does not decode', () => {
  expect(mailto('zoe@example.com')).toBe('mailto:zoe@example.com');
});

it('every link to an email address is encoded by this function', async () => {
  const found: string[] = [];
  for (const folder of ['server', 'src']) {
    for (const path of await readdir(folder, { recursive: true })) {
      if (!/(?<!\.test)\.tsx?$/.test(path)) continue;
      const code = await readFile(join(folder, path), 'utf8');
      if (/mailto:[$"'`]/.test(code)) found.push(join(folder, path));
    }
  }
  // The addresses of calendar files are not links (RFC 5545, 3.3.3).
  expect(found.sort()).toEqual(['server/booking/ics.ts', 'server/contract/mailto.ts']);
});
