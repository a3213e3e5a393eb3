/** P5: how long a tap waits for its dialog, on a slow phone with a slow line. */
import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../e2e/browser.ts';
import { median, type Row } from './measure.ts';
import { startShingle } from './processes.ts';

const taps = 50;
/** Latest moment of a tap after the first paint, in milliseconds. */
const latest = 8000;

export async function tapRows(): Promise<Row[]> {
  const server = await startShingle();
  const { executablePath, args } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args });
  const waits: number[] = [];
  try {
    for (let n = 0; n < taps; n++) {
      const wait = await tap(browser, `http://127.0.0.1:${server.port}/`, (latest * n) / taps);
      if (wait !== undefined) waits.push(wait);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  const ms = (wait: number) => `${wait.toFixed(0)} ms`;
  return [
    {
      target: 'P5',
      what: 'tap → dialog painted, 4× CPU, slow 4G',
      ours: `${ms(median(waits))} median, ${ms(Math.max(...waits))} worst`,
      baseline: `${taps - waits.length} of ${taps} taps lost`,
      ratio: '–',
      goal: '≤ 500 ms, 0 lost',
    },
  ];
}

/** One visit with an empty cache; milliseconds from the touch to the painted dialog. */
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
    await page.addInitScript(watchTap);
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length);
    await page.waitForTimeout(delay);
    const button = page.locator('main [commandfor="strategy-call"]').first();
    const box = await button.boundingBox();
    if (!box) throw new Error('The first call-to-action has no place on the page.');
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    const painted = page.waitForFunction(() => document.documentElement.dataset.wait, null, {
      timeout: 10_000,
    });
    const wait = await painted.then((handle) => handle.jsonValue()).catch(() => undefined);
    return wait === undefined ? undefined : Number(wait);
  } finally {
    await context.close();
  }
}

/** Runs in the page: from the touch to the second frame after the dialog is open. */
function watchTap(): void {
  let touched = 0;
  addEventListener(
    'touchstart',
    ({ timeStamp }) => {
      touched = timeStamp;
    },
    true,
  );
  new MutationObserver((changes) => {
    const opened = changes.some(({ target }) => target instanceof HTMLDialogElement && target.open);
    if (!opened || touched === 0) return;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        document.documentElement.dataset.wait = String(performance.now() - touched);
      }),
    );
  }).observe(document, { subtree: true, attributeFilter: ['open'] });
}
