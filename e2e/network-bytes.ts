/** The network transfer of a page, measured by the browser. */
import type { Page } from '@playwright/test';

export interface Transfer {
  path: string;
  type: string;
  /** Size of the compressed body. */
  bytes: number;
}

/** Records the page's responses from now on, except those of beacons, which have no body. */
export async function recordTransfers(page: Page): Promise<Transfer[]> {
  const transfers: Transfer[] = [];
  const browser = await page.context().newCDPSession(page);
  browser.on('Network.responseReceived', ({ type, response }) => {
    if (type === 'Ping') return;
    const headers = new Headers(response.headers as Record<string, string>);
    const path = new URL(response.url).pathname;
    transfers.push({ path, type, bytes: Number(headers.get('content-length') ?? Number.NaN) });
  });
  await browser.send('Network.enable');
  await browser.send('Network.setCacheDisabled', { cacheDisabled: true });
  return transfers;
}

/** Total bytes of all transfers of these types. */
export const bytesOf = (transfers: Transfer[], ...types: string[]): number =>
  transfers
    .filter(({ type }) => types.includes(type))
    .reduce((total, { bytes }) => total + bytes, 0);

/** The transfers of a page until two seconds after its `load` event, without interaction. */
export async function visitWithoutInteraction(page: Page, path: string): Promise<Transfer[]> {
  const transfers = await recordTransfers(page);
  await page.goto(path);
  const requested = await page.waitForFunction(() => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const end = entry && entry.loadEventEnd > 0 ? entry.loadEventEnd + 2000 : Number.NaN;
    if (!(performance.now() >= end)) return undefined;
    // A busy machine checks late: requests that started after the two seconds do not count.
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < end)
      .map(({ name }) => new URL(name).pathname);
  });
  const paths = new Set(await requested.jsonValue());
  return transfers.filter(({ type, path }) => type === 'Document' || paths.has(path));
}

/** Paths of a first visit, including the icon, which a headless browser does not request. */
export async function requestsOf(page: Page, transfers: Transfer[]): Promise<string[]> {
  const icon = await page.locator('link[rel=icon]').first().getAttribute('href');
  return [...new Set([...transfers.map(({ path }) => path), icon ?? ''])].sort();
}
