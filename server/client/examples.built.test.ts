/** Runs the examples against a site, with the built client. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopes } from '../contract/scopes.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';

const run = promisify(execFile);

let site: TestSite;
let settings: Record<string, string>;
/** Where the example project is installed. */
let folder: string;

beforeAll(async () => {
  site = await openTestSite();
  const grant = { name: 'Example', scopes };
  const response = await site.post('/api/keys', grant, { cookie: await signIn(site) });
  const { key } = (await response.json()) as { key: string };
  settings = { SHINGLE_URL: site.origin, SHINGLE_KEY: key };
  const sale = { id: 'order-1', amount: 9700, currency: 'USD', source: 'podcast' };
  await site.post('/api/conversions', sale, { authorization: `Bearer ${key}` });

  folder = mkdtempSync(join(tmpdir(), 'shingle-example-'));
  cpSync('examples/client', folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  // As `npm install` links them, without the network.
  symlinkSync(resolve('dist/api'), join(folder, 'node_modules/shingle'));
  symlinkSync(resolve('node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

const options = (cwd: string) => ({ cwd, env: { ...process.env, ...settings } });
const compile = (cwd = folder) =>
  run(process.execPath, [resolve('node_modules/typescript/bin/tsc')], options(cwd));

it('example project compiles and prints the figures of the site', async () => {
  await compile();
  const start = () => run(process.execPath, ['build/main.js'], options(folder));
  const { stdout } = await start();
  expect(stdout.split('\n')).toEqual([
    '0 page views, 1 sales',
    '97 USD, 0 unread messages',
    'podcast: 97 USD',
    'Cents of the latest sales: 9700',
    '400 VALIDATION: Please give a date with time and zone, such as 2026-01-31T00:00:00Z.',
    '',
  ]);
  expect((await start()).stdout).toContain('97 USD, 0 unread messages');
});

it('example project with a wrong field of the client does not compile', async () => {
  const wrong = join(folder, 'wrong.ts');
  const text = await readFile(join(folder, 'main.ts'), 'utf8');
  await writeFile(wrong, text.replace('summary.pageViews', 'summary.views'));
  await expect(compile()).rejects.toMatchObject({
    stdout: expect.stringContaining("Property 'views' does not exist"),
  });
  rmSync(wrong);
});

describe.each(['oldest', 'newest'])('with the %s tRPC 11', (version) => {
  /** Puts the tRPC example into a folder, with copies of tRPC, which then find each other. */
  function createProject(name: string): string {
    const project = join(folder, `${version}-${name}`);
    cpSync('examples/trpc', project, { recursive: true });
    for (const side of ['client', 'server']) {
      const copy = join(project, 'node_modules/@trpc', side);
      cpSync(`node_modules/trpc-${side}-${version}`, copy, { recursive: true });
    }
    return project;
  }

  it('tRPC example compiles and prints the figures of the site', async () => {
    const project = createProject('copied');
    cpSync('dist/api', join(project, 'node_modules/shingle'), { recursive: true });
    await compile(project);
    const { stdout } = await run(process.execPath, ['build/main.js'], options(project));
    expect(stdout.split('\n')).toEqual([
      '1 sales, 97 USD, 0 unread messages',
      'Reported: true',
      'VALIDATION: startDate',
      '',
    ]);
  });

  it('tRPC example with a linked package, which finds the site’s tRPC, compiles unless a field is wrong', async () => {
    const project = createProject('linked');
    symlinkSync(resolve('dist/api'), join(project, 'node_modules/shingle'));
    // The wrong field is the only error.
    const text = await readFile(join(project, 'main.ts'), 'utf8');
    await writeFile(join(project, 'main.ts'), text.replace('summary.conversions', 'summary.sales'));
    await expect(compile(project)).rejects.toMatchObject({
      stdout: expect.stringMatching(/^main\.ts\(\d+,\d+\): .*Property 'sales' does not exist.*\n$/),
    });
  });
});

it('example script calls the API with curl', async () => {
  const { stdout } = await run('sh', ['examples/curl.sh'], options('.'));
  const [dashboard, unread, bookings, ...rest] = stdout.trim().split('\n');
  expect(JSON.parse(dashboard ?? '')).toMatchObject({ currency: 'USD' });
  expect(JSON.parse(unread ?? '')).toEqual({ unread: 0 });
  expect(JSON.parse(bookings ?? '')).toMatchObject({ bookings: [] });
  expect(rest.at(-1)).toBe('{"ok":true}');
});

it('example script of a spreadsheet writes the sales into a sheet', async () => {
  const recipe = await readFile('examples/spreadsheet.md', 'utf8');
  const [, script = ''] = /```js\n([^`]+(?:`[^`]+`[^`]+)*)```/.exec(recipe) ?? [];
  const rows: string[][] = [];
  let requested: { url: string; headers: Record<string, string> } | undefined;
  let answer = 'none\n';
  const sheet = {
    clearContents: () => {},
    getRange: () => ({ setValues: (values: string[][]) => rows.splice(0, rows.length, ...values) }),
  };
  const google = {
    PropertiesService: {
      getScriptProperties: () => ({ getProperty: (name: string) => settings[name] }),
    },
    UrlFetchApp: {
      fetch(url: string, { headers }: { headers: Record<string, string> }) {
        requested = { url, headers };
        return { getContentText: () => answer };
      },
    },
    Utilities: { parseCsv: (text: string) => parse(text) as string[][] },
    SpreadsheetApp: { getActive: () => ({ getSheetByName: () => null, insertSheet: () => sheet }) },
  };
  const refresh = new Function(...Object.keys(google), `${script}\nrefreshSales();`);
  // Google waits for the response: the first run says what it requests, the second one reads it.
  refresh(...Object.values(google));
  if (!requested) throw new Error('The script made no request.');
  const { pathname, search } = new URL(requested.url);
  const response = await site.fetch(pathname + search, { headers: requested.headers });
  expect(response.status).toBe(200);
  answer = await response.text();
  refresh(...Object.values(google));
  expect(rows[0]?.slice(0, 3)).toEqual(['id', 'amount', 'currency']);
  expect(rows.map(([id]) => id)).toContain('order-1');
});
