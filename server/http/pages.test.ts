import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { precompress } from '../build/precompress.ts';
import { openTestSite, type TestSite } from '../test-site.ts';
import { fillSlots, loadPages } from './pages.ts';

const home = `<html><style>body{color:red}</style>${'Read me. '.repeat(50)}</html>`;
const script = `console.log(${JSON.stringify('x'.repeat(500))})`;
let dist: string;
let site: TestSite;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'shingle-dist-'));
  await mkdir(join(dist, 'client/assets'), { recursive: true });
  await mkdir(join(dist, 'pages'));
  await writeFile(join(dist, 'pages/home.html'), home);
  await writeFile(join(dist, 'pages/app.html'), '<html>app</html>');
  await writeFile(join(dist, 'pages/not-found.html'), '<html>404 Page Not Found</html>');
  await writeFile(join(dist, 'pages/contact-failed.html'), '<p>{{error}}</p><i title="{{name}}">');
  await writeFile(join(dist, 'client/assets/boot-1.js'), script);
  await writeFile(join(dist, 'client/favicon.svg'), '<svg/>');
  await precompress([join(dist, 'client'), join(dist, 'pages')]);
  const embeds = { frames: ['https://calendar.example.com/me'], scripts: [''] };
  site = await openTestSite({ pages: loadPages(dist, embeds) });
});
afterAll(async () => {
  await site.close();
  await rm(dist, { recursive: true });
});

/** fetch undoes encodings, so encoded bodies are asked for through a raw request. */
async function raw(path: string, headers: Record<string, string>, method = 'GET') {
  const { request } = await import('node:http');
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      request(site.origin + path, { method, headers }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            body: Buffer.concat(chunks),
          }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('a document', () => {
  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
  ])('for Accept-Encoding %s is sent as %s', async (accepted, sent, decode) => {
    const answer = await raw('/', { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBe(sent);
    expect(answer.headers.vary).toContain('Accept-Encoding');
    expect(decode(answer.body).toString()).toBe(home);
  });

  it('is sent plain to who accepts nothing else', async () => {
    const answer = await raw('/', {});
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.body.toString()).toBe(home);
  });

  it('is not sent again to who has it, in that encoding', async () => {
    const first = await raw('/', { 'accept-encoding': 'br' });
    const etag = String(first.headers.etag);
    const again = await raw('/', { 'accept-encoding': 'br', 'if-none-match': etag });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const other = await raw('/', { 'accept-encoding': 'gzip', 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  it('answers HEAD with the headers alone', async () => {
    const answer = await raw('/', {}, 'HEAD');
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(home)));
    expect(answer.body.length).toBe(0);
  });

  it('allows its own styles by their hash, and the calendar’s frame', async () => {
    const policy = String((await raw('/', {})).headers['content-security-policy']);
    const hash = createHash('sha256').update('body{color:red}').digest('base64');
    expect(policy).toContain(`'sha256-${hash}'`);
    expect(policy).toContain('frame-src https://calendar.example.com;');
    expect(policy).not.toContain('unsafe');
  });

  it('refuses other methods', async () => {
    const answer = await raw('/', {}, 'POST');
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

it('hashed files may be kept for ever, documents must be asked for again', async () => {
  const script = await raw('/assets/boot-1.js', {});
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await raw('/', {})).headers['cache-control']).toBe('no-cache');
  expect((await raw('/favicon.svg', {})).headers['content-type']).toBe('image/svg+xml');
});

it.each(['/nothing', '/index.html', '/assets/', '/../package.json', '/%2e%2e/package.json', '/%'])(
  'answers %s with the not-found page',
  async (path) => {
    const answer = await raw(path, {});
    expect([answer.status, answer.body.toString()]).toEqual([
      404,
      '<html>404 Page Not Found</html>',
    ]);
  },
);

it.each(['/admin', '/analytics'])('answers %s with the app', async (path) => {
  const answer = await raw(`${path}?x=1`, {});
  expect([answer.status, answer.body.toString()]).toEqual([200, '<html>app</html>']);
});

it('fills slots with escaped values', () => {
  const filled = fillSlots('<p>{{error}}</p><i title="{{name}}">{{unknown}}', {
    error: '<script>',
    name: '"&\'$& {{error}}',
  });
  expect(filled).toBe('<p>&lt;script&gt;</p><i title="&quot;&amp;&#39;$&amp; {{error}}">');
});
