import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { run } from '../database/database.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { createOwner, type TestOwner } from '../testing/cli-io.ts';
import { commands } from './commands.ts';

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
});
afterEach(() => {
  vi.restoreAllMocks();
  return owner.remove();
});

it.each([[[]], [['--help']], [['-h']]])('the help lists every command for %j', async (args) => {
  const { code, out } = await owner.admin(args);
  expect(code).toBe(0);
  for (const { name, summary } of commands) {
    expect(out).toMatch(new RegExp(`^  ${name} +${summary.replaceAll('.', '\\.')}$`, 'm'));
  }
});

it.each(commands.map(({ name }) => name))(
  '%s --help prints its usage and details',
  async (name) => {
    const { code, out } = await owner.admin([...name.split(' '), '--help']);
    const command = commands.find((one) => one.name === name);
    expect(code).toBe(0);
    expect(out).toContain(`npm run admin -- ${name} ${command?.usage}`.trimEnd());
    for (const line of command?.details ?? []) expect(out).toContain(line);
  },
);

it('conversions --help describes import and export, and conversions alone asks which', async () => {
  const { out } = await owner.admin(['conversions', '--help']);
  expect(out).toContain('conversions import');
  expect(out).toContain('conversions export');
  expect(await owner.admin(['conversions'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Please say which: .*import.*export.*\n$/),
  });
});

it.each([
  [['frobnicate'], /^There is no command "frobnicate"\. .*\n$/],
  [['conversion', 'import'], /^There is no command "conversion"\. .*\n$/],
  [['verify', '--fast'], /^Unknown option '--fast'\. .*\n$/],
  [['verify', 'now'], /^Unexpected argument 'now'\. .*\n$/],
  [['messages', '--limit'], /^Option '--limit <value>' argument missing\. .*\n$/],
  [['demo', '--events', 'many'], /^--events must be a whole number from 1 to 10,000,000.*\n$/],
])('the command line refuses %j with one line', async (args, sentence) => {
  const { code, out, err } = await owner.admin(args);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(sentence);
});

it('a command reports an invalid environment variable in one line', async () => {
  const outcome = await owner.admin(['verify'], { env: { PORT: 'x' } });
  expect(outcome.code).toBe(1);
  expect(outcome.err).toMatch(/^PORT must be a port number.*\n$/);
});

it('a command reports a damaged database in one line', async () => {
  await writeFile(join(owner.folder, 'shingle.db'), 'nonsense '.repeat(1000));
  expect(await owner.admin(['verify'])).toEqual({
    code: 1,
    out: '',
    err: 'The database file in DATA_DIR is damaged. Restore a backup; npm run admin -- restore lists them.\n',
  });
});

it('a command reports an unusable data folder in one line', async () => {
  const file = join(owner.folder, 'file');
  await writeFile(file, '');
  const { code, err } = await owner.admin(['verify'], { env: { DATA_DIR: join(file, 'data') } });
  expect(code).toBe(1);
  expect(err).toMatch(/^The data folder .* cannot be written \(ENOTDIR\)\..*\n$/);
});

it('a command keeps its result when root cannot give its files to the owner of the folder', async () => {
  vi.spyOn(process, 'geteuid').mockImplementation(() => {
    throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
  });
  const warning = /Warning: \S+ may hold files of root \(ELOOP\)\. .*\n$/;
  expect(await owner.admin(['messages'])).toEqual({
    code: 0,
    out: expect.stringContaining('No messages'),
    err: expect.stringMatching(warning),
  });
  const { code, err } = await owner.admin(['verify', '--fast']);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/Unknown option '--fast'/),
  });
});

it('a command reports a database of a newer version in one line', async () => {
  await owner.inside(async () => {});
  const database = openSqlite(join(owner.folder, 'shingle.db'));
  await database.write(() => run('INSERT INTO schema_version (version) VALUES (999)'));
  await database.close();
  const { code, err } = await owner.admin(['verify']);
  expect(code).toBe(1);
  expect(err).toMatch(/^The database was written by a newer version.*\n$/);
});

it('docs/admin-cli.md documents every command', async () => {
  const page = await readFile('docs/admin-cli.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, example]) => example);
  expect(rows).toHaveLength(commands.length);
  for (const [i, { name }] of commands.entries())
    expect(`${rows[i]} `).toMatch(new RegExp(`^${name} `));
});
