/** What every engine must do with letters, and the postman between it and a real mail server. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStores } from '../app/stores.ts';
import { createLog } from '../log.ts';
import { engines, freshStores } from '../testing/engines.ts';
import { startOwnPostgres } from '../testing/postgres/server.ts';
import { openTestSite } from '../testing/site.ts';
import { type Mood, openTestSmtp, type TestSmtp } from '../testing/smtp.ts';
import { html, page } from './email.ts';
import { type OutboxWorker, startOutboxWorker } from './outbox-worker.ts';
import { createSmtp, type Deliver } from './smtp.ts';
import type { OutboxStore } from './store.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 2, 10, 12);
const letter = (id: string) => ({
  id,
  subject: `Letter ${id}`,
  text: 'Hello',
  html: page(html`<p>Hello</p>`),
});
const log = createLog('silent', { pretty: false });
/** Patient, since other tests may keep the machine busy. */
const eventually = <T>(check: () => T | Promise<T>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 });

describe.each(engines)('$name', (engine) => {
  const { stores, reopen, openBeside } = freshStores(engine);
  let smtp: TestSmtp;
  let clock: number;
  let postmen: OutboxWorker[];
  /** How many outcomes are written down: before that the clock must not move. */
  let recorded: number;

  beforeEach(async () => {
    recorded = 0;
    smtp = await openTestSmtp();
    clock = noon;
    postmen = [];
  });
  afterEach(async () => {
    for (const postman of postmen) await postman.stop();
    await smtp.close();
  });
  const through = (url: string, timeout = 20_000) =>
    createSmtp({ url, to: ['me@my-domain.com'], name: 'Me', timeout });
  const toOwner: Deliver = (claimed) => through(smtp.url)(claimed);
  const counted =
    <Args extends unknown[]>(write: (...args: Args) => Promise<void>) =>
    async (...args: Args) => {
      await write(...args);
      recorded += 1;
    };
  const start = (deliver = toOwner) => {
    const { mail } = stores;
    const store = {
      ...mail,
      sent: counted(mail.sent),
      postponed: counted(mail.postponed),
      refused: counted(mail.refused),
    };
    const postman = startOutboxWorker({ store, deliver, now: () => clock, log });
    postmen.push(postman);
    return postman;
  };
  const subjects = () => smtp.letters.map(({ subject }) => subject).sort();

  it('carries every letter once, however many carry', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `n${String(n).padStart(2, '0')}`);
    await Promise.all(names.map((id) => stores.mail.queue(letter(id), clock)));
    expect(await stores.mail.queue(letter('n07'), clock)).toBe(false);
    for (let n = 0; n < 3; n++) start();
    await eventually(async () => expect((await stores.mail.state()).waiting).toBe(0));
    expect(subjects()).toEqual(names.map((id) => `Letter ${id}`));
    expect(await stores.mail.lastSent()).toBe(clock);
    expect(await stores.mail.claim({ now: clock + 1e9, lease: 1, longestWait: 1 })).toBeUndefined();
  });

  it('tries again after a minute, then two, and every six hours in the end', async () => {
    await stores.mail.queue(letter('a'), clock);
    let tries = 0;
    const look = async (expected: number) => {
      const postman = start(async () => {
        tries += 1;
        return { is: 'postponed', error: 'no', code: 'no' };
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      await eventually(() => expect(tries).toBe(expected));
      await postman.stop();
      expect(tries).toBe(expected);
    };
    await look(1);
    for (const [n, wait] of [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360].entries()) {
      clock += wait * minute - 1;
      await look(n + 1);
      clock += 1;
      await look(n + 2);
    }
    expect(await stores.mail.state()).toEqual({ waiting: 1, oldestWaiting: noon, refused: 0 });
  });

  it('keeps what is refused over half a day, and tries it once more at the next start', async () => {
    await stores.mail.queue(letter('a'), clock);
    smtp.will('refuse letter');
    for (let n = 0; n < 11; n++) {
      const delivered = vi.fn(toOwner);
      const postman = start(delivered);
      await eventually(() => expect(delivered).toHaveBeenCalledTimes(1));
      await postman.stop();
      expect((await stores.mail.state()).refused).toBe(n < 10 ? 0 : 1);
      clock += 400 * minute;
    }
    smtp.will('take');
    start();
    await eventually(() => expect(subjects()).toEqual(['Letter a']));
  });

  /** Lets one outbox worker try one email once, some hours after the last try. */
  const tryOnce = async (deliver: Deliver, store = stores.mail) => {
    clock += 400 * minute;
    const delivered = vi.fn(deliver);
    const worker = startOutboxWorker({ store, deliver: delivered, now: () => clock, log });
    await eventually(() => expect(delivered).toHaveBeenCalledTimes(1));
    await worker.stop();
  };
  /** A mail server that is down, and one that rejects the password. */
  const openUnreachable = async () => {
    const [down, locked] = [await openTestSmtp(), await openTestSmtp({ password: 'right' })];
    await down.close();
    return {
      deliver: [through(down.url), through(locked.url.replace('//', '//me:wrong@'))],
      close: locked.close,
    };
  };

  it('an email is tried again after its first refusal when the mail server was unreachable for hours', async () => {
    const unreachable = await openUnreachable();
    await stores.mail.queue(letter('a'), clock);
    for (let n = 0; n < 3; n++) {
      for (const deliver of unreachable.deliver) await tryOnce(deliver);
      await reopen();
    }
    smtp.will('refuse letter');
    await tryOnce(toOwner);
    expect(await stores.mail.state()).toMatchObject({ waiting: 1, refused: 0 });
    smtp.will('take');
    await tryOnce(toOwner);
    expect(subjects()).toEqual(['Letter a']);
    await unreachable.close();
  });

  it('an email is given up after eleven refusals, counted over instances and restarts', async () => {
    const unreachable = await openUnreachable();
    const beside = await openBeside();
    await stores.mail.queue(letter('a'), clock);
    for (let n = 0; n < 11; n++) {
      expect((await stores.mail.state()).refused).toBe(0);
      if (n % 4 === 0) {
        for (const deliver of unreachable.deliver) await tryOnce(deliver);
        smtp.will('later');
        await tryOnce(toOwner);
        await reopen();
      }
      smtp.will('refuse letter');
      await tryOnce(toOwner, n % 2 === 0 ? beside.mail : stores.mail);
    }
    expect(await stores.mail.state()).toMatchObject({ waiting: 0, refused: 1 });
    await beside.close();
    await unreachable.close();
  });

  it('an email is given up no sooner than twelve hours after its first refusal', async () => {
    await stores.mail.queue(letter('a'), clock);
    const delivered = vi.fn<Deliver>(async () => ({ is: 'refused', error: '550', code: '550' }));
    const worker = start(delivered);
    const look = async (expected: number) => {
      worker.wake();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await eventually(() => expect(delivered).toHaveBeenCalledTimes(expected));
    };
    await look(1);
    for (const [n, wait] of [1, 2, 4, 8, 16, 32, 64, 128, 256, 360].entries()) {
      expect(await stores.mail.state()).toMatchObject({ waiting: 1, refused: 0 });
      clock += wait * minute - 1;
      await look(n + 1);
      clock += 1;
      await look(n + 2);
    }
    await eventually(async () =>
      expect(await stores.mail.state()).toMatchObject({ waiting: 0, refused: 1 }),
    );
    expect(clock - noon).toBeGreaterThanOrEqual(12 * 60 * minute);
  });

  it('a refused email keeps its wait when the mail server is back after an outage', async () => {
    const tries: string[] = [];
    let isReachable = true;
    const worker = start(async ({ id }) => {
      tries.push(id);
      if (!isReachable) return { is: 'unreachable', error: 'ECONNREFUSED', code: 'ECONNREFUSED' };
      return id === 'a' ? { is: 'refused', error: '550', code: '550' } : { is: 'sent' };
    });
    const look = async (expected: string[]) => {
      const before = recorded;
      worker.wake();
      await eventually(() => expect(recorded).toBe(before + expected.length));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(tries.splice(0)).toEqual(expected);
    };
    await stores.mail.queue(letter('a'), clock);
    for (const wait of [0, 1, 2, 4, 8]) {
      clock += wait * minute;
      await look(['a']);
    }
    await stores.mail.queue(letter('b'), clock);
    isReachable = false;
    await look(['b']);
    isReachable = true;
    clock += minute;
    await look(['b']);
    clock += 15 * minute;
    await look(['a']);
  });

  it('an email is deferred for a minute when the mail server was unreachable for hours before', async () => {
    const unreachable = await openUnreachable();
    await stores.mail.queue(letter('a'), clock);
    for (let n = 0; n < 3; n++) {
      for (const deliver of unreachable.deliver) await tryOnce(deliver);
    }
    smtp.will('later');
    await tryOnce(toOwner);
    smtp.will('take');
    clock += minute;
    start();
    await eventually(() => expect(subjects()).toEqual(['Letter a']));
    await unreachable.close();
  });

  it('leaves a mail server alone that cannot be reached, and hurries when it is back', async () => {
    for (let n = 0; n < 6; n++) await stores.mail.queue(letter(`n${n}`), clock);
    let tries = 0;
    let isThere = false;
    const postman = start(async (claimed) => {
      tries += 1;
      return isThere ? toOwner(claimed) : { is: 'unreachable', error: 'EAUTH', code: 'EAUTH' };
    });
    const look = async () => {
      postman.wake();
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await eventually(() => expect(recorded).toBe(1));
    await look();
    expect(tries).toBe(1);
    clock += minute;
    await look();
    await eventually(() => expect(recorded).toBe(2));
    expect(tries).toBe(2);
    isThere = true;
    clock += 2 * minute;
    await look();
    await eventually(async () => expect((await stores.mail.state()).waiting).toBe(0));
    expect(smtp.letters).toHaveLength(6);
  });

  it('tells each reader, though one of them is refused at first', async () => {
    const readers = ['me@my-domain.com', 'later@my-domain.com'];
    const deliver = createSmtp({ url: smtp.url, to: readers, name: 'Me' });
    await stores.mail.queue(letter('a'), clock);
    smtp.will('greylist later@');
    const postman = start(deliver);
    await eventually(() => expect(smtp.letters).toHaveLength(1));
    await postman.stop();
    expect((await stores.mail.state()).waiting).toBe(1);
    smtp.will('take');
    clock += minute;
    start(deliver);
    await eventually(() => expect(smtp.letters).toHaveLength(2));
    expect(smtp.letters.map(({ to }) => to?.map((one) => one.address))).toEqual([
      readers,
      ['later@my-domain.com'],
    ]);
  });

  it('brings each letter through once, whatever the mail server did to it before', async () => {
    const moods: Mood[] = [
      'take',
      'refuse recipient',
      'refuse letter',
      'later',
      'hang',
      'hang up after taking',
    ];
    const nameOf = (mood: Mood) => mood.replaceAll(' ', '-');
    for (const mood of moods) {
      smtp.will(mood);
      const delivered = vi.fn(mood === 'hang' ? through(smtp.url, 500) : toOwner);
      // By itself: a server that cannot be reached is left alone with all that waits.
      const postman = start(delivered);
      await stores.mail.queue(letter(nameOf(mood)), clock);
      postman.wake();
      await eventually(() => expect(delivered).toHaveBeenCalledTimes(1));
      await eventually(async () =>
        expect((await stores.mail.claim({ now: clock, lease: 1, longestWait: 1e9 }))?.id).toBe(
          undefined,
        ),
      );
      await postman.stop();
      smtp.will('take');
      clock += 10 * minute;
      const again = start();
      await eventually(async () => expect((await stores.mail.state()).waiting).toBe(0));
      await again.stop();
    }
    const arrived = (mood: Mood) =>
      smtp.letters.filter(({ subject }) => subject === `Letter ${nameOf(mood)}`);
    for (const mood of moods) {
      // Whether a letter was taken cannot be known when the line drops before the answer. It is sent
      // again under the same Message-ID, by which its reader's mailbox takes it for the same letter.
      expect(arrived(mood)).toHaveLength(mood === 'hang up after taking' ? 2 : 1);
      expect(new Set(arrived(mood).map(({ messageId }) => messageId)).size).toBe(1);
    }
    expect(new Set(smtp.letters.map(({ messageId }) => messageId)).size).toBe(moods.length);
  });

  it('does not wait for years after a clock that was ahead', async () => {
    const now = clock;
    clock = now + 3650 * 24 * 60 * minute;
    await stores.mail.queue(letter('a'), clock);
    clock = now;
    start();
    await eventually(() => expect(subjects()).toEqual(['Letter a']));
  });

  it('sends it after a restart when the one who carried it is gone', async () => {
    await stores.mail.queue(letter('a'), clock);
    expect(
      await stores.mail.claim({ now: clock, lease: 5 * minute, longestWait: 1e9 }),
    ).toMatchObject({ id: 'a' });
    await reopen();
    const postman = start();
    await postman.stop();
    expect(smtp.letters).toEqual([]);
    clock += 5 * minute;
    start();
    await eventually(() => expect(subjects()).toEqual(['Letter a']));
  });

  it('takes no letter from an instance whose clock is ahead, once the mail server is back', async () => {
    await stores.mail.queue(letter('a'), clock);
    await stores.mail.queue(letter('b'), clock + 1);
    let isBack = false;
    let tries = 0;
    const sent: string[] = [];
    const postman = start(async ({ id }) => {
      tries += 1;
      if (!isBack) return { is: 'unreachable', error: 'no', code: 'no' };
      sent.push(id);
      // Another instance has found out as well, and carries the other letter.
      const now = clock + minute;
      const carried = await stores.mail.claim({ now, lease: 5 * minute, longestWait: 1 });
      if (carried) sent.push(carried.id);
      return { is: 'sent' };
    });
    await eventually(() => expect(recorded).toBe(1));
    expect(tries).toBe(1);
    isBack = true;
    clock += 2 * minute;
    for (let n = 0; n < 5; n++) {
      postman.wake();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await eventually(() => expect(sent.toSorted()).toEqual(['a', 'b']));
  });

  it('lets a letter under way arrive when it is stopped', async () => {
    await stores.mail.queue(letter('a'), clock);
    const delivered = vi.fn(toOwner);
    const postman = start(delivered);
    await eventually(() => expect(delivered).toHaveBeenCalledTimes(1));
    await postman.stop();
    expect(subjects()).toEqual(['Letter a']);
    expect((await stores.mail.state()).waiting).toBe(0);
  });
});

describe('a letter that the mail server has taken', () => {
  const { stores } = freshStores();

  /** Fails to write down what became of the letters of these names. */
  const failingFor = (names: Set<string>): OutboxStore => ({
    ...stores.mail,
    queue: stores.mail.queue,
    claim: (options) => stores.mail.claim(options),
    hurry: stores.mail.hurry,
    revive: stores.mail.revive,
    sent: (id, at) =>
      names.has(id) ? Promise.reject(new Error('away')) : stores.mail.sent(id, at),
  });

  it('is not sent again, though nobody can write that down until its lease is long over', async () => {
    let clock = noon;
    const away = new Set(['a']);
    const sent: string[] = [];
    for (const id of ['a', 'b']) await stores.mail.queue(letter(id), clock);
    const postman = startOutboxWorker({
      store: failingFor(away),
      deliver: async ({ id }) => {
        sent.push(id);
        return { is: 'sent' };
      },
      now: () => clock,
      log,
    });
    // It keeps no other letter.
    await eventually(() => expect(sent).toEqual(['a', 'b']));
    await eventually(async () => expect((await stores.mail.state()).waiting).toBe(1));
    for (let n = 0; n < 3; n++) {
      clock += 10 * minute;
      postman.wake();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await stores.mail.state()).waiting).toBe(1);
    away.clear();
    postman.wake();
    await eventually(async () => expect((await stores.mail.state()).waiting).toBe(0));
    expect(sent).toEqual(['a', 'b']);
    await postman.stop();
  });

  it('holds up no end', async () => {
    await stores.mail.queue(letter('a'), noon);
    const delivered = vi.fn(async () => ({ is: 'sent' as const }));
    const never = { ...failingFor(new Set()), sent: () => new Promise<void>(() => {}) };
    const postman = startOutboxWorker({ store: never, deliver: delivered, now: () => noon, log });
    await eventually(() => expect(delivered).toHaveBeenCalled());
    const begun = performance.now();
    await postman.stop();
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it('is not sent again when PostgreSQL was away for longer than anybody waits', async () => {
    const postgres = await startOwnPostgres();
    const { mail, close } = await openStores({ DATABASE_URL: postgres.url, DATA_DIR: '' });
    let clock = noon;
    let deliveries = 0;
    let failures = 0;
    await mail.queue(letter('a'), clock);
    const postman = startOutboxWorker({
      store: {
        ...mail,
        sent: (id, at) =>
          mail.sent(id, at).catch((error: unknown) => {
            failures += 1;
            throw error;
          }),
      },
      async deliver() {
        deliveries += 1;
        await postgres.kill('SIGINT');
        return { is: 'sent' };
      },
      now: () => clock,
      log,
    });
    await eventually(() => expect(failures).toBe(3));
    clock += 10 * minute;
    await postgres.restart();
    await eventually(async () => expect((await mail.state()).waiting).toBe(0));
    expect(deliveries).toBe(1);
    await postman.stop();
    await close();
    await postgres.stop();
  });
});

describe('a message from the form', () => {
  it('is thanked for at once, and arrives', async () => {
    const smtp = await openTestSmtp();
    const site = await openTestSite({
      env: { SMTP_URL: smtp.url, CONTACT_TO: 'me@my-domain.com' },
    });
    const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
    smtp.will('later');
    expect((await site.post('/api/contact', message)).status).toBe(200);
    smtp.will('take');
    for (let n = 0; n < 5; n++) {
      expect((await site.post('/api/contact', { ...message, name: `Ada ${n}` })).status).toBe(200);
    }
    await eventually(() => expect(smtp.letters.length).toBeGreaterThanOrEqual(5));
    expect(new Set(smtp.letters.map(({ messageId }) => messageId)).size).toBe(smtp.letters.length);
    expect(smtp.letters[0]?.replyTo).toMatchObject([{ name: /^Ada/, address: 'ada@example.com' }]);
    await site.close();
    await smtp.close();
  });
});
