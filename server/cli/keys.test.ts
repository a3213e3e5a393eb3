import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApiKeys } from '../keys/api-keys.ts';
import { createOwner, engines, now, type TestOwner } from '../testing/cli-io.ts';
import { freshSchema } from '../testing/engines.ts';

let owner: TestOwner;
afterEach(() => owner.remove());

const create = async (...args: string[]) => {
  const { code, out } = await owner.admin(['keys', 'create', ...args]);
  expect(code).toBe(0);
  return out.trim();
};
/** What programs get that send this key: its scopes; undefined when it is not valid. */
const scopesOf = (key: string) =>
  owner.inside(async ({ keys: store }) => {
    const keys = createApiKeys({ store, conversionKey: undefined, now: () => now });
    return (await keys.match(key))?.scopes;
  });

describe.each(engines)('on $name', (engine) => {
  beforeEach(async () => {
    owner = await createOwner(engine);
  });

  it('keys create prints a new key, and keys list its first characters only', async () => {
    const { out, err } = await owner.admin(['keys', 'create', 'Zapier', 'write:conversions']);
    const key = out.trim();
    expect(out).toMatch(/^shingle_[0-9a-f]{48}\n$/);
    const id = key.slice(0, 16);
    expect(err).toContain(`npm run admin -- keys revoke ${id}\n`);
    expect(await scopesOf(key)).toEqual(['write:conversions']);
    const listed = (await owner.admin(['keys', 'list'])).out.split('\n');
    expect(listed).toEqual([
      `${id}…  Zapier`,
      '  write:conversions',
      expect.stringMatching(
        /^ {2}created Nov \d+, 2026, .+, last used Nov \d+, 2026, .+, or up to an hour later$/,
      ),
      '1 API key.',
      '',
    ]);
  });

  it('keys revoke ends a key by the key or by its first characters, once', async () => {
    const [first, second] = [
      await create('a', 'read:messages'),
      await create('b', 'read:bookings'),
    ];
    for (const [key, given] of [
      [first, first],
      [second, second.slice(0, 16)],
    ] as const) {
      expect(await owner.admin(['keys', 'revoke', given])).toEqual({
        code: 0,
        err: '',
        out: 'The API key was revoked. Programs that send it get 401.\n',
      });
      expect(await scopesOf(key)).toBeUndefined();
      expect(await owner.admin(['keys', 'revoke', given])).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^There is no such API key here\. .*\n$/),
      });
    }
    expect((await owner.admin(['keys', 'list'])).out).toBe('There is no API key.\n');
  });
});

describe('on SQLite', () => {
  beforeEach(async () => {
    owner = await createOwner();
  });

  it('keys list shows CONVERSION_KEY without its value', async () => {
    const env = { CONVERSION_KEY: 'a secret of the shop'.replaceAll(' ', '-') };
    expect((await owner.admin(['keys', 'list'], { env })).out).toBe(
      'CONVERSION_KEY\n  write:conversions\n  set in the environment\n1 API key.\n',
    );
    expect(await owner.admin(['keys', 'revoke', 'CONVERSION_KEY'], { env })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/change CONVERSION_KEY and restart the site/),
    });
  });

  it.each([
    [[]],
    [['Zapier']],
    [[' ', 'read:messages']],
    [['Zapier', 'read:messages', 'write:messages']],
  ])('keys create refuses %j and names the scopes', async (args) => {
    const { code, out, err } = await owner.admin(['keys', 'create', ...args]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^Please give a name and one or more of the scopes read:analytics, .*\n$/);
    expect((await owner.admin(['keys', 'list'])).out).toBe('There is no API key.\n');
  });

  it('API keys stay valid after a restore and after a move to PostgreSQL', async () => {
    const key = await create('Spreadsheet', 'read:analytics', 'read:bookings');
    await owner.admin(['backup', 'mine.db']);
    await owner.admin(['keys', 'revoke', key]);
    expect(await scopesOf(key)).toBeUndefined();
    expect(await owner.admin(['restore', 'mine.db'])).toMatchObject({ code: 0 });
    expect(await scopesOf(key)).toEqual(['read:analytics', 'read:bookings']);

    const { url, remove } = await freshSchema();
    const env = { DATABASE_URL: url, SESSION_SECRET: 'secret of every instance' };
    expect(await owner.admin(['move', '--to', url], { env: { PORT: '9' } })).toMatchObject({
      code: 0,
    });
    expect((await owner.admin(['keys', 'list'], { env })).out).toContain(key.slice(0, 16));
    await remove();
  });
});
