import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SampleOptions, sampleActivity } from '../../contract/sample/activity.ts';
import { addBooking, newBooking } from '../../testing/booking.ts';
import { createOwner, now, type TestOwner } from '../../testing/cli-io.ts';
import { sampleMessage } from '../../testing/message.ts';
import { rawFigures } from '../../testing/raw-figures.ts';
import { site } from '../../testing/sample-config.ts';
import { demoBookings } from './bookings.ts';

const day = 24 * 60 * 60_000;

function activity(change: Partial<SampleOptions> = {}) {
  const batches = [
    ...sampleActivity({ events: 20_000, days: 90, seed: 'x', currency: 'EUR', now, ...change }),
  ];
  return {
    events: batches.flatMap(({ events }) => events),
    sales: batches.flatMap(({ sales }) => sales),
  };
}

it('made-up calls are past, in the next days and cancelled, at times that do not overlap', () => {
  const made = demoBookings(site.calls, now).sort((a, b) => a.start - b.start);
  const booked = made.filter(({ state }) => state === 'booked');
  expect(booked.filter(({ end }) => end <= now).length).toBeGreaterThan(3);
  const upcoming = booked.filter(({ start }) => start > now);
  const isSoon = ({ start }: { start: number }) => start < now + 7 * day;
  expect(upcoming.filter(isSoon).length).toBeGreaterThan(1);
  expect(upcoming.every(isSoon)).toBe(false);
  for (const { state, changedAt, start } of made) {
    if (state === 'cancelled') expect(changedAt).toBeLessThan(Math.min(start, now));
  }
  expect(made.length).toBeGreaterThan(booked.length + 1);
  made.slice(1).forEach(({ start, gapMs }, i) => {
    expect(start).toBeGreaterThanOrEqual((made[i]?.end ?? 0) + gapMs);
  });
  for (const { createdAt, start } of made) expect(createdAt).toBeLessThan(Math.min(start, now));
});

describe('made-up activity', () => {
  it('made-up activity is the same for the same seed and different for another seed', () => {
    expect(activity()).toEqual(activity());
    expect(activity({ seed: 'y' })).not.toEqual(activity());
  });

  it.each([1, 2, 9, 100, 4321, 45_678])('made-up activity has exactly %i events', (events) => {
    expect(activity({ events }).events).toHaveLength(events);
  });

  it.each([
    [1, 1],
    [20_000, 1],
    [20_000, 90],
    [5000, 3650],
  ])('made-up activity of %i events lies within the %i days before now', (events, days) => {
    const made = activity({ events, days });
    for (const { at } of [...made.events, ...made.sales]) {
      expect(Number.isSafeInteger(at) && at >= now - days * day && at < now).toBe(true);
    }
  });

  it('made-up calls and sales belong to buttons that were clicked more often', () => {
    const { events, sales } = activity();
    const clicksOf = (button: string | null) =>
      events.filter((event) => event.activity === 'cta_click' && event.button === button).length;
    const booked = events.filter(({ activity }) => activity === 'call_booked');
    for (const button of new Set(booked.map(({ button }) => button))) {
      const calls = booked.filter((event) => event.button === button).length;
      expect(clicksOf(button), `clicks of ${button}`).toBeGreaterThan(calls);
    }
    expect(clicksOf('audit')).toBeGreaterThan(sales.length);
  });

  it('made-up activity has realistic click, checkout and sale rates', () => {
    const { events, sales } = activity();
    const count = (name: string) => events.filter((event) => event.activity === name).length;
    const views = count('page_view');
    expect(count('cta_click') / views).toBeCloseTo(0.12, 1);
    expect(count('checkout_open')).toBeLessThanOrEqual(count('cta_click'));
    expect(sales.length).toBeLessThanOrEqual(count('checkout_open'));
    expect(sales.length / views).toBeGreaterThan(0.018);
    expect(sales.length / views).toBeLessThan(0.022);
  });

  it('made-up activity never has more clicks than views on a UTC day', () => {
    const { events } = activity({ events: 500, days: 200 });
    const balance = new Map<number, number>();
    for (const { activity: kind, at } of events) {
      const key = Math.floor(at / day);
      const step = kind === 'page_view' ? 1 : kind === 'cta_click' ? -1 : 0;
      balance.set(key, (balance.get(key) ?? 0) + step);
    }
    expect(Math.min(...balance.values())).toBeGreaterThanOrEqual(0);
  });

  it('made-up activity varies by hour and weekday, and grows over time', () => {
    const views = activity({ events: 100_000, days: 364 })
      .events.filter((event) => event.activity === 'page_view')
      .map(({ at }) => at);
    const share = (test: (time: Date) => boolean) =>
      views.filter((at) => test(new Date(at))).length / views.length;
    const afternoon = share((time) => Math.floor(time.getUTCHours() / 4) === 4);
    const night = share((time) => Math.floor(time.getUTCHours() / 4) === 2);
    expect(afternoon).toBeGreaterThan(2 * night);
    const weekend = share((time) => [0, 6].includes(time.getUTCDay()));
    expect(weekend).toBeLessThan(0.22);
    const firstHalf = share((time) => +time < now - 182 * day);
    expect(firstHalf).toBeLessThan(0.47);
  });

  it('made-up buyers have example.com addresses and several sources', () => {
    const { sales } = activity();
    const emails = sales.flatMap(({ email }) => email ?? []);
    expect(emails.every((email) => /^[a-z]+\.[a-z]+\d\d@example\.com$/.test(email))).toBe(true);
    expect(emails.length).toBeLessThan(sales.length);
    expect(new Set(sales.map(({ source }) => source)).size).toBeGreaterThanOrEqual(6);
    expect(new Set(sales.map(({ id }) => id)).size).toBe(sales.length);
    expect(new Set(sales.map(({ currency }) => currency))).toEqual(new Set(['EUR']));
  });
});

