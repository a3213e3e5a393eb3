/** What every engine must do, word for word the same. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Activity,
  type ActivityEvent,
  activities,
  type Conversion,
} from '../analytics/store.ts';
import type { AdminSession } from '../auth/store.ts';
import type { ContactMessage, StoredMessage } from '../contact/store.ts';
import { engines, freshStores } from '../testing/engines.ts';

const noon = Date.UTC(2026, 2, 10, 12);
const day = 24 * 60 * 60_000;
const always = { from: 0, to: noon + 1000 * day };

const visitor = (n: number) => n.toString(16).padStart(32, '0');
const mark = (activity: Activity, at: number, who = 1): ActivityEvent => ({
  activity,
  control: activity === 'cta_click' ? 'hero' : null,
  source: null,
  visitor: visitor(who),
  at,
});
const sale = (id: string, change: Partial<Conversion> = {}): Conversion => ({
  id,
  at: noon,
  amount: 4900,
  refunded: 0,
  disputed: 0,
  currency: 'USD',
  email: null,
  source: null,
  firstSource: null,
  control: null,
  ...change,
});
const session = (idHash: string, change: Partial<AdminSession> = {}): AdminSession => ({
  idHash,
  createdAt: noon,
  seenAt: noon,
  browser: 'Firefox on Linux',
  ...change,
});
const message = (id: string, change: Partial<ContactMessage> = {}): ContactMessage => ({
  id,
  receivedAt: noon,
  name: 'Ada',
  email: 'ada@example.com',
  company: null,
  message: 'Hello',
  ...change,
});

const letter = (id: string) => ({ id, subject: 'Hello', text: 'Hello', html: 'Hello' });

describe.each(engines)('$name', (engine) => {
  const { stores, reopen } = freshStores(engine);

  describe('contact messages', () => {
    it('are kept as they came, over a restart', async () => {
      const text = 'Zeile 1\r\nZeile 2 \u{1F6A2} "quoted" \'; DROP TABLE contact_message; --\t?';
      await stores.contact.add(message('a', { message: text, company: 'Müller & Söhne' }));
      await reopen();
      expect(await stores.contact.list({ limit: 10 })).toEqual([
        {
          ...message('a', { message: text, company: 'Müller & Söhne' }),
          folder: 'inbox',
          isRead: false,
          suspicions: [],
          delivery: undefined,
        },
      ]);
    });

    it('keep numbers in text as text', async () => {
      await stores.contact.add(message('5', { name: '5', message: '007' }));
      const [kept] = await stores.contact.list({ limit: 1 });
      expect(kept).toMatchObject({ id: '5', name: '5', message: '007' });
    });

    it('have no length limit', async () => {
      const long = 'x'.repeat(200_000);
      await stores.contact.add(message('long', { message: long }));
      const [kept] = await stores.contact.list({ limit: 1 });
      expect(kept?.message).toHaveLength(200_000);
    });

    it('are listed newest first, as many as asked for', async () => {
      for (const n of [2, 0, 1])
        await stores.contact.add(message(`m${n}`, { receivedAt: noon + n }));
      const list = await stores.contact.list({ limit: 2 });
      expect(list.map(({ id }) => id)).toEqual(['m2', 'm1']);
      expect(await stores.contact.count()).toBe(3);
    });

    const names = (list: { id: string }[]) => list.map(({ id }) => id).join(' ');

    it('sent twice from one draft are one, with one letter, also at once and after a restart', async () => {
      const keep = (id: string, draft: string) =>
        stores.contact.add(message(id), { idempotencyKey: draft, email: letter(`contact-${id}`) });
      const kept = await Promise.all(['a', 'b', 'c'].map((id) => keep(id, 'draft')));
      expect(kept.filter(Boolean)).toHaveLength(1);
      await reopen();
      expect(await keep('d', 'draft')).toBe(false);
      expect(await keep('e', 'other')).toBe(true);
      expect(await stores.contact.count()).toBe(2);
      expect((await stores.mail.state()).waiting).toBe(2);
    });

    it('are in the inbox unread, or in the spam folder, and are put elsewhere', async () => {
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
      // Why it was suspected once is remembered.
      expect(names(await contact.list({ limit: 5, folder: 'inbox' }))).toBe('b');
      expect(await contact.count()).toBe(2);
    });

    it('are paged with what is unread first, each once, whatever the length of a page', async () => {
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
          found.push(...page);
          if (page.length < limit) break;
        }
        expect(names(found)).toBe(expected);
      }
      expect(await contact.page({ folder: 'spam', limit: 5 })).toEqual([]);
    });

    it('are found by words in any field, and the signs of a pattern are plain text', async () => {
      const { contact } = stores;
      await contact.add(message('a', { name: 'Zoe 100%' }));
      await contact.add(message('b', { email: 'zoe@example.com', company: 'A_B \\ C' }));
      await contact.add(message('c', { message: 'so 100 times?' }));
      const found = async (search: string) =>
        names(await contact.page({ folder: 'inbox', limit: 9, search }))
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

    it('say what became of their letters', async () => {
      const { contact, mail } = stores;
      for (const id of ['sent', 'put-off', 'refused', 'new']) {
        await contact.add(message(id), { email: letter(`contact-${id}`) });
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

    it('are all read for a file, the oldest first', async () => {
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

    it('in the spam folder are told of once, in one letter, unless somebody has seen them', async () => {
      const { contact, mail } = stores;
      const told: string[] = [];
      const tell = (id: string) =>
        contact.reportSpam(noon, (newest, all) => {
          told.push(`${id}: ${names(newest)} of ${all}`);
          return letter(id);
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
      // A letter of that name is on its way already: the rest is told of in the next one.
      expect(await tell('one')).toBe(false);
      expect(await tell('three')).toBe(true);
      expect([...new Set(told)]).toEqual(['one: b a of 2', 'one: c of 1', 'three: c of 1']);
      expect((await mail.state()).waiting).toBe(2);
      const [a] = await contact.list({ limit: 9, folder: 'spam' });
      expect(a?.delivery?.state).toBe('waiting');
    });

    it('that are rehearsed leave a letter and nothing else', async () => {
      const { contact, mail } = stores;
      expect(await contact.addTest(message('test'), letter('test-1'))).toBe(true);
      expect(await contact.addTest(message('test'), letter('test-1'))).toBe(false);
      expect(await contact.count()).toBe(0);
      expect((await mail.state()).waiting).toBe(1);
      expect(await mail.waitingTest()).toEqual({ queuedAt: noon, error: null });
      await mail.sent('test-1', noon + 9);
      expect(await mail.waitingTest()).toBeUndefined();
      await contact.addTest(message('test'), letter('dry-2'));
      await mail.sent('dry-2', noon + 90);
      // Only what was really sent counts.
      expect(await mail.lastSent()).toBe(noon + 9);
    });

    it('written at once are all kept', async () => {
      await Promise.all(
        Array.from({ length: 300 }, (_, n) => stores.contact.add(message(`m${n}`))),
      );
      expect(await stores.contact.count()).toBe(300);
    });

    it('that fail do not take their neighbours with them', async () => {
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

  describe('the admin', () => {
    it('has no password at first, then the one that was set', async () => {
      expect(await stores.auth.passwordHash()).toBeUndefined();
      await stores.auth.setPasswordHash('hash 1', noon);
      await stores.auth.setPasswordHash('hash 2', noon);
      await reopen();
      expect(await stores.auth.passwordHash()).toBe('hash 2');
    });

    it('has sessions that are found until they are removed', async () => {
      await stores.auth.setPasswordHash('hash', noon);
      expect(await stores.auth.addSession(session('id'), 'hash')).toBe(true);
      expect(await stores.auth.session('id')).toEqual(session('id'));
      await stores.auth.touchSession('id', noon + 1);
      expect(await stores.auth.session('id')).toEqual(session('id', { seenAt: noon + 1 }));
      await stores.auth.removeSession('id');
      expect(await stores.auth.session('id')).toBeUndefined();
    });

    it('loses every session with a new password', async () => {
      await stores.auth.setPasswordHash('old', noon);
      await stores.auth.addSession(session('id'), 'old');
      await stores.auth.setPasswordHash('new', noon + 1);
      expect(await stores.auth.session('id')).toBeUndefined();
      expect(await stores.auth.signedOutAt()).toBe(noon + 1);
    });

    it('lists sessions, the one seen last first, until all are ended', async () => {
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

    it('starts no session for a password that is not the password any more', async () => {
      await stores.auth.setPasswordHash('new', noon);
      expect(await stores.auth.addSession(session('id'), 'old')).toBe(false);
      expect(await stores.auth.session('id')).toBeUndefined();
    });

    it.each([undefined, 'old'])('of those who replace %s, only the first does', async (current) => {
      if (current) await stores.auth.setPasswordHash(current, noon);
      const replaced = await Promise.all(
        ['a', 'b'].map((hash) => stores.auth.replacePasswordHash(current, hash, noon + 1)),
      );
      expect(replaced).toEqual([true, false]);
      expect(await stores.auth.passwordHash()).toBe('a');
      expect(await stores.auth.signedOutAt()).toBe(noon + 1);
    });

    it('loses stale sessions only', async () => {
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
    it('counts a visitor once a UTC day and kind', async () => {
      const { analytics } = stores;
      for (const at of [noon, noon + 1, noon + day])
        await analytics.addEvent(mark('page_view', at));
      await analytics.addEvent(mark('page_view', noon, 2));
      await analytics.addEvent(mark('cta_click', noon + 5));
      await analytics.addEvent(mark('cta_click', noon + 6));
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

    it('counts the view of a visitor who is first seen clicking', async () => {
      await stores.analytics.addEvent(mark('cta_click', noon));
      await stores.analytics.addEvent(mark('checkout_open', noon, 2));
      await stores.analytics.addEvent(mark('page_view', noon + 1));
      expect(await stores.analytics.totals(always)).toMatchObject({
        pageViews: 2,
        ctaClicks: 1,
        checkoutOpens: 1,
      });
    });

    it('counts its first moment, not its last: windows are half open', async () => {
      await stores.analytics.addEvent(mark('page_view', noon));
      const views = async (from: number, to: number) =>
        (await stores.analytics.totals({ from, to })).pageViews;
      expect(await views(noon, noon + 1)).toBe(1);
      expect(await views(noon - 1, noon)).toBe(0);
      expect(await views(noon + 1, noon + day)).toBe(0);
      expect(await views(noon + 5, noon - 5)).toBe(0);
    });

    it('keeps the day’s secret, and deletes the days before', async () => {
      const first = randomBytes(32);
      expect(await stores.analytics.salt(7, first)).toEqual(first);
      await reopen();
      expect(await stores.analytics.salt(7, randomBytes(32))).toEqual(first);
      await stores.analytics.forgetVisitors(8);
      const second = randomBytes(32);
      expect(await stores.analytics.salt(7, second)).toEqual(second);
    });

    it('keeps its counts when visitors are forgotten, and does not know them again', async () => {
      await stores.analytics.addEvent(mark('page_view', noon));
      await stores.analytics.forgetVisitors(Math.floor(noon / day) + 1);
      expect(await stores.analytics.totals(always)).toMatchObject({ pageViews: 1 });
      await stores.analytics.addEvent(mark('page_view', noon));
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
      ...mark(activity, at, who),
      source,
    });
    const figures = async () =>
      (await stores.analytics.sources(always))
        .map(({ source, pageViews, ctaClicks, conversions, revenue }) =>
          [source, pageViews, ctaClicks, conversions, revenue].join(),
        )
        .sort();

    it('are those of the first view of the day, for all that the visitor does that day', async () => {
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

    it('have the sales that name them, however they are written', async () => {
      const { analytics } = stores;
      await analytics.addConversion(sale('a', { source: ' Instagram' }));
      await analytics.addConversion(sale('b', { source: 'ig', refunded: 900 }));
      await analytics.addConversion(sale('c', { currency: 'EUR' }));
      await analytics.addConversion(sale('d', { source: 'podcast', refunded: 4900 }));
      expect(await figures()).toEqual([',0,0,1,0', 'instagram,0,0,2,8900', 'podcast,0,0,0,0']);
      await analytics.addConversion(sale('a', { source: ' Instagram', refunded: 4900 }));
      expect(await figures()).toContain('instagram,0,0,1,4000');
      expect(await analytics.recountSources(always)).toEqual(await analytics.sources(always));
    });

    it('that strangers bring are a hundred a day; the others are one', async () => {
      const { analytics } = stores;
      // The owner's own use up nothing, and nor does who was counted already.
      for (let n = 0; n < 60; n++)
        await analytics.addConversion(sale(`a${n}`, { source: `own${n}` }));
      for (let n = 0; n < 60; n++)
        await analytics.addEvent(from(`again${n}`, 'page_view', noon, 9));
      for (let n = 0; n < 60; n++) await analytics.addConversion(sale(`a${n}`, { refunded: 4900 }));
      const marks = Array.from({ length: 250 }, (_, n) => ({
        ...from(`s${n}`, 'page_view', noon + n, 0),
        visitor: String(n).padStart(32, 'f'),
      }));
      await Promise.all(marks.map((one) => analytics.addEvent(one)));
      const found = await analytics.sources(always);
      const strangers = found.filter(({ pageViews }) => pageViews > 0);
      expect(strangers).toHaveLength(101);
      expect(found.find(({ source }) => source === 'other')?.pageViews).toBe(151);
      await analytics.addEvent(from('s1', 'page_view', noon + day, 200));
      await analytics.addEvent(from('new', 'page_view', noon + day, 201));
      expect(await figures()).toContain('new,1,0,0,0');
    });
  });

  describe('what was not counted', () => {
    it('is summed by reason, in the hours that the window touches', async () => {
      const { analytics } = stores;
      await analytics.addUncounted([
        { reason: 'bot', at: noon + 5, n: 3 },
        { reason: 'privacy', at: noon + 6, n: 1 },
      ]);
      await analytics.addUncounted([{ reason: 'bot', at: noon + 7, n: 2 }]);
      await analytics.addUncounted([{ reason: 'bot', at: noon - 1, n: 9 }]);
      const to = noon + day;
      expect(await analytics.uncounted({ from: noon + 30 * 60_000, to })).toEqual({
        bot: 5,
        privacy: 1,
      });
      expect(await analytics.uncounted({ from: noon - 1, to: noon })).toEqual({ bot: 9 });
    });
  });

  it('knows when the first and the last visitor came, whatever was sold before', async () => {
    const { analytics } = stores;
    expect([await analytics.firstView(), await analytics.lastView(noon + day)]).toEqual([
      undefined,
      undefined,
    ]);
    await analytics.addConversion(sale('a', { at: noon - day }));
    await analytics.addEvent(mark('cta_click', noon + 5));
    await analytics.addEvent(mark('page_view', noon + 90_000, 2));
    expect(await analytics.firstView()).toBe(noon);
    expect(await analytics.lastView(noon + day)).toBe(noon + 90_000);
    // What a clock that was ahead has dated is not the last.
    expect(await analytics.lastView(noon + 6)).toBe(noon + 5);
  });

  it('keeps the first key that signs where buyers come from', async () => {
    const first = randomBytes(32);
    expect(await stores.analytics.attributionKey(first)).toEqual(first);
    await reopen();
    expect(await stores.analytics.attributionKey(randomBytes(32))).toEqual(first);
  });

  describe('sales', () => {
    it('count once each, whatever is repeated', async () => {
      expect(await stores.analytics.addConversion(sale('a'))).toBe('new');
      expect(await stores.analytics.addConversion(sale('a', { amount: 1 }))).toBe('known');
      expect(await stores.analytics.totals(always)).toMatchObject({
        conversions: 1,
        revenue: 4900,
      });
    });

    it('lose what is given back, at the time of the sale, and none twice', async () => {
      const { analytics } = stores;
      await analytics.addConversion(sale('a'));
      await analytics.addConversion(sale('b', { at: noon + day, refunded: 4900 }));
      await analytics.addConversion(sale('c', { amount: 1000, disputed: 400 }));
      expect(await analytics.totals(always)).toMatchObject({
        conversions: 2,
        revenue: 5900,
        refunded: 4900,
        disputed: 400,
      });
      expect(await analytics.addConversion(sale('a', { refunded: 900 }))).toBe('refund');
      expect(await analytics.addConversion(sale('a', { refunded: 900 }))).toBe('known');
      expect(await analytics.addConversion(sale('a', { refunded: 100 }))).toBe('known');
      expect(await analytics.totals({ from: noon, to: noon + 1 })).toMatchObject({
        conversions: 2,
        revenue: 5000,
        refunded: 900,
      });
      expect(await analytics.addConversion(sale('a', { refunded: 9900 }))).toBe('refund');
      expect(await analytics.totals(always)).toMatchObject({ conversions: 1, revenue: 1000 });
      expect(await analytics.totals(always)).toEqual(await analytics.recount(always));
      expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
    });

    it('that cost nothing are sales', async () => {
      await stores.analytics.addConversion(sale('free', { amount: 0 }));
      expect(await stores.analytics.totals(always)).toMatchObject({ conversions: 1, revenue: 0 });
    });

    it('in other currencies are counted, and never summed into dollars', async () => {
      await stores.analytics.addConversion(sale('usd'));
      await stores.analytics.addConversion(sale('eur', { currency: 'EUR', amount: 9900 }));
      expect(await stores.analytics.totals(always)).toMatchObject({
        conversions: 2,
        revenue: 4900,
      });
    });

    it('in other currencies are summed by currency, without what was given back', async () => {
      const { analytics } = stores;
      await analytics.addConversion(sale('usd'));
      await analytics.addConversion(sale('e1', { currency: 'EUR', amount: 9900 }));
      await analytics.addConversion(sale('e2', { currency: 'EUR', amount: 500, refunded: 500 }));
      await analytics.addConversion(sale('e3', { currency: 'EUR', at: noon + day }));
      await analytics.addConversion(sale('y', { currency: 'JPY', amount: 1200, refunded: 200 }));
      expect(await analytics.otherCurrencies({ from: noon, to: noon + day })).toEqual([
        { currency: 'EUR', conversions: 1, revenue: 9900 },
        { currency: 'JPY', conversions: 1, revenue: 1000 },
      ]);
    });

    it('are listed newest first within the window', async () => {
      for (const n of [1, 3, 2])
        await stores.analytics.addConversion(sale(`s${n}`, { at: noon + n }));
      const list = await stores.analytics.conversions(
        { from: noon + 2, to: noon + 9 },
        { limit: 5 },
      );
      expect(list).toEqual([sale('s3', { at: noon + 3 }), sale('s2', { at: noon + 2 })]);
    });
  });

  it('lets old marks go without a change to any figure', async () => {
    const { analytics } = stores;
    const marks = Array.from({ length: 2400 }, (_, n) => ({
      activity: activities[n % 4] ?? 'page_view',
      control: null,
      source: n % 3 ? 'podcast' : null,
      at: noon - 300 * day + n * 15_000_000,
    }));
    await analytics.importEvents(marks);
    await analytics.addConversion(sale('a', { at: noon - 299 * day }));
    const windows = [7, 90, 180, 290, 400].map((days) => ({ from: noon - days * day, to: noon }));
    const figures = async () => ({
      totals: await analytics.totalsOfEach(windows),
      sources: await Promise.all(windows.map(analytics.sources)),
      first: await analytics.firstView(),
    });
    const before = await figures();
    const horizon = Math.floor(noon / day) - 200;
    const old = marks.filter(({ at }) => at < horizon * day);
    expect(await analytics.prune(horizon)).toBe(old.length);
    expect(await figures()).toEqual(before);
    expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
    expect((await analytics.recount(always)).pageViews).toBe(
      marks.filter(({ activity, at }) => activity === 'page_view' && at >= horizon * day).length,
    );
    expect(await analytics.prune(horizon - 5)).toBe(0);
    // A clock that is years ahead deletes nothing new.
    const kept = await analytics.recount(always);
    await analytics.prune(horizon + 4000);
    const newest = Math.max(...marks.map(({ at }) => at));
    expect(await analytics.recount({ from: newest - 199 * day, to: newest + 1 })).toMatchObject({
      pageViews: marks.filter(
        ({ activity, at }) => activity === 'page_view' && at >= newest - 199 * day,
      ).length,
    });
    expect(kept.pageViews).toBeGreaterThan(0);
    expect(await analytics.isEmpty()).toBe(false);
  });

  it('counts any window exactly as the rows do', async () => {
    const moments = fc.integer({ min: noon - 3 * day, max: noon + 3 * day });
    const activity = fc.constantFrom(...activities);
    const source = fc.constantFrom(null, 'x', 'podcast', 'newsletter');
    const marks = fc.sample(fc.tuple(activity, moments, fc.integer({ min: 0, max: 40 }), source), {
      numRuns: 400,
      seed: 1,
    });
    await Promise.all(
      marks.map(([kind, at, who, source]) =>
        stores.analytics.addEvent({ ...mark(kind, at, who), source }),
      ),
    );
    const sales = fc.sample(moments, { numRuns: 40, seed: 2 });
    const parts = [
      {},
      { refunded: 4900, source: 'podcast' },
      { refunded: 900, source: 'Facebook' },
      { disputed: 4000, source: 'x' },
    ];
    await Promise.all(
      sales.map((at, n) =>
        stores.analytics.addConversion(sale(`s${n}`, { at, ...parts[n % parts.length] })),
      ),
    );

    await fc.assert(
      fc.asyncProperty(moments, moments, async (a, b) => {
        const window = { from: Math.min(a, b), to: Math.max(a, b) };
        const totals = await stores.analytics.totals(window);
        expect(totals).toEqual(await stores.analytics.recount(window));
        const sources = await stores.analytics.sources(window);
        expect(sources).toEqual(await stores.analytics.recountSources(window));
        for (const name of Object.keys(totals) as (keyof typeof totals)[]) {
          expect(sources.reduce((sum, one) => sum + one[name], 0)).toBe(totals[name]);
        }
        const middle = Math.floor((window.from + window.to) / 2);
        const halves = [
          { ...window, to: middle },
          { ...window, from: middle },
        ];
        expect(await stores.analytics.totalsOfEach([...halves, window])).toEqual([
          ...(await Promise.all(halves.map(stores.analytics.recount))),
          totals,
        ]);
      }),
      { numRuns: process.env.TEST_LONG ? 100 : 20 },
    );
  });
});
