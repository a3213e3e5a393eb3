/** Rendering the built site from a config while it runs. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { site as built } from '../../site.config.ts';
import type { SiteConfig } from '../../site.defaults.ts';
import { sitePages } from '../app/site-pages.ts';
import { withWords } from '../contract/words/words.ts';
import { createLog } from '../log.ts';
import { openTestSite } from '../testing/site.ts';
import { createRenderer } from './renderer.ts';

const render = createRenderer('dist');

/** The site as built, with these texts in place of others. */
const changed = ({
  tagline = built.tagline,
  sent = withWords(built).contactPages.sent,
}): SiteConfig => ({
  ...built,
  tagline,
  contactPages: { sent },
});

async function open() {
  const site = await openTestSite({
    config: built,
    pages: sitePages('dist', {
      built,
      settings: () => ({}),
      log: createLog('silent', { pretty: false }),
    }),
  });
  onTestFinished(site.close);
  return site;
}

it('documents are the same, byte for byte, as those of the build', async () => {
  const { documents, files } = await render.site({ config: built, photos: [] });
  expect(Object.keys(documents)).toHaveLength(14);
  for (const [name, text] of Object.entries(documents)) {
    const file = name.includes('.') ? name : `${name}.html`;
    expect(text === readFileSync(`dist/pages/${file}`, 'utf8'), name).toBe(true);
  }
  for (const [address, text] of Object.entries(files)) {
    expect(text).toBe(readFileSync(`dist/client${address}`, 'utf8'));
  }
});

it('a text shows on the page and in the scripts’ texts, and nowhere as markup', async () => {
  const hostile = '</script></style><b id=x>"\u2028\'`';
  const { documents, files } = await render.site({
    config: changed({ tagline: hostile, sent: hostile }),
    photos: [],
  });
  expect(Object.values(documents).filter((html) => html.includes('<b id=x>'))).toEqual([]);
  expect(documents.home).toContain('&lt;b id=x&gt;');
  const [text = ''] = Object.values(files);
  const module = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  expect(module.contactPages.sent).toBe(hostile);
});

