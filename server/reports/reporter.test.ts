import { describe, expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import { rendered } from '../testing/email.ts';
import { engines, freshStores } from '../testing/engines.ts';
import { sampleSale } from '../testing/sale.ts';
import { report } from './reporter.ts';
import { lastWeek } from './weekly.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
/** The owner's time zone, far from that of the machine. */
const timeZone = 'Pacific/Auckland';
/** Monday at nine there, still Sunday in UTC. */
const monday = Date.UTC(2026, 2, 8, 20);

describe.each(engines)('$name', (engine) => {
  const { stores } = freshStores(engine);

  /** Emails that the reporter queues at a time. */
  async function emailsAt(now: number, address?: string, analytics = stores.analytics) {
    const wake = vi.fn();
    await report({
      analytics,
      outbox: stores.mail,
      outboxWorker: { wake },
      timeZone,
      address,
      now: () => now,
      log: createLog('silent', { pretty: false }),
    });
    const emails = [];
    for (;;) {
      const options = { now, lease: day * 365, longestWait: day * 3650 };
      const email = rendered(await stores.mail.claim(options));
      if (!email) break;
      emails.push(email);
    }
    expect(wake).toHaveBeenCalledTimes(emails.length);
    return emails;
  }
  /** So many visits, evenly between two moments. */
  const visits = (n: number, from: number, to: number, source: string | null = null) =>
    stores.analytics.importEvents(
      Array.from({ length: n }, (_, i) => ({
        activity: 'page_view' as const,
        button: null,
        source,
        at: Math.floor(from + ((to - from) * i) / n),
      })),
    );
  const sale = (id: string, at: number) =>
    stores.sales.report(sampleSale({ id, at, refunded: 700, source: 'podcast' }));

  describe('the week', () => {
    it('the weekly report is sent once, on Monday from seven, with the week before', async () => {
      const { week, before } = lastWeek(monday, timeZone);
      await visits(1, before.from, before.to);
      await visits(1200, before.from + hour, week.from, 'newsletter');
      await visits(1500, week.from, week.to, 'newsletter');
      await sale('a', week.from);
      await sale('b', week.to);
      expect(await emailsAt(monday - 3 * hour)).toEqual([]);
      const [email, ...others] = await emailsAt(monday, 'https://www.my-domain.com');
      expect(others).toEqual([]);
      expect(email).toMatchObject({
        id: 'week-2026-03-02',
        subject: 'Your week: 1 conversion, 1,500 page views',
      });
      expect(email?.text).toBe(
        [
          'Your week, March 2 to March 8',
          '',
          'Page Views: 1,500 (1,201 the week before)',
          'CTA Clicks: 0 (0 the week before)',
          'Conversions: 1 (0 the week before)',
          'Revenue: $90.00 ($0.00 the week before)',
          'Booked calls: 0 (0 the week before)',
          '',
          'Sources',
          '',
          'podcast: 0 visits, 1 conversion, $90.00',
          'newsletter: 1,500 visits, 0 conversions, $0.00',
          '',
          'Open the dashboard: https://www.my-domain.com/analytics',
        ].join('\n'),
      );
      expect(email?.html).toContain('>1,500</strong>');
      expect(email?.html).toContain('href="https://www.my-domain.com/analytics"');
      expect(await emailsAt(monday + hour)).toEqual([]);
      expect(await emailsAt(monday + 2 * day)).toEqual([]);
    });

    it('the weekly report lists five sources and says how many others there are', async () => {
      const { week } = lastWeek(monday, timeZone);
      for (const n of [1, 2, 3, 4, 5, 6, 7]) await visits(10 * n, week.from, week.to, `site-${n}`);
      const [email] = await emailsAt(monday);
      expect(email?.text).toContain(
        'site-3: 30 visits, 0 conversions, $0.00\n2 other sources on the dashboard',
      );
    });

    it("the weekly report sums the owner's currency and lists the others with their sales", async () => {
      const { week } = lastWeek(monday, timeZone);
      await stores.analytics.setCurrency('EUR');
      await sale('a', week.from);
      const [email] = await emailsAt(monday);
      expect(email?.text).toContain('Revenue in USD: $90.00 (1 conversion)');
      expect(email?.text).toContain('podcast: 0 visits, 1 conversion, €0.00');
    });

    it('the weekly report is in one currency while another instance changes it', async () => {
      const { week } = lastWeek(monday, timeZone);
      await sale('a', week.from);
      let last: Promise<unknown> = Promise.resolve();
      let changes = 0;
      // One call after the other, with a change after each.
      const changing = new Proxy(stores.analytics, {
        get:
          (analytics, name) =>
          (...args: unknown[]) => {
            last = last.then(async () => {
              const result = await Reflect.get(analytics, name)(...args);
              changes += 1;
              await stores.analytics.setCurrency(changes % 2 === 1 ? 'EUR' : 'USD');
              return result;
            });
            return last;
          },
      });
      const [email] = await emailsAt(monday, undefined, changing);
      expect(email?.text).toMatch(/^Revenue: (\$90\.00|€0\.00)$/m);
      const isEuro = email?.text.includes('€') ?? false;
      expect(email?.text.includes('Revenue in USD: $90.00')).toBe(isEuro);
    });

    it('the weekly report is sent late after downtime and omits weeks before the first visit', async () => {
      expect(await emailsAt(monday)).toEqual([]);
      await visits(1, monday - 2 * day, monday);
      const [email] = await emailsAt(monday + 3 * day);
      expect(email?.text).toContain('Page Views: 1\n');
      expect(email?.text).not.toContain('the week before');
    });
  });

  describe('silence', () => {
    const noon = monday + 27 * hour;

    it('silence is reported once when it is unusually long', async () => {
      await visits(28 * 24 * 4, noon - 28 * day - hour, noon);
      await emailsAt(noon);
      expect(await emailsAt(noon + 2 * hour)).toEqual([]);
      const [email] = await emailsAt(noon + 5 * hour, 'https://www.my-domain.com');
      expect(email?.subject).toBe('Your site has gone quiet');
      expect(email?.text).toMatch(/^No page views since .*\n\nIn these hours .* 2\d page views/);
      expect(email?.text).toContain('https://www.my-domain.com');
      expect(await emailsAt(noon + 6 * hour)).toEqual([]);
      await visits(1, noon + 7 * hour, noon + 8 * hour);
      expect(await emailsAt(noon + 14 * hour)).toHaveLength(1);
    });

    it('silence is usual over the holidays, and no future event or outage hides it', async () => {
      await visits(30 * 24 * 10, noon - 32 * day, noon - 2 * day);
      await visits(48, noon - 2 * day, noon);
      await emailsAt(noon);
      expect(await emailsAt(noon + 8 * hour)).toEqual([]);
      await visits(48 * 9, noon - 2 * day, noon);
      await visits(1, noon + 300 * day, noon + 301 * day);
      expect(await emailsAt(noon + 8 * hour)).toHaveLength(1);
    });

    it('silence is usual on a site with few visitors and at a quiet hour', async () => {
      await visits(56, noon - 28 * day, noon);
      await emailsAt(noon);
      expect(await emailsAt(noon + day)).toEqual([]);
      for (let n = 0; n < 29; n++) {
        // Only in the morning.
        await visits(50, noon - n * day - 3 * hour, noon - n * day);
      }
      expect(await emailsAt(noon + 18 * hour)).toEqual([]);
    });
  });
});

it.each(['UTC', 'America/New_York', 'Africa/Cairo', 'America/Santiago', 'Pacific/Auckland'])(
  'a week lasts from Monday to Monday, also with daylight saving: %s',
  (zone) => {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'long' });
    const weekday = (at: number) => format.format(at);
    for (let at = monday; at < monday + 400 * day; at += 7 * hour) {
      const { week, before } = lastWeek(at, zone);
      expect(before.to).toBe(week.from);
      expect(week.to).toBeLessThanOrEqual(at);
      expect(at - week.to).toBeLessThan(7 * day + hour);
      for (const moment of [before.from, week.from, week.to]) {
        // Compares weekdays, since midnight can be skipped.
        expect(weekday(moment)).toBe('Monday');
        expect(weekday(moment - 1)).toBe('Sunday');
      }
    }
  },
);
