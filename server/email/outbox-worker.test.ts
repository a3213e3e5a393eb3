/** The outbox on both databases, and the worker between it and a real SMTP server. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import { openStores } from '../stores/stores.ts';
import { brand } from '../testing/email.ts';
import { engines, freshStores, postgres } from '../testing/engines.ts';
import { countResults } from '../testing/outbox.ts';
import { startOwnPostgres } from '../testing/postgres/server.ts';
import { openTestSite } from '../testing/site.ts';
import { openTestSmtp, type SmtpBehaviour, type TestSmtp } from '../testing/smtp.ts';
import type { OutboxEmail } from './email.ts';
import { type OutboxWorker, startOutboxWorker } from './outbox-worker.ts';
import { createSmtp, type Deliver } from './smtp.ts';
import type { OutboxStore } from './store.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 2, 10, 12);
const email = (id: string): OutboxEmail => ({
  id,
  subject: `Email ${id}`,
  blocks: [{ kind: 'text', text: 'Hello' }],
});
const log = createLog('silent', { pretty: false });
/** Long timeout, since other tests may keep the machine busy. */
const eventually = <T>(check: () => T | Promise<T>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 });

describe.each(engines)('$name', (engine) => {
  const { stores, reopen, openBeside } = freshStores(engine);
  let smtp: TestSmtp;
  let clock: number;
  let workers: OutboxWorker[];
  /** Number of stored results. A test moves the clock only after its result is stored. */
  let recorded: number;

  beforeEach(async () => {
    recorded = 0;
    smtp = await openTestSmtp();
    clock = noon;
    workers = [];
  });
  afterEach(async () => {
    for (const worker of workers) await worker.stop();
    await smtp.close();
  });
  const through = (url: string, timeoutMs = 20_000) =>
    createSmtp({ url, to: ['me@my-domain.com'], brand, timeoutMs });
  const toOwner: Deliver = (claimed) => through(smtp.url)(claimed);
  const start = (deliver = toOwner, { mail } = stores) => {
    const store = countResults(mail, () => {
      recorded += 1;
    });
    const worker = startOutboxWorker({ store, deliver, now: () => clock, log });
    workers.push(worker);
    return worker;
  };
  /** Runs a worker until the result of one attempt is stored, which `stop` alone awaits for 1.5 s only. */
  const attemptOnce = async (deliver: Deliver, instance = stores) => {
    const before = recorded;
    const worker = start(deliver, instance);
    await eventually(() => expect(recorded).toBe(before + 1));
    await worker.stop();
  };
  const subjects = () => smtp.emails.map(({ subject }) => subject).sort();

  const tryOnce = (deliver: Deliver, instance = stores) => {
    clock += 400 * minute;
    return attemptOnce(deliver, instance);
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

  it('outbox sends every email once when several workers share it', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `n${String(n).padStart(2, '0')}`);
    await Promise.all(names.map((id) => stores.mail.queue(email(id), clock)));
    expect(await stores.mail.queue(email('n07'), clock)).toBe(false);
    for (let n = 0; n < 3; n++) start();
    await eventually(async () => expect((await stores.mail.state()).waiting).toBe(0));
    expect(subjects()).toEqual(names.map((id) => `Email ${id}`));
    expect(await stores.mail.lastSent()).toBe(clock);
    expect(await stores.mail.claim({ now: clock + 1e9, lease: 1, longestWait: 1 })).toBeUndefined();
  });

  it('an email is given up after eleven refusals, counted over instances and restarts', async () => {
    const unreachable = await openUnreachable();
    const beside = await openBeside();
    await stores.mail.queue(email('a'), clock);
    for (let n = 0; n < 11; n++) {
      expect((await stores.mail.state()).refused).toBe(0);
      if (n % 4 === 0) {
        for (const deliver of unreachable.deliver) await tryOnce(deliver);
        smtp.setBehaviour('defer');
        await tryOnce(toOwner);
        await reopen();
      }
      smtp.setBehaviour('reject email');
      await tryOnce(toOwner, n % 2 === 0 ? beside : stores);
    }
    expect(await stores.mail.state()).toMatchObject({ waiting: 0, refused: 1 });
    await beside.close();
    await unreachable.close();
  });

  it('outbox pauses while the mail server is unreachable, and sends all emails when it is back', async () => {
    for (let n = 0; n < 6; n++) await stores.mail.queue(email(`n${n}`), clock);
    let attempts = 0;
    let isThere = false;
    const worker = start(async (claimed) => {
      attempts += 1;
      return isThere ? toOwner(claimed) : { status: 'unreachable', error: 'EAUTH', code: 'EAUTH' };
    });
    const look = async () => {
      worker.wake();
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await eventually(() => expect(recorded).toBe(1));
    await look();
    expect(attempts).toBe(1);
    clock += minute;
    await look();
    await eventually(() => expect(recorded).toBe(2));
    expect(attempts).toBe(2);
    isThere = true;
    clock += 2 * minute;
    await look();
    await eventually(async () => expect((await stores.mail.state()).waiting).toBe(0));
    expect(smtp.emails).toHaveLength(6);
  });

  it('each recipient gets the email once when one of them is deferred at first', async () => {
    const recipients = ['me@my-domain.com', 'later@my-domain.com'];
    const deliver = createSmtp({ url: smtp.url, to: recipients, brand });
    await stores.mail.queue(email('a'), clock);
    smtp.setBehaviour('greylist later@');
    await attemptOnce(deliver);
    expect(smtp.emails).toHaveLength(1);
    expect((await stores.mail.state()).waiting).toBe(1);
    smtp.setBehaviour('accept');
    clock += minute;
    start(deliver);
    await eventually(() => expect(smtp.emails).toHaveLength(2));
    expect(smtp.emails.map(({ to }) => to?.map((one) => one.address))).toEqual([
      recipients,
      ['later@my-domain.com'],
    ]);
  });

  it('outbox sends an email after its lease expires when the process that claimed it is gone', async () => {
    await stores.mail.queue(email('a'), clock);
    expect(
      await stores.mail.claim({ now: clock, lease: 5 * minute, longestWait: 1e9 }),
    ).toMatchObject({ id: 'a' });
    await reopen();
    const worker = start();
    await worker.stop();
    expect(smtp.emails).toEqual([]);
    clock += 5 * minute;
    start();
    await eventually(() => expect(subjects()).toEqual(['Email a']));
  });

  // The others run the same SQL, which has no dialects, or are about the worker alone.
  if (engine === postgres) return;

  it('email to a visitor goes to that address, and gives up at the first refusal', async () => {
    const visitor = { name: 'Tom', address: 'tom@brightcourse.example' };
    await stores.mail.queue({ ...email('visitor-1'), to: visitor }, clock);
    start();
    await eventually(() => expect(smtp.emails).toHaveLength(1));
    expect(smtp.emails[0]?.to).toEqual([visitor]);
    // The test of the owner's mail server must not count emails to others.
    await eventually(() => expect(recorded).toBe(1));
    expect(await stores.mail.lastSent()).toBeUndefined();

    smtp.setBehaviour('reject recipient');
    await stores.mail.queue({ ...email('visitor-2'), to: visitor }, clock);
    workers[0]?.wake();
    await eventually(() => expect(recorded).toBe(2));
    expect(await stores.mail.state()).toMatchObject({ waiting: 0, refused: 0 });
    await stores.mail.retryRefused(clock);
    expect(await stores.mail.state()).toMatchObject({ waiting: 0 });
  });

  it('outbox retries an email after one minute, then two, and finally every six hours', async () => {
    await stores.mail.queue(email('a'), clock);
    let attempts = 0;
    const look = async (expected: number) => {
      const worker = start(async () => {
        attempts += 1;
        return { status: 'postponed', error: 'no', code: 'no' };
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      await eventually(() => expect(attempts).toBe(expected));
      await worker.stop();
      expect(attempts).toBe(expected);
    };
    await look(1);
    for (const [n, wait] of [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360].entries()) {
      clock += wait * minute - 1;
      await look(n + 1);
      clock += 1;
      await look(n + 2);
    }
    expect(await stores.mail.state()).toEqual({ waiting: 1, refused: 0 });
  });

  it('outbox retries a refused email for over half a day, and once more at the next start', async () => {
    await stores.mail.queue(email('a'), clock);
    smtp.setBehaviour('reject email');
    for (let n = 0; n < 11; n++) {
      await attemptOnce(toOwner);
      expect((await stores.mail.state()).refused).toBe(n < 10 ? 0 : 1);
      clock += 400 * minute;
    }
    smtp.setBehaviour('accept');
    start();
    await eventually(() => expect(subjects()).toEqual(['Email a']));
  });

  it('outbox retries a refused email once a day, without a restart', async () => {
    await stores.mail.queue(email('a'), clock);
    await stores.mail.refused('a', { at: clock, error: '550' });
    smtp.setBehaviour('reject email');
    const retryDaily = vi.spyOn(globalThis, 'setInterval');
    const delivered = vi.fn(toOwner);
    start(delivered);
    await eventually(async () => expect((await stores.mail.state()).refused).toBe(0));
    await eventually(() => expect(recorded).toBe(1));
    await stores.mail.refused('a', { at: clock, error: '550' });
    const daily = retryDaily.mock.calls.find(([, ms]) => ms === 24 * 60 * minute)?.[0];
    retryDaily.mockRestore();
    smtp.setBehaviour('accept');
    daily?.();
    await eventually(() => expect(subjects()).toEqual(['Email a']));
  });

  it('an email is tried again after its first refusal when the mail server was unreachable for hours', async () => {
    const unreachable = await openUnreachable();
    await stores.mail.queue(email('a'), clock);
    for (let n = 0; n < 3; n++) {
      for (const deliver of unreachable.deliver) await tryOnce(deliver);
      await reopen();
    }
    smtp.setBehaviour('reject email');
    await tryOnce(toOwner);
    expect(await stores.mail.state()).toMatchObject({ waiting: 1, refused: 0 });
    smtp.setBehaviour('accept');
    await tryOnce(toOwner);
    expect(subjects()).toEqual(['Email a']);
    await unreachable.close();
  });

  it('email to a visitor whose address is only deferred is given up after five days', async () => {
    const queue = (id: string) =>
      stores.mail.queue({ ...email(id), to: { name: 'Tom', address: 'tom@b.example' } }, noon);
    const waitingAfter = async (answer: string) => {
      const error = `EENVELOPE: Can't send mail - all recipients were rejected: ${answer}`;
      await tryOnce(async () => ({ status: 'postponed', error, code: 'EENVELOPE' }));
      return (await stores.mail.state()).waiting;
    };
    const deferral = '450 4.1.2 <tom@b.example>: Domain not found';
    await queue('visitor-1');
    for (let n = 1; n <= 17; n++) expect(await waitingAfter(deferral)).toBe(1);
    expect(await waitingAfter('454 4.7.1 <tom@b.example>: Relay access denied')).toBe(1);
    expect(await waitingAfter(deferral)).toBe(0);
    // The mail server was away until now.
    await queue('visitor-2');
    expect(await waitingAfter(deferral)).toBe(1);
  });

  it('an email is given up no sooner than twelve hours after its first refusal', async () => {
    await stores.mail.queue(email('a'), clock);
    const delivered = vi.fn<Deliver>(async () => ({
      status: 'refused',
      error: '550',
      code: '550',
    }));
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
    const attempts: string[] = [];
    let isReachable = true;
    const worker = start(async ({ id }) => {
      attempts.push(id);
      if (!isReachable)
        return { status: 'unreachable', error: 'ECONNREFUSED', code: 'ECONNREFUSED' };
      return id === 'a' ? { status: 'refused', error: '550', code: '550' } : { status: 'sent' };
    });
    const look = async (expected: string[]) => {
      const before = recorded;
      worker.wake();
      await eventually(() => expect(recorded).toBe(before + expected.length));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(attempts.splice(0)).toEqual(expected);
    };
    await stores.mail.queue(email('a'), clock);
    for (const wait of [0, 1, 2, 4, 8]) {
      clock += wait * minute;
      await look(['a']);
    }
    await stores.mail.queue(email('b'), clock);
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
    await stores.mail.queue(email('a'), clock);
    for (let n = 0; n < 3; n++) {
      for (const deliver of unreachable.deliver) await tryOnce(deliver);
    }
    smtp.setBehaviour('defer');
    await tryOnce(toOwner);
    smtp.setBehaviour('accept');
    clock += minute;
    start();
    await eventually(() => expect(subjects()).toEqual(['Email a']));
    await unreachable.close();
  });

  it('each email is delivered once after every kind of failure of the mail server', async () => {
    const behaviours: SmtpBehaviour[] = [
      'accept',
      'reject recipient',
      'reject email',
      'defer',
      'hang',
      'disconnect after accepting',
    ];
    const idOf = (behaviour: SmtpBehaviour) => behaviour.replaceAll(' ', '-');
    for (const behaviour of behaviours) {
      smtp.setBehaviour(behaviour);
      const delivered = vi.fn(behaviour === 'hang' ? through(smtp.url, 500) : toOwner);
      // One email at a time: an unreachable server would pause the others.
      const worker = start(delivered);
      await stores.mail.queue(email(idOf(behaviour)), clock);
      worker.wake();
      await eventually(() => expect(delivered).toHaveBeenCalledTimes(1));
      await eventually(async () =>
        expect((await stores.mail.claim({ now: clock, lease: 1, longestWait: 1e9 }))?.id).toBe(
          undefined,
        ),
      );
      await worker.stop();
      smtp.setBehaviour('accept');
      clock += 10 * minute;
      const again = start();
      await eventually(async () => expect((await stores.mail.state()).waiting).toBe(0));
      await again.stop();
    }
    const received = (behaviour: SmtpBehaviour) =>
      smtp.emails.filter(({ subject }) => subject === `Email ${idOf(behaviour)}`);
    for (const behaviour of behaviours) {
      // When the connection closes before the response, the worker cannot tell whether the server
      // accepted the email. It resends it with the same Message-ID, by which mailboxes deduplicate.
      expect(received(behaviour)).toHaveLength(behaviour === 'disconnect after accepting' ? 2 : 1);
      expect(new Set(received(behaviour).map(({ messageId }) => messageId)).size).toBe(1);
    }
    expect(new Set(smtp.emails.map(({ messageId }) => messageId)).size).toBe(behaviours.length);
  });

  it('outbox sends an email at once when a clock that was ahead postponed it by years', async () => {
    const now = clock;
    clock = now + 3650 * 24 * 60 * minute;
    await stores.mail.queue(email('a'), clock);
    clock = now;
    start();
    await eventually(() => expect(subjects()).toEqual(['Email a']));
  });

  it('outbox leaves an email leased by an instance with a clock ahead when the mail server is back', async () => {
    await stores.mail.queue(email('a'), clock);
    await stores.mail.queue(email('b'), clock + 1);
    let isBack = false;
    let attempts = 0;
    const sent: string[] = [];
    const worker = start(async ({ id }) => {
      attempts += 1;
      if (!isBack) return { status: 'unreachable', error: 'no', code: 'no' };
      sent.push(id);
      // Another instance has noticed that the server is back, and sends the other email.
      const now = clock + minute;
      const claimed = await stores.mail.claim({ now, lease: 5 * minute, longestWait: 1 });
      if (claimed) sent.push(claimed.id);
      return { status: 'sent' };
    });
    await eventually(() => expect(recorded).toBe(1));
    expect(attempts).toBe(1);
    isBack = true;
    clock += 2 * minute;
    for (let n = 0; n < 5; n++) {
      worker.wake();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await eventually(() => expect(sent.toSorted()).toEqual(['a', 'b']));
  });

  it('an email that a worker claims while it is stopped is sent, not left to its lease', async () => {
    await stores.mail.queue(email('a'), clock);
    let claimed = () => {};
    const isClaimed = new Promise<void>((resolve) => {
      claimed = resolve;
    });
    let hold = () => {};
    const isHeld = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const claim: OutboxStore['claim'] = async (options) => {
      const item = await stores.mail.claim(options);
      claimed();
      await isHeld;
      return item;
    };
    const worker = start(toOwner, { ...stores, mail: { ...stores.mail, claim } });
    await isClaimed;
    const stopped = worker.stop();
    hold();
    await stopped;
    await eventually(() => expect(subjects()).toEqual(['Email a']));
    await eventually(() => expect(recorded).toBe(1));
  });

  it('outbox worker finishes the email that is being sent when it is stopped', async () => {
    await stores.mail.queue(email('a'), clock);
    const delivered = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { status: 'sent' as const };
    });
    const worker = start(delivered);
    await eventually(() => expect(delivered).toHaveBeenCalledTimes(1));
    await worker.stop();
    expect((await stores.mail.state()).waiting).toBe(0);
  });
});

describe('an email that the mail server has accepted', () => {
  const { stores } = freshStores();

  /** A store that fails to record emails with these ids as sent. */
  const failingFor = (ids: Set<string>): OutboxStore => ({
    ...stores.mail,
    queue: stores.mail.queue,
    claim: (options) => stores.mail.claim(options),
    retryDeferred: stores.mail.retryDeferred,
    retryRefused: stores.mail.retryRefused,
    sent: (id, at) => (ids.has(id) ? Promise.reject(new Error('away')) : stores.mail.sent(id, at)),
  });

  it('outbox sends an email at once when it is queued while a poll that found none ends', async () => {
    for (let ticks = 0; ticks < 12; ticks++) {
      const id = `n${ticks}`;
      const delivered = vi.fn<Deliver>(async () => ({ status: 'sent' }));
      await stores.mail.queue(email(id), noon);
      let polls = 0;
      const store = {
        ...stores.mail,
        claim: async (options: Parameters<OutboxStore['claim']>[0]) => {
          polls += 1;
          if (polls > 1) return stores.mail.claim(options);
          void wakeAfter(ticks);
          return undefined;
        },
      };
      const worker = startOutboxWorker({ store, deliver: delivered, now: () => noon, log });
      const wakeAfter = async (turns: number) => {
        for (let turn = 0; turn < turns; turn++) await undefined;
        worker.wake();
      };
      await eventually(() => expect(delivered.mock.calls.map(([sent]) => sent.id)).toEqual([id]));
      await worker.stop();
    }
  });

  it('accepted email is not sent again when its result cannot be stored until its lease has expired', async () => {
    let clock = noon;
    const away = new Set(['a']);
    const sent: string[] = [];
    for (const id of ['a', 'b']) await stores.mail.queue(email(id), clock);
    const worker = startOutboxWorker({
      store: failingFor(away),
      deliver: async ({ id }) => {
        sent.push(id);
        return { status: 'sent' };
      },
      now: () => clock,
      log,
    });
    // The other email is still sent.
    await eventually(() => expect(sent).toEqual(['a', 'b']));
    await eventually(async () => expect((await stores.mail.state()).waiting).toBe(1));
    for (let n = 0; n < 3; n++) {
      clock += 10 * minute;
      worker.wake();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await stores.mail.state()).waiting).toBe(1);
    away.clear();
    worker.wake();
    await eventually(async () => expect((await stores.mail.state()).waiting).toBe(0));
    expect(sent).toEqual(['a', 'b']);
    await worker.stop();
  });

  it('accepted email is not sent by the next worker when its result cannot be stored while a worker stops', async () => {
    let clock = noon;
    const away = new Set(['a']);
    const sent: string[] = [];
    await stores.mail.queue(email('a'), clock);
    const deliver: Deliver = async ({ id }) => {
      sent.push(id);
      return { status: 'sent' };
    };
    const old = startOutboxWorker({ store: failingFor(away), deliver, now: () => clock, log });
    await eventually(() => expect(sent).toEqual(['a']));
    await old.stop();
    away.clear();
    await eventually(async () => expect((await stores.mail.state()).waiting).toBe(0));
    clock += 10 * minute;
    const next = startOutboxWorker({ store: stores.mail, deliver, now: () => clock, log });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await next.stop();
    expect(sent).toEqual(['a']);
  });

  it('outbox worker stops when the result of an email cannot be stored', async () => {
    await stores.mail.queue(email('a'), noon);
    const delivered = vi.fn(async () => ({ status: 'sent' as const }));
    const never = { ...failingFor(new Set()), sent: () => new Promise<void>(() => {}) };
    const worker = startOutboxWorker({ store: never, deliver: delivered, now: () => noon, log });
    await eventually(() => expect(delivered).toHaveBeenCalled());
    const startedAt = performance.now();
    await worker.stop();
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it('accepted email is not sent again when PostgreSQL is unavailable until its lease has expired', async () => {
    const postgres = await startOwnPostgres();
    const { mail, close } = await openStores({ DATABASE_URL: postgres.url, DATA_DIR: '' });
    let clock = noon;
    let deliveries = 0;
    let failures = 0;
    await mail.queue(email('a'), clock);
    const worker = startOutboxWorker({
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
        return { status: 'sent' };
      },
      now: () => clock,
      log,
    });
    await eventually(() => expect(failures).toBe(3));
    clock += 10 * minute;
    await postgres.restart();
    await eventually(async () => expect((await mail.state()).waiting).toBe(0));
    expect(deliveries).toBe(1);
    await worker.stop();
    await close();
    await postgres.stop();
  });
});

describe('a message from the form', () => {
  it('contact form responds at once, and the email is delivered when the mail server accepts it', async () => {
    const smtp = await openTestSmtp();
    const site = await openTestSite({
      env: { SMTP_URL: smtp.url, CONTACT_TO: 'me@my-domain.com' },
    });
    const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
    smtp.setBehaviour('defer');
    expect((await site.post('/api/contact', message)).status).toBe(200);
    smtp.setBehaviour('accept');
    for (let n = 0; n < 5; n++) {
      expect((await site.post('/api/contact', { ...message, name: `Ada ${n}` })).status).toBe(200);
    }
    await eventually(() => expect(smtp.emails.length).toBeGreaterThanOrEqual(5));
    expect(new Set(smtp.emails.map(({ messageId }) => messageId)).size).toBe(smtp.emails.length);
    expect(smtp.emails[0]?.replyTo).toMatchObject([{ name: /^Ada/, address: 'ada@example.com' }]);
    await site.close();
    await smtp.close();
  });
});
