/**
 * P5: latency from a tap to its dialog, and from a tap on Send to the thank-you, on a slow phone with a
 * slow connection.
 */
import { type Browser, chromium, type Page } from '@playwright/test';
import { findBrowser } from '../e2e/browser.ts';
import { median, type Row } from './measure.ts';
import { type BenchServer, benchPassword, startShingle } from './processes.ts';

/** Visits of each row. */
const visits = 50;
/** Longest delay of a tap after the first paint, in milliseconds. */
const maxDelay = 8000;

export async function tapRows(): Promise<Row[]> {
  const server = await startShingle();
  const { executablePath, args } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args });
  try {
    const latencies = await visitOften(browser, server, tap);
    const sent = await visitOften(browser, server, sendMessage);
    const { once, all } = await storedMessages(server);
    return [
      row({
        what: 'tap → dialog painted, 4× CPU, slow 4G',
        latencies,
        baseline: `${visits - latencies.length} of ${visits} taps lost`,
        goal: '≤ 500 ms, 0 lost',
      }),
      row({
        what: 'tap on Send, typed at once → thank-you, 4× CPU, slow 4G',
        latencies: sent,
        baseline: `${once} of ${visits} messages stored once, ${all} in all`,
        goal: `${visits} stored once`,
      }),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

function row({
  latencies,
  ...rest
}: Pick<Row, 'what' | 'baseline' | 'goal'> & { latencies: number[] }): Row {
  const ms = (latency: number) => `${latency.toFixed(0)} ms`;
  const ours = `${ms(median(latencies))} median, ${ms(Math.max(...latencies))} worst`;
  return { target: 'P5', ours, ratio: '–', ...rest };
}

/** A visit that acts `delay` ms after the first paint; resolves with the latency in ms, if any. */
type Act = (page: Page, delay: number, n: number) => Promise<number | undefined>;

/** Visits with an empty cache, each time with another delay; resolves with the latencies in ms. */
async function visitOften(browser: Browser, { port }: BenchServer, act: Act): Promise<number[]> {
  const latencies: number[] = [];
  for (let n = 0; n < visits; n++) {
    const context = await browser.newContext({
      viewport: { width: 412, height: 823 },
      hasTouch: true,
      isMobile: true,
      // Each visit has its own rate limits.
      extraHTTPHeaders: { 'x-forwarded-for': `10.0.0.${n + 1}` },
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
      // The quiz would open when the visit scrolls to the contact button.
      await page.addInitScript(() => sessionStorage.setItem('quiz-shown', '1'));
      await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'commit' });
      await page.waitForFunction(
        () => performance.getEntriesByName('first-contentful-paint').length,
      );
      const latency = await act(page, (maxDelay * n) / visits, n);
      if (latency !== undefined) latencies.push(latency);
    } finally {
      await context.close();
    }
  }
  return latencies;
}

/** Taps the first call-to-action. */
const tap: Act = async (page, delay) => {
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
};

/** Opens the contact form, fills it in at once and sends it. */
const sendMessage: Act = async (page, delay, n) => {
  const open = page.locator('main [commandfor="contact"]').first();
  await open.scrollIntoViewIfNeeded();
  await page.waitForTimeout(delay);
  await open.tap();
  const form = page.locator('#contact form');
  for (const [name, value] of Object.entries(messageOf(n))) {
    await form.locator(`[name=${name}]`).fill(value);
  }
  await form.locator('[type=submit]').tap();
  const sentAt = performance.now();
  const thanks = page.getByRole('alert').waitFor({ timeout: 20_000 });
  return thanks.then(() => performance.now() - sentAt).catch(() => undefined);
};

const messageOf = (n: number) => ({
  name: `Visitor ${n}`,
  email: `visitor-${n}@studio.example`,
  message: `Message ${n} of a visitor on a slow phone.`,
});

/** How many of the sent messages are stored exactly once, and how many messages there are in all. */
async function storedMessages({ port }: BenchServer): Promise<{ once: number; all: number }> {
  const address = `http://127.0.0.1:${port}/api`;
  const login = await fetch(`${address}/admin/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password: benchPassword }),
  });
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const response = await fetch(`${address}/messages.json`, { headers: { cookie } });
  const stored = (await response.json()) as { name: string }[];
  const copies = (n: number) => stored.filter(({ name }) => name === messageOf(n).name).length;
  const once = Array.from({ length: visits }, (_, n) => copies(n)).filter((n) => n === 1).length;
  return { once, all: stored.length };
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