it('another config changes the pages of the running site at once, with their content policy', async () => {
  const site = await open();
  const before = await site.fetch('/');
  const wordsOf = (html: string) => /\/assets\/words-[\w-]+\.js/.exec(html)?.[0] ?? '';
  const oldWords = wordsOf(await before.text());
  await site.configure(changed({ tagline: 'Other words.', sent: 'Other thanks.' }));
  const after = await site.fetch('/');
  const html = await after.text();
  expect(html).toContain('Other words.');
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  expect(wordsOf(html)).not.toBe(oldWords);
  const words = await site.fetch(wordsOf(html));
  expect(words.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(words.headers.get('cache-control')).toContain('immutable');
  expect(await words.text()).toContain('Other thanks.');
  const admin = await (await site.fetch('/admin')).text();
  expect(wordsOf(admin)).toBe(wordsOf(html));
  // A tab that was open before still has its own texts.
  expect((await site.fetch(oldWords)).status).toBe(200);
});

it('readers during changes get whole pages, old or new', async () => {
  const site = await open();
  const taglines = [built.tagline, 'First change.', 'Second change.'];
  let isDone = false;
  const readers = Array.from({ length: 20 }, async () => {
    const seen: string[] = [];
    while (!isDone) {
      const response = await site.fetch('/');
      const html = await response.text();
      const shown = taglines.filter((tagline) => html.includes(tagline));
      if (response.status !== 200 || shown.length !== 1 || !html.endsWith('</body></html>'))
        throw new Error(`A reader got ${response.status} with ${shown.length} taglines.`);
      seen.push(shown[0] ?? '');
    }
    return seen;
  });
  try {
    for (const tagline of taglines.slice(1)) await site.configure(changed({ tagline }));
  } finally {
    isDone = true;
  }
  const seen = (await Promise.all(readers)).flat();
  expect(seen.length).toBeGreaterThan(20);
  expect(await (await site.fetch('/')).text()).toContain('Second change.');
});

it('a config that cannot be rendered leaves the site as it is', async () => {
  const site = await open();
  const damaged = { ...built, hero: { ...built.hero, facts: undefined } } as unknown as SiteConfig;
  await expect(site.configure(damaged)).rejects.toThrow();
  expect(await (await site.fetch('/')).text()).toContain(built.tagline);
  await site.configure(changed({ tagline: 'Then whole again.' }));
  expect(await (await site.fetch('/')).text()).toContain('Then whole again.');
});

/** A build whose renderer is this code, in which `config` is that of the job. */
async function buildOf(code: string): Promise<string> {
  const dist = await mkdtemp(join(tmpdir(), 'shingle-renderer-'));
  onTestFinished(() => rm(dist, { recursive: true }));
  await cp('dist/server/render-process.js', join(dist, 'server/render-process.js'));
  await cp('dist/server/assets', join(dist, 'server/assets'), { recursive: true });
  await writeFile(join(dist, 'package.json'), '{"type":"module"}');
  await mkdir(join(dist, 'renderer'));
  await writeFile(join(dist, 'renderer/assets.json'), '{"assets":{}}');
  await writeFile(
    join(dist, 'renderer/renderer.js'),
    `const config = globalThis.shingleConfig;\n${code}`,
  );
  return dist;
}

it('a rendering rejects with what its process said when that is killed, and the next one is rendered', async () => {
  const { site } = createRenderer(
    await buildOf(
      `if (config.tagline === 'killed') {
         console.error('out of memory');
         process.kill(process.pid, 'SIGKILL');
       }
       export const renderSite = () => config.tagline;`,
    ),
  );
  const renderings = ['first', 'killed', 'next'].map((tagline) =>
    site({ config: changed({ tagline }), photos: [] }),
  );
  expect(await Promise.allSettled(renderings)).toEqual([
    { status: 'fulfilled', value: 'first' },
    {
      status: 'rejected',
      reason: new Error('The process that renders the site ended by SIGKILL. out of memory'),
    },
    { status: 'fulfilled', value: 'next' },
  ]);
});

it('a site is rendered before all but one of the previews that were asked for earlier', async () => {
  const { site, preview } = createRenderer(
    await buildOf('export const renderPage = () => ""; export const renderSite = () => "";'),
  );
  const done: string[] = [];
  const shown = { config: built, photos: [] };
  await Promise.all([
    ...['first', 'second', 'third'].map((name) =>
      preview(shown, 'home').then(() => done.push(name)),
    ),
    site(shown).then(() => done.push('site')),
  ]);
  expect(done.slice(0, 2)).toContain('site');
  expect(done).toHaveLength(4);
});

it('a rendering that throws no error rejects as well', async () => {
  const { site } = createRenderer(
    await buildOf('export const renderSite = () => { throw "a text"; };'),
  );
  await expect(site({ config: built, photos: [] })).rejects.toThrow('a text');
});

it('a process that renders has none of the server’s environment variables', async () => {
  const { site } = createRenderer(
    await buildOf('export const renderSite = () => Object.keys(process.env);'),
  );
  expect(await site({ config: built, photos: [] })).toEqual([]);
});

describe('a rendering that does not end', () => {
  let child: ChildProcess;
  beforeEach(async () => {
    const dist = await buildOf(
      `process.send('rendering');
       await new Promise((resolve) => setTimeout(resolve, 1e9));`,
    );
    child = fork(join(dist, 'server/render-process.js'), { serialization: 'advanced' });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.send({ folder: join(dist, 'renderer'), config: {}, make: 'words', configs: [] });
    expect((await once(child, 'message'))[0]).toBe('rendering');
  });

  it('a process that renders ends with its server', async () => {
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('a process that renders ignores stop signals, which the server gets, too', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) child.kill(signal);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

it('a page shows an uploaded photo in the sizes of its types', async () => {
  const file = (type: 'jpg' | 'webp', width: number) => ({
    ...{ address: `/photos/${width}.${type}`, type, width, height: (width * 5) / 4 },
  });
  const files = [file('webp', 480), file('jpg', 480), file('webp', 960), file('jpg', 960)];
  const photo = { ...file('jpg', 960), files };
  const config = { ...built, about: { ...built.about, photo: photo.address } };
  const { documents } = await render.site({ config, photos: [photo] });
  const [picture = ''] =
    /<picture[^>]*><source[^>]*srcSet="\/photos.*?<\/picture>/.exec(documents.home) ?? [];
  const sources = [...picture.matchAll(/<source type="([^"]*)" srcSet="([^"]*)"/g)];
  expect(sources.map(([, type, srcSet]) => [type, srcSet])).toEqual([
    ['image/webp', '/photos/480.webp 480w, /photos/960.webp 960w'],
    ['image/jpeg', '/photos/480.jpg 480w, /photos/960.jpg 960w'],
  ]);
  expect(picture).toContain('src="/photos/960.jpg"');
  expect(documents.home).toContain('"image":"{{origin}}/photos/960.jpg"');
  // Those of the file are still the build's.
  expect(documents.home).toMatch(/srcSet="\/assets\/sample-maya-128-\w+\.avif/);
});

it.each([
  ['of English', built.tagline, 2, 45_000],
  ['of German', 'Für Größe, Übung und „Öl“', 2, 45_000],
  ['of French', 'Œuvre, garçon, île', 3, 70_000],
  ['of Polish', 'Zażółć gęślą jaźń', 5, 70_000],
])('a page %s preloads the fonts of its letters alone', async (_, tagline, files, bytes) => {
  const { documents } = await render.site({ config: changed({ tagline }), photos: [] });
  const preloaded = [...documents.home.matchAll(/rel="preload" href="(\/assets\/[\w-]+\.woff2)"/g)];
  const sizes = preloaded.map(([, address]) => statSync(`dist/client${address}`).size);
  expect(sizes).toHaveLength(files);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(bytes);
});
