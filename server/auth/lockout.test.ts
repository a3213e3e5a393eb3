/** Strangers who use up every password attempt do not lock the owner out. */
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOwner, engines, now, type TestOwner } from '../cli/test-io.ts';
import { openTestSite, password, type TestSite } from '../test-site.ts';

describe.each(engines)('on $name', (engine) => {
  let owner: TestOwner;
  let site: TestSite;
  let clock: number;
  beforeEach(async () => {
    clock = now;
    owner = await createOwner(engine);
    site = await openTestSite({ env: owner.settings, now: () => clock });
  });
  afterEach(async () => {
    await site.close();
    await owner.remove();
  });

  let addresses = 0;
  const logIn = async (tried: string) => {
    const address = { 'x-forwarded-for': `198.51.100.${addresses++ % 250}` };
    return (await site.post('/api/admin/login', { password: tried }, address)).status;
  };
  const exhaustAttempts = async () => {
    for (let n = 0; n < 90; n++) expect(await logIn('wrong')).toBe(401);
    expect(await logIn(password)).toBe(429);
  };

  it('a new password signs the owner in after strangers used up every attempt', async () => {
    await exhaustAttempts();
    const stdin = Readable.from([Buffer.from('a new long secret')]);
    expect(await owner.admin(['password'], { stdin })).toMatchObject({ code: 0 });
    clock += 1000;
    expect(await logIn('a new long secret')).toBe(200);
  });
});
