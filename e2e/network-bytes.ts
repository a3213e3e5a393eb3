/** What a page costs on the wire, counted by the browser that fetched it. */
import type { Page } from '@playwright/test';

export interface Arrival {
  path: string;
  type: string;
  /** Bytes of the body as they travelled: compressed. */
  bytes: number;
}

/** Fills a list with what arrives at the page from now on. Beacons bring nothing and do not count. */
export async function arrivalsAt(page: Page): Promise<Arrival[]> {
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

/** What the dashboard fetches once its figures are there: the panels below, with the chart library. */
export const isLater = ({ path }: Arrival): boolean => path.startsWith('/assets/panels-');

/** Bytes of all arrivals of these types. */
export const bytesOf = (arrivals: Arrival[], ...types: string[]): number =>
  arrivals
    .filter(({ type }) => types.includes(type))
    .reduce((total, { bytes }) => total + bytes, 0);

/** What the landing page asks for until two seconds after it loaded, untouched. */
export async function untouchedVisit(page: Page, address: string): Promise<Arrival[]> {
  const arrivals = await arrivalsAt(page);
  await page.goto(address);
  const asked = await page.waitForFunction(() => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const end = entry && entry.loadEventEnd > 0 ? entry.loadEventEnd + 2000 : Number.NaN;
    if (!(performance.now() >= end)) return undefined;
    // A busy machine looks late: by the page's own clock nothing more had begun.
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < end)
      .map(({ name }) => new URL(name).pathname);
  });
  const paths = new Set(await asked.jsonValue());
  return arrivals.filter(({ type, path }) => type === 'Document' || paths.has(path));
}

/** Addresses a first visit asks for, the icon's included, which a headless browser leaves out. */
export async function requestsOf(page: Page, arrivals: Arrival[]): Promise<string[]> {
  const icon = await page.locator('link[rel=icon]').first().getAttribute('href');
  return [...new Set([...arrivals.map(({ path }) => path), icon ?? ''])].sort();
}
