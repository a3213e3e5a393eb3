/** P5: latency from a tap to its dialog, on a slow phone with a slow connection. */
import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../e2e/browser.ts';
import { median, type Row } from './measure.ts';
import { startShingle } from './processes.ts';

const taps = 50;
/** Longest delay of a tap after the first paint, in milliseconds. */
const maxDelay = 8000;

export async function tapRows(): Promise<Row[]> {
  const server = await startShingle();
  const { executablePath, args } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args });
  const latencies: number[] = [];
  try {
    for (let n = 0; n < taps; n++) {
      const delay = (maxDelay * n) / taps;
      const latency = await tap(browser, `http://127.0.0.1:${server.port}/`, delay);
      if (latency !== undefined) latencies.push(latency);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  const ms = (latency: number) => `${latency.toFixed(0)} ms`;
  return [
    {
      target: 'P5',
      what: 'tap → dialog painted, 4× CPU, slow 4G',
      ours: `${ms(median(latencies))} median, ${ms(Math.max(...latencies))} worst`,
      baseline: `${taps - latencies.length} of ${taps} taps lost`,
      ratio: '–',
      goal: '≤ 500 ms, 0 lost',
    },
  ];
}

/** Visits with an empty cache and taps after `delay` ms; resolves with the latency in ms, if any. */
async function tap(browser: Browser, address: string, delay: number): Promise<number | undefined> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    hasTouch: true,
    isMobile: true,
  });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: (1.6 * 1024 * 1024) / 8,
      uploadThroughput: (750 * 1024) / 8,
    });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(recordTapLatency);
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length);
    await page.waitForTimeout(delay);
    const button = page.locator('main [commandfor="strategy-call"]').first();
    const box = await button.boundingBox();
    if (!box) throw new Error('The first call-to-action is not visible.');
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    const painted = page.waitForFunction(() => document.documentElement.dataset.tapLatency, null, {
      timeout: 10_000,
    });
    const latency = await painted.then((handle) => handle.jsonValue()).catch(() => undefined);
    return latency === undefined ? undefined : Number(latency);
  } finally {
    await context.close();
  }
}

/** Runs in the page: records the time from the touch to the second frame after the dialog opens. */
function recordTapLatency(): void {
  let touchedAt = 0;
  addEventListener(
    'touchstart',
    ({ timeStamp }) => {
      touchedAt = timeStamp;
    },
    true,
  );
  new MutationObserver((changes) => {
    const opened = changes.some(({ target }) => target instanceof HTMLDialogElement && target.open);
    if (!opened || touchedAt === 0) return;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        document.documentElement.dataset.tapLatency = String(performance.now() - touchedAt);
      }),
    );
  }).observe(document, { subtree: true, attributeFilter: ['open'] });
}
