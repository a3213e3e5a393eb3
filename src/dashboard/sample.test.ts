import { expect, test } from 'vitest';
import { periods } from '../admin/report.ts';
import { sampleOf } from './sample.ts';

const now = Date.UTC(2026, 10, 24, 14, 35);

const sum = <Row>(rows: Row[], of: (row: Row) => number) =>
  rows.reduce((total, row) => total + of(row), 0);

test.each(periods)('sample figures of %i days agree with each other', (period) => {
  const { report, insights } = sampleOf(period, now);
  const { figures, recent, cash, calls } = report;
  const { days, previousDays, previous, sources } = insights;
  expect(days).toHaveLength(period + 1);
  expect(previousDays).toHaveLength(period + 1);
  for (const key of ['pageViews', 'ctaClicks', 'conversions'] as const) {
    expect(sum(days, (day) => day[key])).toBe(figures[key]);
    expect(sum(sources, (source) => source[key])).toBe(figures[key]);
    expect(sum(previousDays, (day) => day[key])).toBe(previous?.[key]);
  }
  expect(sum(days, ({ revenue }) => revenue)).toBeCloseTo(figures.totalRevenue);
  expect(sum(sources, ({ revenue }) => revenue)).toBeCloseTo(figures.totalRevenue);
  expect(cash[0]?.taken).toBe(100 * (figures.totalRevenue + figures.refundedRevenue));
  expect(calls.cancelled).toBeLessThanOrEqual(figures.callsBooked);
  const times = recent.map(({ timestamp = '' }) => timestamp);
  expect(times).toEqual([...times].sort().reverse());
  for (const { email } of recent) expect(email ?? 'a@example.com').toMatch(/@example\.com$/);
});

test('sample months agree with the figures of the period and the year', () => {
  const { months, yearToDate, yearBefore } = sampleOf(30, now).months;
  expect([months[0]?.month, months[23]?.month]).toEqual(['2024-12', '2026-11']);
  for (const key of ['pageViews', 'conversions', 'revenue'] as const) {
    expect(sum(months.slice(13), (month) => month[key] ?? 0)).toBeCloseTo(yearToDate[key] ?? 0);
    expect(months[0]?.[key]).toBeGreaterThan(0);
    expect(yearBefore[key]).toBeLessThan(yearToDate[key] ?? 0);
  }
});

test('sample figures of a source and a button are parts of all', () => {
  const all = sampleOf(30, now).report.figures;
  const names = ['newsletter', 'instagram', 'google', 'direct', 'linkedin', 'podcast', 'referral'];
  const ofSources = names.map((source) => sampleOf(30, now, { source }));
  for (const key of ['pageViews', 'ctaClicks', 'callsBooked', 'conversions'] as const) {
    expect(sum(ofSources, ({ report }) => report.figures[key])).toBe(all[key]);
  }
  const { report, insights } = sampleOf(30, now, { button: 'audit', source: 'newsletter' });
  expect(report.figures).toMatchObject({ pageViews: 0, callsBooked: 0, conversionRate: 0 });
  expect(report.cash).toEqual([]);
  expect(report.recent.every(({ source }) => source?.split('/')[0] === 'newsletter')).toBe(true);
  expect(insights.buttons.length).toBeGreaterThan(5);
  expect(insights.sources).toHaveLength(names.length);
  for (const [list, name] of [
    [insights.buttons, 'audit'],
    [insights.sources, 'newsletter'],
  ] as const) {
    const row = list.find((one) => Object.values(one).includes(name));
    expect(row).toMatchObject({ ctaClicks: report.figures.ctaClicks });
    expect(row?.revenue).toBeCloseTo(report.figures.totalRevenue);
  }
});

test('sample figures of a campaign are parts of its source, and its filter selects them', () => {
  const { sources } = sampleOf(30, now).insights;
  const newsletter = sources.find(({ source }) => source === 'newsletter');
  const { campaigns = [] } = newsletter ?? {};
  expect(campaigns).toHaveLength(3);
  expect(sum(campaigns, ({ pageViews }) => pageViews)).toBeLessThan(newsletter?.pageViews ?? 0);
  for (const { source, pageViews } of campaigns) {
    expect(source).toMatch(/^newsletter\/email\/[a-z-]+$/);
    expect(pageViews).toBeGreaterThan(0);
    expect(sampleOf(30, now, { source }).report.figures).toMatchObject({ pageViews });
  }
});

test('sample conversions contain no fully refunded sale', () => {
  const days = Array.from({ length: 20 }, (_, n) => sampleOf(7, now - n * 24 * 60 * 60_000).report);
  for (const { figures, recent } of days) {
    expect(recent).toHaveLength(Math.min(10, figures.conversions));
    expect(recent.filter((sale) => sale.refunded === sale.conversionValue)).toEqual([]);
  }
});

test('sample data is plausible and the same for the same time', () => {
  const { report } = sampleOf(30, now);
  expect(report.figures.pageViews).toBeGreaterThan(1000);
  expect(report.figures.ctaConversionRate).toBeGreaterThan(5);
  expect(report.figures.conversionRate).toBeGreaterThan(0.5);
  expect(report.figures.conversionRate).toBeLessThan(4);
  expect(sampleOf(30, now)).toEqual(sampleOf(30, now));
});
