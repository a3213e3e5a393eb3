/** The conformance suite: the behaviour of the stores on every engine. */

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Activity, type ActivityEvent, activities } from '../analytics/model.ts';
import { type AdminSession, passwordSetBy } from '../auth/store.ts';
import type { ContactMessage, StoredMessage } from '../contact/message.ts';
import type { Sale } from '../sales/sale.ts';
import { engines, freshStores } from '../testing/engines.ts';
import { sampleMessage } from '../testing/message.ts';
import { rawFigures } from '../testing/raw-figures.ts';
import { sampleSale } from '../testing/sale.ts';

const noon = Date.UTC(2026, 2, 10, 12);
const day = 24 * 60 * 60_000;
const always = { from: 0, to: noon + 1000 * day };

const visitor = (n: number) => n.toString(16).padStart(32, '0');
const newEvent = (activity: Activity, at: number, who = 1): ActivityEvent => ({
  activity,
  button: activity === 'cta_click' ? 'hero' : null,
  source: null,
  visitor: visitor(who),
  at,
});
const sale = (id: string, change: Partial<Sale> = {}): Sale =>
  sampleSale({ id, at: noon, amount: 4900, ...change });
const session = (idHash: string, change: Partial<AdminSession> = {}): AdminSession => ({
  idHash,
  createdAt: noon,
  seenAt: noon,
  browser: 'Firefox on Linux',
  confirmedAt: noon,
  ...change,
});
const message = (id: string, change: Partial<ContactMessage> = {}) =>
  sampleMessage({ id, receivedAt: noon, ...change });

const newEmail = (id: string) => ({ id, subject: 'Hello', blocks: [] });

