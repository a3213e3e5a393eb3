import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRetention } from '../maintenance/retention.ts';
import { engines, freshStores } from '../testing/engines.ts';
import { site as file } from '../testing/sample-config.ts';
import { createSignInLog } from './sign-in-log.ts';
import type { AuthStore, SignInAttempts } from './store.ts';

const hour = 60 * 60_000;
const noon = Date.UTC(2026, 2, 10, 12);
const browser = 'Firefox on Linux';

let clock: number;
let lines: { msg: string }[];
beforeEach(() => {
  clock = noon;
  lines = [];
});
const logOn = (store: Pick<AuthStore, 'addAttempts' | 'logAct'>) =>
  createSignInLog({
    store,
    now: () => clock,
    log: pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) }),
  });
const applicant = (n: number) => ({
  addressBlock: `10.0.${n >> 8}.${n & 255}`,
  browser,
  isKnown: false,
});
const sum = (attempts: SignInAttempts[]) => attempts.reduce((all, { n }) => all + n, 0);

describe.each(engines)('on $name', (engine) => {
  const { stores } = freshStores(engine);

  it('flood of throttled attempts is bounded on disk and in the log', async () => {
    const signIns = logOn(stores.auth);
    for (let n = 0; n < 5000; n++) signIns.refused(applicant(n), 'password', 'throttled');
    for (let n = 0; n < 5; n++) signIns.refused(applicant(n), 'password', 'wrong');
    await signIns.stop();
    const attempts = await stores.auth.attempts(1000);
    expect(attempts).toHaveLength(206);
    expect(sum(attempts)).toBe(5005);
    expect(attempts.find(({ address }) => address === 'other addresses')?.n).toBe(4800);
    expect(lines.map(({ msg }) => msg)).toEqual(Array(205).fill('sign-in refused'));
  });

  it('attempts of two instances add up', async () => {
    for (const signIns of [logOn(stores.auth), logOn(stores.auth)]) {
      for (let n = 0; n < 3; n++) signIns.refused(applicant(1), 'link', 'wrong');
      await signIns.stop();
    }
    expect(await stores.auth.attempts(10)).toEqual([
      { method: 'link', result: 'wrong', address: '10.0.0.1', browser, n: 6, lastAt: noon },
    ]);
  });

  it('time of the last attempt stays when an earlier one is stored after it', async () => {
    for (const at of [noon + 2000, noon + 1000]) {
      clock = at;
      const signIns = logOn(stores.auth);
      signIns.refused(applicant(1), 'password', 'wrong');
      await signIns.stop();
    }
    expect(await stores.auth.attempts(10)).toMatchObject([{ n: 2, lastAt: noon + 2000 }]);
  });

  it('time of the last attempt stays when the clock is set back', async () => {
    const signIns = logOn(stores.auth);
    for (const at of [noon + 2000, noon + 1000]) {
      clock = at;
      signIns.refused(applicant(1), 'password', 'wrong');
    }
    await signIns.stop();
    expect(await stores.auth.attempts(10)).toMatchObject([{ n: 2, lastAt: noon + 2000 }]);
  });

  it('attempts that could not be stored are stored later', async () => {
    let isFull = true;
    const signIns = logOn({
      logAct: stores.auth.logAct,
      addAttempts: (attempts) =>
        isFull ? Promise.reject(new Error('full')) : stores.auth.addAttempts(attempts),
    });
    signIns.refused(applicant(1), 'password', 'wrong');
    await signIns.stop();
    expect(await stores.auth.attempts(10)).toEqual([]);
    isFull = false;
    signIns.refused(applicant(1), 'password', 'wrong');
    await signIns.stop();
    expect(sum(await stores.auth.attempts(10))).toBe(2);
    expect(lines.filter(({ msg }) => /could not store/.test(msg))).toHaveLength(1);
  });

  it('sign-ins are deleted after 90 days and acts after a year when the owner keeps everything else', async () => {
    let elapsed = 0;
    const deleteOld = createRetention({
      env: {
        KEEP_MESSAGES_DAYS: undefined,
        KEEP_BOOKINGS_DAYS: undefined,
        KEEP_BUYERS_DAYS: undefined,
      },
      stores,
      file,
      now: () => clock,
      elapsed: () => elapsed,
      log: pino({ level: 'silent' }),
    });
    const signIns = logOn(stores.auth);
    signIns.refused(applicant(1), 'password', 'wrong');
    await signIns.stop();
    const advance = (days: number) => {
      clock += days * 24 * hour;
      elapsed += days * 24 * hour;
    };
    const act = { act: 'key_created' as const, browser, detail: 'shingle_1' };
    await stores.auth.logAct({ at: clock, ...act });
    advance(90);
    await deleteOld();
    expect(await stores.auth.attempts(10)).toHaveLength(1);
    advance(1);
    await deleteOld();
    expect(await stores.auth.attempts(10)).toEqual([]);
    advance(365 - 91);
    await deleteOld();
    expect(await stores.auth.entries(10)).toHaveLength(1);
    advance(1);
    await deleteOld();
    expect(await stores.auth.entries(10)).toEqual([]);
  });

  it('old attempts are deleted, and refused attempts beyond the newest rows', async () => {
    const attempt = (hours: number, result: SignInAttempts['result']) => ({
      method: 'password' as const,
      result,
      address: '192.0.2.1',
      browser,
      n: 1,
      lastAt: noon - hours * hour,
    });
    await stores.auth.addAttempts([
      attempt(9, 'accepted'),
      attempt(8, 'accepted'),
      attempt(3, 'wrong'),
      attempt(2, 'throttled'),
      attempt(1, 'wrong'),
    ]);
    await stores.auth.deleteOldAttempts({ before: noon - 8 * hour, most: 2 });
    expect((await stores.auth.attempts(10)).map(({ lastAt }) => (noon - lastAt) / hour)).toEqual([
      1, 2, 8,
    ]);
  });
});
