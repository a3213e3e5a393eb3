/** Scripts get the texts of the page that loads them, whichever instance sent that page, and when. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { site as built } from '../../site.config.ts';
import { createLog } from '../log.ts';
import { engines } from '../testing/engines.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { sitePages } from './site-pages.ts';

const wordsIn = (html: string) => /\/assets\/words-[\w-]+\.js/.exec(html)?.[0] ?? '';

/** Opens an instance as a process that starts now does. */
async function open(env: Record<string, string>) {
  const site = await openTestSite({
    env,
    config: built,
    pages: sitePages('dist', {
      built,
      settings: () => ({}),
      log: createLog('silent', { pretty: false }),
    }),
  });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await site.close();
    isClosed = true;
  };
  onTestFinished(close);
  return { site, close };
}

/** Publishes taglines in a row; returns the address of the texts after each. */
async function publish(site: TestSite, texts: string[]): Promise<string[]> {
  const headers = { cookie: await signIn(site) };
  const addresses: string[] = [];
  let from = built.brand.tagline;
  for (const to of texts) {
    const patches = [{ path: 'brand.tagline', from, to }];
    const saved = await site.post('/api/site/draft', { patches }, headers);
    const { revision } = (await saved.json()) as { revision: number };
    expect((await site.post('/api/site/publish', { revision }, headers)).status).toBe(200);
    addresses.push(wordsIn(await (await site.fetch('/')).text()));
    from = to;
  }
  return addresses;
}

describe.each(engines)('on $name', ({ create }) => {
  it('an instance has the texts of pages that others sent, and of those before its start', async () => {
    const database = await create();
    onTestFinished(database.remove);
    const { site: first, close } = await open(database.env);
    const second = database.env.DATABASE_URL ? (await open(database.env)).site : first;
    const addresses = await publish(first, ['One', 'Two']);
    const textsOf = (site: TestSite) =>
      Promise.all(
        addresses.map(async (address) => {
          const response = await site.fetch(address);
          expect(response.headers.get('cache-control')).toContain('immutable');
          return [response.status, /"tagline":"(\w+)"/.exec(await response.text())?.[1]];
        }),
      );
    const expected = [
      [200, 'One'],
      [200, 'Two'],
    ];
    expect(await textsOf(second)).toEqual(expected);
    await close();
    const { site: restarted } = await open(database.env);
    expect(await textsOf(restarted)).toEqual(expected);
    const unknown = await restarted.fetch('/assets/words-AAAAAAAA.js');
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([
      ...[404, 'text/html; charset=utf-8'],
    ]);
  });
});
