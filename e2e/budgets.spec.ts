import type { Page } from '@playwright/test';
import { openDashboard } from './screens.ts';
import { expect, test } from './site.ts';

interface Arrival {
  path: string;
  type: string;
  /** Bytes of the body as they travelled: compressed. */
  bytes: number;
}

const kB = 1000;

/** What arrives at the page. Beacons bring nothing and do not count. */
async function arrivalsAt(page: Page): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  const browser = await page.context().newCDPSession(page);
  browser.on('Network.responseReceived', ({ type, response }) => {
    if (type === 'Ping') return;
    const headers = new Headers(response.headers as Record<string, string>);
    const path = new URL(response.url).pathname;
    arrivals.push({ path, type, bytes: Number(headers.get('content-length') ?? Number.NaN) });
  });
  await browser.send('Network.enable');
  await browser.send('Network.setCacheDisabled', { cacheDisabled: true });
  return arrivals;
}

const sum = (arrivals: Arrival[], ...types: string[]) =>
  arrivals
    .filter(({ type }) => types.includes(type))
    .reduce((total, { bytes }) => total + bytes, 0);

/** Waits until `ms` have passed since the page was loaded. */
const sinceLoad = (page: Page, ms: number) =>
  page.waitForFunction((ms) => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return entry && entry.loadEventEnd > 0 && performance.now() - entry.loadEventEnd >= ms;
  }, ms);

test.describe('the landing page, two seconds after it loaded, untouched', () => {
  let arrivals: Arrival[];

  test.beforeEach(async ({ page }) => {
    arrivals = await arrivalsAt(page);
    await page.goto('/');
    await sinceLoad(page, 2000);
  });

  test('has fetched at most 2 kB of JavaScript', () => {
    expect(sum(arrivals, 'Script')).toBeGreaterThan(0);
    expect(sum(arrivals, 'Script')).toBeLessThanOrEqual(2 * kB);
  });

  test('has fetched at most 12 kB of HTML and CSS', () => {
    expect(sum(arrivals, 'Document')).toBeGreaterThan(0);
    expect(sum(arrivals, 'Document', 'Stylesheet')).toBeLessThanOrEqual(12 * kB);
  });

  test('has fetched at most 45 kB of fonts', () => {
    expect(sum(arrivals, 'Font')).toBeGreaterThan(0);
    expect(sum(arrivals, 'Font')).toBeLessThanOrEqual(45 * kB);
  });

  test('has made at most 5 requests, its icon included', async ({ page }) => {
    const icon = await page.locator('link[rel=icon]').getAttribute('href');
    const paths = new Set([...arrivals.map(({ path }) => path), icon]);
    expect([...paths].sort()).toHaveLength(5);
  });
});

test('the dashboard needs at most 150 kB of JavaScript', async ({ page, site }) => {
  const arrivals = await arrivalsAt(page);
  await openDashboard(page, site);
  await page.waitForLoadState('networkidle');
  expect(sum(arrivals, 'Script')).toBeGreaterThan(50 * kB);
  expect(sum(arrivals, 'Script')).toBeLessThanOrEqual(150 * kB);
});
