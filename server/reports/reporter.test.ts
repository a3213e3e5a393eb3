import { describe, expect, it, vi } from 'vitest';
import type { ClaimedEmail } from '../email/store.ts';
import { createLog } from '../log.ts';
import { engines, freshStores } from '../testing/engines.ts';
import { report } from './reporter.ts';
import { lastWeek } from './weekly.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
/** Monday at nine, on this machine's clocks. */
const monday = new Date(2026, 2, 9, 9).getTime();

describe.each(engines)('$name', (engine) => {
  const { stores } = freshStores(engine);

  /** What the owner is told at a moment. */
  async function told(now: number, address?: string) {
    const wake = vi.fn();
    await report({
      analytics: stores.analytics,
      outbox: stores.mail,
      outboxWorker: { wake },
      address,
      now: () => now,
      log: createLog('silent', { pretty: false }),
    });
    const letters: ClaimedEmail[] = [];
    for (;;) {
      const letter = await stores.mail.claim({ now, lease: day * 365, longestWait: day * 3650 });
      if (!letter) break;
      letters.push(letter);
    }
    expect(wake).toHaveBeenCalledTimes(letters.length);
    return letters;
  }
  /** So many visits, evenly between two moments. */
  const visits = (n: number, from: number, to: number, source: string | null = null) =>
    stores.analytics.importEvents(
      Array.from({ length: n }, (_, i) => ({
        activity: 'page_view' as const,
        control: null,
        source,
        at: Math.floor(from + ((to - from) * i) / n),
      })),
    );
  const sale = (id: string, at: number) =>
    stores.analytics.addConversion({
      id,
      at,
      amount: 9700,
      refunded: 700,
      disputed: 0,
      currency: 'USD',
      email: null,
      source: 'podcast',
      firstSource: null,
      control: null,
    });

  describe('the week', () => {
    it('is told on Monday from seven, once, beside the week before', async () => {
      const { week, before } = lastWeek(monday);
      await visits(1, before.from, before.to);
      await visits(1200, before.from + hour, week.from, 'newsletter');
      await visits(1500, week.from, week.to, 'newsletter');
      await sale('a', week.from);
      await sale('b', week.to);
      expect(await told(monday - 3 * hour)).toEqual([]);
      const [letter, ...others] = await told(monday, 'https://www.my-domain.com');
      expect(others).toEqual([]);
      expect(letter).toMatchObject({
        id: 'week-2026-03-02',
        subject: 'Your week: 1 sale, 1,500 visits',
      });
      expect(letter?.text).toBe(
        [
          'Your week, March 2 to March 8.',
          '',
          'Visits: 1,500 (1,201 the week before)',
          'Clicks on a call-to-action: 0 (0 the week before)',
          'Calls booked: 0 (0 the week before)',
          'Sales: 1 (0 the week before)',
          'Revenue: $90.00 ($0.00 the week before)',
          '',
          'Where visitors came from:',
          'podcast: 0 visits, 1 sale, $90.00',
          'newsletter: 1,500 visits, 0 sales, $0.00',
          '',
          'More: https://www.my-domain.com/analytics',
        ].join('\n'),
      );
      expect(letter?.html).toContain('<strong>1,500</strong>');
      expect(letter?.html).toContain('href="https://www.my-domain.com/analytics"');
      expect(await told(monday + hour)).toEqual([]);
      expect(await told(monday + 2 * day)).toEqual([]);
    });

    it('is told later by a server that slept, and not of a time before the site', async () => {
      expect(await told(monday)).toEqual([]);
      await visits(1, monday - 2 * day, monday);
      const [letter] = await told(monday + 3 * day);
      expect(letter?.text).toContain('Visits: 1\n');
      expect(letter?.text).not.toContain('the week before');
    });
  });

  describe('silence', () => {
    const noon = monday + 27 * hour;

    it('is told once when it lasts longer than it ever did by chance', async () => {
      await visits(28 * 24 * 4, noon - 28 * day - hour, noon);
      await told(noon);
      expect(await told(noon + 2 * hour)).toEqual([]);
      const [letter] = await told(noon + 5 * hour, 'https://www.my-domain.com');
      expect(letter?.subject).toBe('Your site has gone quiet');
      expect(letter?.text).toMatch(/^Nobody has visited .*\n\nIn these hours .* 2\d visits/);
      expect(letter?.text).toContain('https://www.my-domain.com');
      expect(await told(noon + 6 * hour)).toEqual([]);
      await visits(1, noon + 7 * hour, noon + 8 * hour);
      expect(await told(noon + 14 * hour)).toHaveLength(1);
    });

    it('is usual over the holidays, and no mark of the future or week of an outage hides it', async () => {
      await visits(30 * 24 * 10, noon - 32 * day, noon - 2 * day);
      await visits(48, noon - 2 * day, noon);
      await told(noon);
      expect(await told(noon + 8 * hour)).toEqual([]);
      await visits(48 * 9, noon - 2 * day, noon);
      await visits(1, noon + 300 * day, noon + 301 * day);
      expect(await told(noon + 8 * hour)).toHaveLength(1);
    });

    it('is usual on a site that few visit, and at an hour when nobody does', async () => {
      await visits(56, noon - 28 * day, noon);
      await told(noon);
      expect(await told(noon + day)).toEqual([]);
      for (let n = 0; n < 29; n++) {
        // Only in the morning.
        await visits(50, noon - n * day - 3 * hour, noon - n * day);
      }
      expect(await told(noon + 18 * hour)).toEqual([]);
    });
  });
});

it.each(['UTC', 'America/New_York', 'Africa/Cairo', 'America/Santiago', 'Pacific/Auckland'])(
  'a week is from Monday to Monday, also when the clocks are set: %s',
  (zone) => {
    vi.stubEnv('TZ', zone);
    for (let at = monday; at < monday + 400 * day; at += 7 * hour) {
      const { week, before } = lastWeek(at);
      expect(before.to).toBe(week.from);
      expect(week.to).toBeLessThanOrEqual(at);
      expect(at - week.to).toBeLessThan(7 * day + hour);
      for (const moment of [before.from, week.from, week.to]) {
        const date = new Date(moment);
        // Where there is no midnight that day, it begins at one.
        expect(date.getDay()).toBe(1);
        expect(new Date(moment - 1).getDay()).toBe(0);
      }
    }
    vi.unstubAllEnvs();
  },
);
