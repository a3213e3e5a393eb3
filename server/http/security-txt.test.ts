import { afterEach, expect, it } from 'vitest';
import { sampleWith } from '../testing/sample-config.ts';
import { openTestSite, type TestSite } from '../testing/site.ts';

const path = '/.well-known/security.txt';
const now = () => Date.UTC(2026, 0, 31, 15);

let site: TestSite | undefined;
afterEach(() => site?.close());

it('security.txt names the contact, and expires in ninety days', async () => {
  site = await openTestSite({
    now,
    config: sampleWith({ brand: { email: 'hello@my-domain.com' } }),
  });
  const response = await site.fetch(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toBe(
    'Contact: mailto:hello@my-domain.com\nExpires: 2026-05-01T00:00:00.000Z\n',
  );
  expect((await site.fetch(path, { method: 'POST' })).status).toBe(405);
});

it('security.txt names its own address when PUBLIC_URL is set', async () => {
  const env = { PUBLIC_URL: 'https://www.my-domain.com' };
  site = await openTestSite({
    env,
    now,
    config: sampleWith({ brand: { email: 'hello@my-domain.com' } }),
  });
  expect(await (await site.fetch(path)).text()).toContain(
    '\nCanonical: https://www.my-domain.com/.well-known/security.txt\n',
  );
});

it('security.txt is a page that does not exist when the contact is a placeholder', async () => {
  site = await openTestSite({ now });
  expect(await (await site.fetch(path)).text()).toBe('page');
});