describe('demo', () => {
  let owner: TestOwner;
  beforeEach(async () => {
    owner = await createOwner();
  });
  afterEach(() => owner.remove());

  it('demo fills an empty database with 20,000 events over 90 days, and counters equal a recount', async () => {
    const { code, out } = await owner.admin(['demo']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^20,000 events and \d{3} sales were made up, over 90 days up to now; and 7 messages and \d+ bookings\.\nA site with this data sends no email/,
    );
    const [totals, recount] = await owner.inside(({ analytics }) => {
      const window = { from: now - 90 * day, to: now };
      return Promise.all([
        analytics.totals(window),
        rawFigures(analytics).then((raw) => raw.totals(window)),
      ]);
    });
    expect(totals).toEqual(recount);
    const { pageViews, ctaClicks, callsBooked, checkoutOpens } = totals;
    expect(pageViews + ctaClicks + callsBooked + checkoutOpens).toBe(20_000);
    expect(callsBooked).toBeGreaterThan(0);
    expect(totals.revenue).toBeGreaterThan(0);
    expect((await owner.admin(['verify'])).code).toBe(0);
  });

  it('demo puts messages in every folder, one unread, all from example.com', async () => {
    await owner.admin(['demo', '--events', '10']);
    await owner.inside(async ({ contact, bookings }) => {
      expect(await contact.counts()).toEqual({
        inbox: { all: 3, unread: 1 },
        archive: { all: 2, unread: 0 },
        spam: { all: 2, unread: 0 },
      });
      for await (const { email, receivedAt } of contact.all()) {
        expect(email).toMatch(/^[a-z.]+@example\.com$/);
        expect(receivedAt).toBeLessThan(now);
      }
      const { upcoming, past, cancelled } = await bookings.counts(now);
      for (const n of [upcoming, past, cancelled]) expect(n).toBeGreaterThan(0);
    });
  });

  it('demo makes the requested number of events, the same for the same seed', async () => {
    const other = await createOwner();
    try {
      const args = ['demo', '--events', '5000', '--days', '7', '--seed', 'me'];
      for (const { admin } of [owner, other]) expect((await admin(args)).code).toBe(0);
      const exported = ['conversions', 'export'];
      expect((await owner.admin(exported)).out).toBe((await other.admin(exported)).out);
    } finally {
      await other.remove();
    }
  });

  it.each([
    ['a demo', () => owner.admin(['demo', '--events', '1'])],
    [
      'a visitor',
      () =>
        owner.inside(({ analytics }) =>
          analytics.addEvent({
            activity: 'page_view',
            button: null,
            source: null,
            visitor: '01'.repeat(16),
            at: 5,
          }),
        ),
    ],
    [
      'a sale',
      () =>
        owner.admin(['conversions', 'import', '-'], {
          stdin: Readable.from([Buffer.from('id,amount,currency\na,1,USD\n')]),
        }),
    ],
    [
      'a booking',
      () => owner.inside(({ bookings }) => addBooking(bookings, newBooking({ start: now }))),
    ],
    [
      'a message',
      () => owner.inside(({ contact }) => contact.add(sampleMessage({ receivedAt: now }))),
    ],
  ])('demo refuses a database with %s', async (_name, fill) => {
    await fill();
    const { code, out, err } = await owner.admin(['demo', '--events', '10']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^This database holds activity, sales, messages or bookings.*\n$/);
  });

  it.each([
    ['--events', '0'],
    ['--events', '10000001'],
    ['--events', '1.5'],
    ['--days', '0'],
    ['--days', '3651'],
  ])('demo refuses %s %s', async (option, value) => {
    const { code, err } = await owner.admin(['demo', option, value]);
    expect(code).toBe(1);
    expect(err).toMatch(
      new RegExp(`^${option} must be a whole number from 1 to .*"${value}"\\.\\n$`),
    );
  });
});
