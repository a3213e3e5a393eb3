/** Commands of root leave a data folder that the user of the service can use. */
import { execFile } from 'node:child_process';
import { chown, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seededFolder, startServer } from '../testing/process/server-process.ts';

const self = process.getuid?.() ?? 0;
/** The user of the service: another one if these tests run as root, who alone can change owners. */
const service = self === 0 ? 54_321 : self;

const ownersIn = async (folder: string) => {
  const names = await readdir(folder, { recursive: true });
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, (await lstat(join(folder, name))).uid] as const),
    ),
  );
};

it('site of another user works after root ran commands, and files outside stay those of root', async () => {
  const folder = await seededFolder();
  const outside = await seededFolder();
  const data = join(folder, 'data');
  await mkdir(data);
  for (const path of [folder, data]) await chown(path, service, service);
  const circumstances = self === 0 ? { user: service } : {};
  const run = (program: string, ...args: string[]) =>
    new Promise<{ code: unknown; output: string }>((resolve) => {
      const env = { PATH: process.env.PATH, DATA_DIR: data, INIT_CWD: outside };
      execFile(program, args, { env }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, output: out + err }),
      );
    });
  const command = [process.execPath, 'dist/server/admin.js'] as const;
  const admin = (...args: string[]) => run(...command, ...args);
  const visit = async () => {
    const server = await startServer({ DATA_DIR: data }, circumstances);
    expect(server.output()).toContain('is ready');
    const response = await fetch(`${server.origin}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', message: 'Hello' }),
    });
    server.child.kill('SIGTERM');
    expect([response.status, (await server.ended).code]).toEqual([200, 0]);
  };
  const expectOwned = async () => {
    const owners = await ownersIn(data);
    expect(owners).toEqual(Object.fromEntries(Object.keys(owners).map((name) => [name, service])));
    return Object.keys(owners);
  };

  // Every file is new, and made by a command.
  expect((await admin('password', '--generate')).code).toBe(0);
  expect(await expectOwned()).toEqual(expect.arrayContaining(['in-use', 'shingle.db']));
  await visit();
  expect((await admin('backup')).code).toBe(0);
  expect((await admin('backup', 'mine.db')).code).toBe(0);
  expect((await lstat(join(outside, 'mine.db'))).uid).toBe(self);
  await visit();
  expect((await admin('restore', 'mine.db')).code).toBe(0);
  const names = await expectOwned();
  expect(names).toContainEqual(expect.stringMatching(/^before-restore-.*\/shingle\.db$/));
  expect(names).toContainEqual(expect.stringMatching(/^backups\/backup-/));
  await visit();
  expect((await admin('messages')).output).toContain('2 messages');
  await expectOwned();
  if (self === 0) {
    // In many containers root may not change owners.
    const powerless = await run('setpriv', '--bounding-set=-chown', ...command, 'backup', 'its.db');
    expect(powerless).toMatchObject({ code: 0, output: expect.stringContaining('its.db') });
  }
  await expectOwned();
  for (const path of [folder, outside]) await rm(path, { recursive: true });
});