describe.each(engines)('$name', (engine) => {
  const { stores, reopen } = freshStores(engine);

  describe('contact messages', () => {
    it('contact messages survive a restart unchanged', async () => {
      const text = 'Zeile 1\r\nZeile 2 \u{1F6A2} "quoted" \'; DROP TABLE contact_message; --\t?';
      const fields = { message: text, name: '5', company: 'Müller & Söhne' };
      await stores.contact.add(message('a', fields));
      await reopen();
      expect(await stores.contact.list({ limit: 10 })).toEqual([
        {
          ...message('a', fields),
          folder: 'inbox',
          isRead: false,
          suspicions: [],
          delivery: undefined,
        },
      ]);
    });

    it('contact messages have no length limit', async () => {
      const long = 'x'.repeat(1_000_000);
      const fields = { name: long, email: `${long}@example.com`, company: long, message: long };
      await stores.contact.add(message('long', fields), { email: newEmail('contact-long') });
      expect(await stores.contact.list({ limit: 1 })).toMatchObject([fields]);
      expect(await stores.contact.from(fields.email)).toHaveLength(1);
      expect(await stores.contact.erase(fields.email)).toBe(1);
    });

    it('a page of long messages has a megabyte, and the next ones the rest', async () => {
      for (let n = 0; n < 5; n++) {
        const text = 'ä'.repeat(n === 2 ? 600_000 : 200_000);
        await stores.contact.add(message(`m${n}`, { receivedAt: noon + n, message: text }));
      }
      const pages: string[] = [];
      for (let after: StoredMessage | undefined; ; ) {
        const page = await stores.contact.page({ folder: 'inbox', limit: 50, after });
        pages.push(names(page.messages));
        after = page.messages.at(-1);
        if (!page.hasMore) break;
      }
      expect(pages).toEqual(['m4 m3', 'm2', 'm1 m0']);
    });

    it('contact messages are listed newest first up to the limit', async () => {
      for (const n of [2, 0, 1])
        await stores.contact.add(message(`m${n}`, { receivedAt: noon + n }));
      const list = await stores.contact.list({ limit: 2 });
      expect(list.map(({ id }) => id)).toEqual(['m2', 'm1']);
      expect(await stores.contact.count()).toBe(3);
    });

    const names = (list: { id: string }[]) => list.map(({ id }) => id).join(' ');

    it('contact message with the same idempotency key is stored and mailed once', async () => {
      const add = (id: string, key: string) =>
        stores.contact.add(message(id), {
          idempotencyKey: key,
          email: newEmail(`contact-${id}`),
        });
      const stored = await Promise.all(['a', 'b', 'c'].map((id) => add(id, 'draft')));
      expect(stored.filter(Boolean)).toHaveLength(1);
      await reopen();
      expect(await add('d', 'draft')).toBe(false);
      expect(await add('e', 'other')).toBe(true);
      expect(await stores.contact.count()).toBe(2);
      expect((await stores.mail.state()).waiting).toBe(2);
    });

    it('contact message starts unread in inbox or spam and can be moved', async () => {
      const { contact } = stores;
      await contact.add(message('a'));
      await contact.add(message('b'), { folder: 'spam', suspicions: ['trap', 'links'] });
      expect(await contact.counts()).toEqual({
        inbox: { all: 1, unread: 1 },
        archive: { all: 0, unread: 0 },
        spam: { all: 1, unread: 1 },
      });
      expect(await contact.unread()).toBe(1);
      const [spam] = await contact.list({ limit: 5, folder: 'spam' });
      expect(spam).toMatchObject({ id: 'b', folder: 'spam', suspicions: ['trap', 'links'] });
      await contact.sort(['a', 'unknown'], { folder: 'archive', isRead: true, now: 1 });
      await contact.sort(['b'], { folder: 'inbox', now: 1 });
      expect(await contact.counts()).toEqual({
        inbox: { all: 1, unread: 1 },
        archive: { all: 1, unread: 0 },
        spam: { all: 0, unread: 0 },
      });
      // The reasons for the suspicion stay stored.
      expect(names(await contact.list({ limit: 5, folder: 'inbox' }))).toBe('b');
      expect(await contact.count()).toBe(2);
    });

    it('message pages list unread first and each message once for any page size', async () => {
      const { contact } = stores;
      for (let n = 0; n < 12; n++) {
        await contact.add(
          message(`m${String(n).padStart(2, '0')}`, { receivedAt: noon + (n >> 1) }),
        );
      }
      await contact.sort(['m03', 'm08', 'm11'], { isRead: true, now: 1 });
      const expected = 'm10 m09 m07 m06 m05 m04 m02 m01 m00 m11 m08 m03';
      for (const limit of [1, 2, 3, 5, 9, 12, 50]) {
        const found: StoredMessage[] = [];
        for (;;) {
          const page = await contact.page({ folder: 'inbox', limit, after: found.at(-1) });
          found.push(...page.messages);
          if (!page.hasMore) break;
        }
        expect(names(found)).toBe(expected);
      }
      expect(await contact.page({ folder: 'spam', limit: 5 })).toEqual({
        messages: [],
        hasMore: false,
      });
    });

    it('message search matches any field and escapes wildcards', async () => {
      const { contact } = stores;
      await contact.add(message('a', { name: 'Zoe 100%' }));
      await contact.add(message('b', { email: 'zoe@example.com', company: 'A_B \\ C' }));
      await contact.add(message('c', { message: 'so 100 times?' }));
      const found = async (search: string) =>
        names((await contact.page({ folder: 'inbox', limit: 9, search })).messages)
          .split(' ')
          .sort()
          .join(' ');
      expect(await found('ZOE')).toBe('a b');
      expect(await found('100%')).toBe('a');
      expect(await found('a_b')).toBe('b');
      expect(await found('\\ c')).toBe('b');
      expect(await found('times?')).toBe('c');
      expect(await found('%')).toBe('a');
      expect(await found('nowhere')).toBe('');
    });

    it('contact messages show the state of their emails', async () => {
      const { contact, mail } = stores;
      for (const id of ['sent', 'put-off', 'refused', 'new']) {
        await contact.add(message(id), { email: newEmail(`contact-${id}`) });
      }
      await contact.add(message('none'));
      await mail.sent('contact-sent', noon + 5);
      await mail.postponed('contact-put-off', { dueAt: noon + 60_000, error: 'later' });
      await mail.refused('contact-refused', { at: noon + 6, error: 'never' });
      const list = await contact.list({ limit: 9 });
      expect(Object.fromEntries(list.map(({ id, delivery }) => [id, delivery]))).toEqual({
        sent: { state: 'sent', at: noon + 5 },
        'put-off': { state: 'waiting', dueAt: noon + 60_000, attempts: 0, error: 'later' },
        refused: { state: 'refused', at: noon + 6, error: 'never' },
        new: { state: 'waiting', dueAt: noon, attempts: 0, error: null },
        none: undefined,
      });
    });

    it('message export reads all messages, oldest first', async () => {
      const { contact } = stores;
      await Promise.all(
        Array.from({ length: 450 }, (_, n) =>
          contact.add(
            message(`m${n}`, { receivedAt: noon - (n % 7) }),
            n % 2 ? {} : { folder: 'spam', suspicions: ['rate'] },
          ),
        ),
      );
      const found: StoredMessage[] = [];
      for await (const one of contact.all()) found.push(one);
      expect(new Set(found.map(({ id }) => id)).size).toBe(450);
      expect(found.map(({ receivedAt }) => receivedAt)).toEqual(
        found.map(({ receivedAt }) => receivedAt).sort((a, b) => a - b),
      );
    });

    it('spam digest reports each unread spam message once', async () => {
      const { contact, mail } = stores;
      const reported: string[] = [];
      const tell = (id: string) =>
        contact.reportSpam(noon, (newest, all) => {
          reported.push(`${id}: ${names(newest)} of ${all}`);
          return newEmail(id);
        });
      await contact.add(message('real'));
      expect(await tell('one')).toBe(false);
      await contact.add(message('a'), { folder: 'spam', suspicions: ['trap'] });
      await contact.add(message('b', { receivedAt: noon + 1 }), {
        folder: 'spam',
        suspicions: ['trap'],
      });
      await contact.add(message('seen'), { folder: 'spam', suspicions: ['trap'] });
      await contact.sort(['seen'], { isRead: true, now: 1 });
      expect(await tell('one')).toBe(true);
      expect(await tell('two')).toBe(false);
      await contact.add(message('c'), { folder: 'spam', suspicions: ['trap'] });
      // An email with this id is queued already, so the next digest reports the rest.
      expect(await tell('one')).toBe(false);
      expect(await tell('three')).toBe(true);
      expect([...new Set(reported)]).toEqual(['one: b a of 2', 'one: c of 1', 'three: c of 1']);
      expect((await mail.state()).waiting).toBe(2);
      const [a] = await contact.list({ limit: 9, folder: 'spam' });
      expect(a?.delivery?.state).toBe('waiting');
    });

    it('test message leaves an email and no message', async () => {
      const { contact, mail } = stores;
      expect(await contact.addTest(message('test'), newEmail('test-1'))).toBe(true);
      expect(await contact.addTest(message('test'), newEmail('test-1'))).toBe(false);
      expect(await contact.count()).toBe(0);
      expect((await mail.state()).waiting).toBe(1);
      expect(await mail.waitingTests()).toEqual(['test-1']);
      await mail.sent('test-1', noon + 9);
      expect(await mail.waitingTests()).toEqual([]);
      expect(await mail.lastSent()).toBe(noon + 9);
    });

    it('emails are overdue after five minutes, three refusals, or once given up, until they are sent', async () => {
      const { mail } = stores;
      const minute = 60_000;
      const queue = (id: string, at: number) => mail.queue(newEmail(id), at);
      const at = noon + 5 * minute;
      await queue('late', noon + 1);
      expect(await mail.overdue(at)).toBeUndefined();
      expect(await mail.overdue(at + 1)).toEqual({ count: 1, since: noon + 1, error: null });
      await queue('refused', at);
      const later = { dueAt: at + minute, error: '550 No', rejection: 'refusal' } as const;
      for (const count of [1, 1, 2]) {
        await mail.postponed('refused', later);
        expect(await mail.overdue(at + 1)).toMatchObject({ count });
      }
      await mail.sent('late', at);
      expect(await mail.overdue(at)).toEqual({ count: 1, since: at, error: '550 No' });
      await mail.refused('refused', { at, error: '550 Never' });
      expect(await mail.overdue(at)).toEqual({ count: 1, since: at, error: '550 Never' });
      // What nobody repaired for a month is left to the list of messages.
      const month = 30 * 24 * 60 * minute;
      expect(await mail.overdue(at + month)).toBeUndefined();
      await mail.retryRefused(at + month);
      expect((await mail.state()).refused).toBe(1);
      await mail.retryRefused(at + minute);
      await mail.sent('refused', at + minute);
      // A visitor’s address that does not exist is no fault of the mail server.
      await queue('visitor-a', at);
      await mail.refused('visitor-a', { at, error: '550 No such mailbox' });
      expect(await mail.overdue(at + 9 * minute)).toBeUndefined();
      expect(await stores.webhooks.overdue(at + 9 * minute)).toBeUndefined();
    });

    it('a deferred address of a visitor makes no alert, unless the owner can mend it', async () => {
      const { mail } = stores;
      const overdueAfter = async (answer: string) => {
        const error = `EENVELOPE: Can't send mail - all recipients were rejected: ${answer}`;
        const dueAt = noon + 1;
        await mail.postponed('visitor-a', { dueAt, error, rejection: 'deferral' });
        return (await mail.overdue(noon + 5 * 60_000))?.count ?? 0;
      };
      await mail.queue(newEmail('visitor-a'), noon);
      expect((await mail.overdue(noon + 5 * 60_000))?.count).toBe(1);
      expect(await overdueAfter('450 4.1.2 <a@gmial.example>: Domain not found')).toBe(0);
      expect(await overdueAfter('454 4.7.1 <a@gmail.example>: Relay access denied')).toBe(1);
      expect(await overdueAfter('450 4.2.0 Greylisted')).toBe(0);
      await mail.queue(newEmail('b'), noon);
      expect(await mail.overdue(noon + 5 * 60_000)).toMatchObject({ count: 1, error: null });
      await mail.sent('b', noon);
      const away = { dueAt: noon + 1, error: 'ECONNREFUSED: connect' };
      await mail.postponed('visitor-a', away);
      expect((await mail.overdue(noon + 5 * 60_000))?.count).toBe(1);
    });

    it('nothing of a database with made-up data is sent', async () => {
      const { mail, webhooks } = stores;
      const claim = { now: noon, lease: 1, longestWait: 1 };
      const data = { kind: 'disk', text: 'The disk is full.' };
      await mail.queue(newEmail('a'), noon);
      await webhooks.queue({ id: 'b', at: noon, type: 'alert.raised', data }, noon);
      expect(await stores.isDemo()).toBe(false);
      await stores.markAsDemo();
      await stores.markAsDemo();
      expect(await stores.isDemo()).toBe(true);
      expect(await mail.claim(claim)).toBeUndefined();
      expect(await webhooks.claim(claim)).toBeUndefined();
      expect(await mail.overdue(noon + 60 * 60_000)).toBeUndefined();
    });

    it('failing contact message does not roll back others in the same commit', async () => {
      const results = await Promise.allSettled([
        stores.contact.add(message('same')),
        stores.contact.add(message('same')),
        stores.contact.add(message('other')),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
      ]);
      expect(await stores.contact.count()).toBe(2);
    });
  });

  describe('admin', () => {
    it('admin has no password until one is set', async () => {
      expect(await stores.auth.passwordHash()).toBeUndefined();
      await stores.auth.setPasswordHash('hash 1', noon);
      await stores.auth.setPasswordHash('hash 2', noon);
      await reopen();
      expect(await stores.auth.passwordHash()).toBe('hash 2');
    });

    it('admin session is found until it is removed', async () => {
      await stores.auth.setPasswordHash('hash', noon);
      expect(await stores.auth.addSession(session('id'), 'hash')).toBe(true);
      expect(await stores.auth.session('id')).toEqual(session('id'));
      await stores.auth.touchSession('id', noon + 1);
      expect(await stores.auth.session('id')).toEqual(session('id', { seenAt: noon + 1 }));
      await stores.auth.removeSession('id');
      expect(await stores.auth.session('id')).toBeUndefined();
    });

    it('new password ends all admin sessions', async () => {
      await stores.auth.setPasswordHash('old', noon);
      await stores.auth.addSession(session('id'), 'old');
      await stores.auth.setPasswordHash('new', noon + 1);
      expect(await stores.auth.session('id')).toBeUndefined();
      expect(await stores.auth.signedOutAt()).toBe(noon + 1);
    });

    it('admin sessions are listed by last use until all are ended', async () => {
      expect(await stores.auth.signedOutAt()).toBe(0);
      await stores.auth.setPasswordHash('hash', noon);
      await stores.auth.addSession(session('a', { browser: 'Safari on iPhone' }), 'hash');
      await stores.auth.addSession(session('b', { seenAt: noon + 1 }), 'hash');
      expect(await stores.auth.sessions()).toEqual([
        session('b', { seenAt: noon + 1 }),
        session('a', { browser: 'Safari on iPhone' }),
      ]);
      await stores.auth.signOutEverywhere(noon + 2);
      await reopen();
      expect(await stores.auth.sessions()).toEqual([]);
      expect(await stores.auth.signedOutAt()).toBe(noon + 2);
      expect(await stores.auth.passwordHash()).toBe('hash');
    });

    it('login with a replaced password starts no session', async () => {
      await stores.auth.setPasswordHash('new', noon);
      expect(await stores.auth.addSession(session('id'), 'old')).toBe(false);
      expect(await stores.auth.session('id')).toBeUndefined();
    });

    it.each([undefined, 'old'])(
      'only the first concurrent replacement of password %s succeeds',
      async (current) => {
        if (current) await stores.auth.setPasswordHash(current, noon);
        const replaced = await Promise.all(
          ['a', 'b'].map((hash) =>
            stores.auth.replacePasswordHash(current, hash, passwordSetBy('test', noon + 1)),
          ),
        );
        expect(replaced).toEqual([true, false]);
        expect(await stores.auth.passwordHash()).toBe('a');
        expect(await stores.auth.signedOutAt()).toBe(noon + 1);
      },
    );

    it('cleanup deletes stale sessions only', async () => {
      await stores.auth.setPasswordHash('hash', noon);
      const [oldest, idle] = [noon - 90 * day, noon - 30 * day];
      await stores.auth.addSession(session('old', { createdAt: oldest - 1 }), 'hash');
      await stores.auth.addSession(session('idle', { createdAt: idle, seenAt: idle - 1 }), 'hash');
      await stores.auth.addSession(session('good', { createdAt: oldest, seenAt: idle }), 'hash');
      await stores.auth.addSession(session('new'), 'hash');
      const found = await Promise.all(['old', 'idle', 'good'].map((id) => stores.auth.session(id)));
      expect(found.map((session) => session?.idHash)).toEqual([undefined, undefined, 'good']);
    });
  });

  describe('activity', () => {
    it('visitor counts once for each UTC day and kind of event', async () => {
      const { analytics } = stores;
      for (const at of [noon, noon + 1, noon + day])
        await analytics.addEvent(newEvent('page_view', at));
      await analytics.addEvent(newEvent('page_view', noon, 2));
      await analytics.addEvent(newEvent('cta_click', noon + 5));
      await analytics.addEvent(newEvent('cta_click', noon + 6));
      expect(await analytics.totals(always)).toEqual({
        pageViews: 3,
        ctaClicks: 1,
        checkoutOpens: 0,
        callsBooked: 0,
        conversions: 0,
        revenue: 0,
        refunded: 0,
        disputed: 0,
      });
    });

    it('click of a new visitor also counts as a view', async () => {
      await stores.analytics.addEvent(newEvent('cta_click', noon));
      await stores.analytics.addEvent(newEvent('checkout_open', noon, 2));
      await stores.analytics.addEvent(newEvent('page_view', noon + 1));
      expect(await stores.analytics.totals(always)).toMatchObject({
        pageViews: 1,
        ctaClicks: 1,
        checkoutOpens: 1,
      });
    });

    it.each(['checkout_open', 'call_booked'] as const)(
      '%s of a visitor without a page view counts once, with its own source and without a view',
      async (activity) => {
        const { analytics } = stores;
        const at = (ms: number, source: string | null, name: Activity = activity) =>
          analytics.addEvent({ ...newEvent(name, noon + ms), source });
        expect(await at(0, 'newsletter')).toBe(true);
        expect(await at(1, 'podcast')).toBe(false);
        expect(await analytics.isCounted(visitor(1), noon)).toBe(true);
        expect(await analytics.isCounted(visitor(2), noon)).toBe(false);
        const column = activity === 'checkout_open' ? 'checkoutOpens' : 'callsBooked';
        expect(await analytics.sources(always)).toMatchObject([
          { source: 'newsletter', pageViews: 0, [column]: 1 },
        ]);
        // A view that follows is one, from where it came.
        await at(2, 'instagram', 'page_view');
        await at(3, 'newsletter', 'cta_click');
        expect(await analytics.totals(always)).toMatchObject({
          pageViews: 1,
          ctaClicks: 1,
          [column]: 1,
        });
        const sources = await analytics.sources(always);
        expect(sources.find(({ source }) => source === 'instagram')).toMatchObject({
          pageViews: 1,
          ctaClicks: 1,
          [column]: 0,
        });
        expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
      },
    );

    it('a checkout takes the source of the page view, also of one in the same batch', async () => {
      const { analytics } = stores;
      const from = (source: string, activity: Activity, who: number) =>
        analytics.addEvent({ ...newEvent(activity, noon, who), source });
      await from('podcast', 'page_view', 1);
      await from('newsletter', 'checkout_open', 1);
      await Promise.all([
        from('newsletter', 'checkout_open', 2),
        from('podcast', 'page_view', 2),
        from('newsletter', 'call_booked', 3),
        from('podcast', 'cta_click', 3),
      ]);
      expect(await analytics.sources(always)).toMatchObject([
        { source: 'podcast', pageViews: 3, ctaClicks: 1, checkoutOpens: 2, callsBooked: 1 },
      ]);
    });

    it('no source has more clicks than views on a day, whatever visitors do', async () => {
      const { analytics } = stores;
      const visits = fc.array(
        fc.record({
          activity: fc.constantFrom(...activities),
          who: fc.integer({ min: 1, max: 5 }),
          source: fc.constantFrom(null, 'podcast', 'newsletter'),
          ms: fc.integer({ min: 0, max: 3 * day - 1 }),
          isAlone: fc.boolean(),
        }),
        { maxLength: 40 },
      );
      await fc.assert(
        fc.asyncProperty(visits, async (all) => {
          const sent: Promise<unknown>[] = [];
          for (const { activity, who, source, ms, isAlone } of all) {
            sent.push(
              analytics.addEvent({ ...newEvent(activity, noon - (noon % day) + ms, who), source }),
            );
            if (isAlone) await Promise.all(sent);
          }
          await Promise.all(sent);
        }),
        { numRuns: 20 },
      );
      const start = noon - (noon % day);
      for (let from = start; from < start + 3 * day; from += day) {
        for (const { pageViews, ctaClicks } of await analytics.sources({ from, to: from + day })) {
          expect(ctaClicks).toBeLessThanOrEqual(pageViews);
        }
      }
      expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
    });

    it('time windows include their start and exclude their end', async () => {
      await stores.analytics.addEvent(newEvent('page_view', noon));
      const views = async (from: number, to: number) =>
        (await stores.analytics.totals({ from, to })).pageViews;
      expect(await views(noon, noon + 1)).toBe(1);
      expect(await views(noon - 1, noon)).toBe(0);
      expect(await views(noon + 1, noon + day)).toBe(0);
      expect(await views(noon + 5, noon - 5)).toBe(0);
    });

    it('salt of the day is stored and earlier salts are deleted', async () => {
      const first = randomBytes(32);
      expect(await stores.analytics.salt(7, first)).toEqual(first);
      await reopen();
      expect(await stores.analytics.salt(7, randomBytes(32))).toEqual(first);
      await stores.analytics.deleteVisitorKeys(8);
      const second = randomBytes(32);
      expect(await stores.analytics.salt(7, second)).toEqual(second);
    });

    it('deleting visitor hashes keeps the counts and counts returning visitors as new', async () => {
      await stores.analytics.addEvent(newEvent('page_view', noon));
      await stores.analytics.deleteVisitorKeys(Math.floor(noon / day) + 1);
      expect(await stores.analytics.totals(always)).toMatchObject({ pageViews: 1 });
      await stores.analytics.addEvent(newEvent('page_view', noon));
      expect(await stores.analytics.totals(always)).toMatchObject({ pageViews: 2 });
    });
  });

  describe('sources', () => {
    const from = (
      source: string | null,
      activity: Activity,
      at: number,
      who: number,
    ): ActivityEvent => ({
      ...newEvent(activity, at, who),
      source,
    });
    const figures = async () =>
      (await stores.analytics.sources(always))
        .map(({ source, pageViews, ctaClicks, conversions, revenue }) =>
          [source, pageViews, ctaClicks, conversions, revenue].join(),
        )
        .sort();

    it('events of a day are attributed to the source of the first view', async () => {
      const { analytics } = stores;
      await analytics.addEvent(from('podcast', 'page_view', noon, 1));
      await analytics.addEvent(from('newsletter', 'page_view', noon + 1, 1));
      await analytics.addEvent(from('newsletter', 'cta_click', noon + 2, 1));
      await analytics.addEvent(from('newsletter', 'page_view', noon + day, 1));
      await Promise.all([
        analytics.addEvent(from(null, 'cta_click', noon + 2, 2)),
        analytics.addEvent(from('x', 'page_view', noon + 1, 2)),
      ]);
      expect(await figures()).toEqual(['newsletter,1,0,0,0', 'podcast,1,1,0,0', 'x,1,1,0,0']);
      expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
    });

    it('sales are attributed to their source in any spelling', async () => {
      await stores.sales.report(sale('a', { source: ' Instagram' }));
      await stores.sales.report(sale('b', { source: 'ig', refunded: 900 }));
      await stores.sales.report(sale('c', { currency: 'EUR' }));
      await stores.sales.report(sale('d', { source: 'podcast', refunded: 4900 }));
      expect(await figures()).toEqual([',0,0,1,0', 'instagram,0,0,2,8900', 'podcast,0,0,0,0']);
      await stores.sales.report(sale('a', { source: ' Instagram', refunded: 4900 }));
      expect(await figures()).toContain('instagram,0,0,1,4000');
    });

    it('new sources beyond a hundred a day count as other', async () => {
      const { analytics } = stores;
      // Sources from the owner and visitors counted before do not use up the limit.
      for (let n = 0; n < 60; n++) await stores.sales.report(sale(`a${n}`, { source: `own${n}` }));
      for (let n = 0; n < 60; n++)
        await analytics.addEvent(from(`again${n}`, 'page_view', noon, 9));
      for (let n = 0; n < 60; n++) await stores.sales.report(sale(`a${n}`, { refunded: 4900 }));
      const events = Array.from({ length: 250 }, (_, n) => ({
        ...from(`s${n}`, 'page_view', noon + n, 0),
        visitor: String(n).padStart(32, 'f'),
      }));
      await Promise.all(events.map((one) => analytics.addEvent(one)));
      const found = await analytics.sources(always);
      const strangers = found.filter(({ pageViews }) => pageViews > 0);
      expect(strangers).toHaveLength(101);
      expect(found.find(({ source }) => source === 'other')?.pageViews).toBe(151);
      await analytics.addEvent(from('s1', 'page_view', noon + day, 200));
      await analytics.addEvent(from('new', 'page_view', noon + day, 201));
      expect(await figures()).toContain('new,1,0,0,0');
    });
  });

  describe('excluded counts', () => {
    it('excluded counts are summed by reason over the hours of the window', async () => {
      const { analytics } = stores;
      await analytics.addExcludedCounts([
        { reason: 'bot', at: noon + 5, n: 3 },
        { reason: 'privacy', at: noon + 6, n: 1 },
      ]);
      await analytics.addExcludedCounts([{ reason: 'bot', at: noon + 7, n: 2 }]);
      await analytics.addExcludedCounts([{ reason: 'bot', at: noon - 1, n: 9 }]);
      const to = noon + day;
      expect(await analytics.excludedCounts({ from: noon + 30 * 60_000, to })).toEqual({
        bot: 5,
        privacy: 1,
      });
      expect(await analytics.excludedCounts({ from: noon - 1, to: noon })).toEqual({ bot: 9 });
    });
  });

  it('first and last view ignore earlier sales and future times', async () => {
    const { analytics } = stores;
    expect([await analytics.firstView(), await analytics.lastView(noon + day)]).toEqual([
      undefined,
      undefined,
    ]);
    await stores.sales.report(sale('a', { at: noon - day }));
    await analytics.addEvent(newEvent('cta_click', noon + 5));
    await analytics.addEvent(newEvent('page_view', noon + 90_000, 2));
    expect(await analytics.firstView()).toBe(noon);
    expect(await analytics.lastView(noon + day)).toBe(noon + 90_000);
    // Events dated in the future by a wrong clock do not count as the last view.
    expect(await analytics.lastView(noon + 6)).toBe(noon + 5);
  });

  it('attribution key stays the one stored first', async () => {
    const first = await stores.analytics.attributionKey();
    await reopen();
    expect(await stores.analytics.attributionKey()).toEqual(first);
  });

  describe('sales', () => {
    it('repeated sale counts once', async () => {
      expect(await stores.sales.report(sale('a'))).toBe('new');
      expect(await stores.sales.report(sale('a', { amount: 1 }))).toBe('known');
      expect(await stores.analytics.totals(always)).toMatchObject({
        conversions: 1,
        revenue: 4900,
      });
    });

    it('refund reduces the sale at its time and counts once', async () => {
      const { analytics } = stores;
      await stores.sales.report(sale('a'));
      await stores.sales.report(sale('b', { at: noon + day, refunded: 4900 }));
      await stores.sales.report(sale('c', { amount: 1000, disputed: 400 }));
      await stores.sales.report(sale('free', { at: noon + day, amount: 0 }));
      expect(await analytics.totals(always)).toMatchObject({
        conversions: 3,
        revenue: 5900,
        refunded: 4900,
        disputed: 400,
      });
      expect(await stores.sales.report(sale('a', { refunded: 900 }))).toBe('changed');
      expect(await stores.sales.report(sale('a', { refunded: 900 }))).toBe('known');
      expect(await stores.sales.report(sale('a', { refunded: 100 }))).toBe('known');
      expect(await analytics.totals({ from: noon, to: noon + 1 })).toMatchObject({
        conversions: 2,
        revenue: 5000,
        refunded: 900,
      });
      expect(await stores.sales.report(sale('a', { refunded: 9900 }))).toBe('changed');
      expect(await analytics.totals(always)).toMatchObject({ conversions: 2, revenue: 1000 });
      expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
    });

    it('sales in other currencies are summed by currency without refunds', async () => {
      const { analytics } = stores;
      await stores.sales.report(sale('usd'));
      await stores.sales.report(sale('e1', { currency: 'EUR', amount: 9900 }));
      await stores.sales.report(sale('e2', { currency: 'EUR', amount: 500, refunded: 500 }));
      await stores.sales.report(sale('e3', { currency: 'EUR', at: noon + day }));
      await stores.sales.report(sale('y', { currency: 'JPY', amount: 1200, refunded: 200 }));
      expect(await analytics.totals(always)).toMatchObject({ conversions: 4, revenue: 4900 });
      const { otherCurrencies } = await analytics.money({ from: noon, to: noon + day });
      expect(otherCurrencies).toEqual([
        { currency: 'EUR', conversions: 1, revenue: 9900, gross: 10_400 },
        { currency: 'JPY', conversions: 1, revenue: 1000, gross: 1200 },
      ]);
    });

    it('sales are listed newest first within the window', async () => {
      for (const n of [1, 3, 2]) await stores.sales.report(sale(`s${n}`, { at: noon + n }));
      const list = await stores.analytics.sales({ from: noon + 2, to: noon + 9 }, { limit: 5 });
      expect(list).toEqual([sale('s3', { at: noon + 3 }), sale('s2', { at: noon + 2 })]);
    });
  });

  it('pruning old events changes no figure', async () => {
    const { analytics } = stores;
    const events = Array.from({ length: 2400 }, (_, n) => ({
      activity: activities[n % 4] ?? 'page_view',
      button: null,
      source: n % 3 ? 'podcast' : null,
      at: noon - 300 * day + n * 15_000_000,
    }));
    await analytics.importEvents(events);
    await stores.sales.report(sale('a', { at: noon - 299 * day }));
    const windows = [7, 90, 180, 290, 400].map((days) => ({ from: noon - days * day, to: noon }));
    const figures = async () => ({
      totals: await analytics.totalsOfEach(windows),
      sources: await Promise.all(windows.map((window) => analytics.sources(window))),
      first: await analytics.firstView(),
    });
    const before = await figures();
    const horizon = Math.floor(noon / day) - 200;
    const old = events.filter(({ at }) => at < horizon * day);
    expect(await analytics.prune(horizon)).toBe(old.length);
    expect(await figures()).toEqual(before);
    expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
    expect((await rawFigures(analytics)).totals(always).pageViews).toBe(
      events.filter(({ activity, at }) => activity === 'page_view' && at >= horizon * day).length,
    );
    expect(await analytics.prune(horizon - 5)).toBe(0);
    // A clock that is years ahead deletes no new events.
    const stored = (await rawFigures(analytics)).totals(always);
    await analytics.prune(horizon + 4000);
    const newest = Math.max(...events.map(({ at }) => at));
    const left = await rawFigures(analytics);
    expect(left.totals({ from: newest - 199 * day, to: newest + 1 })).toMatchObject({
      pageViews: events.filter(
        ({ activity, at }) => activity === 'page_view' && at >= newest - 199 * day,
      ).length,
    });
    expect(stored.pageViews).toBeGreaterThan(0);
    expect(await analytics.isEmpty()).toBe(false);
  });
});
