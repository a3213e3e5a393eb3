/** The fixture of every browser test: the built site, a database of its own, and a watched page. */
import { rm } from 'node:fs/promises';
import { test as base, expect, type Page } from '@playwright/test';
import Libsql from 'libsql';
import { emptyFolder, startServer } from '../server/test-process.ts';

export interface RunningSite {
  origin: string;
  password: string;
  conversionKey: string;
  /** The rows of a table, as they are on disk. */
  rows(
    table: 'contact_message' | 'mark' | 'conversion' | 'source' | 'uncounted',
  ): Record<string, unknown>[];
}

/** Starts the built server in `cwd` on an empty database; `stop` ends it and removes the data. */
export async function runSite(cwd = process.cwd(), env: Record<string, string> = {}) {
  const dataDir = await emptyFolder();
  const password = 'correct horse battery staple';
  const conversionKey = '0123456789abcdef';
  const { origin, child, ended } = await startServer(
    {
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: password,
      CONVERSION_KEY: conversionKey,
      TRUST_PROXY: '1',
      ...env,
    },
    { cwd },
  );
  const site: RunningSite = {
    origin,
    password,
    conversionKey,
    rows(table) {
      const database = new Libsql(`${dataDir}/shingle.db`, { timeout: 5000 });
      const rows = database.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[];
      database.close();
      return rows;
    },
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true });
  };
  return { site, stop };
}

let visitors = 0;

/** Complaints of the page that a test did not expect: each fails it. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complaints.push(`${message.type()}: ${message.text()}`);
    }
  });
  return complaints;
}

interface Visitor {
  complaints: string[];
  /** Whether the quiz came in this tab before, and so does not turn up in the middle of a test. */
  hasSeenQuiz: boolean;
}

export const test = base.extend<Visitor, { site: RunningSite }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      const { site, stop } = await runSite();
      await use(site);
      await stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ site }, use) => use(site.origin),
  // Each test is a visitor of its own: nobody uses up another's allowance or is taken for another.
  extraHTTPHeaders: async ({ baseURL: _ }, use, { workerIndex }) => {
    visitors += 1;
    await use({ 'x-forwarded-for': `10.${workerIndex % 250}.${visitors >> 8}.${visitors & 255}` });
  },
  hasSeenQuiz: [true, { option: true }],
  context: async ({ context, hasSeenQuiz }, use) => {
    if (hasSeenQuiz) {
      await context.addInitScript(() => {
        try {
          sessionStorage.setItem('quiz-shown', '1');
        } catch {
          // A frame without an origin has no storage.
        }
      });
    }
    await use(context);
  },
  complaints: [
    async ({ page }, use) => {
      const complaints = complaintsOf(page);
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/** A test whose site is its own, so that it can count what is in it. */
export const testOnEmptySite = test.extend<{ emptySite: RunningSite }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  emptySite: async ({}, use) => {
    const { site, stop } = await runSite();
    await use(site);
    await stop();
  },
  baseURL: ({ emptySite }, use) => use(emptySite.origin),
});

/** Waits for a complaint that the test means to cause, and takes all of its kind off the list. */
export async function expectComplaint(complaints: string[], pattern: RegExp): Promise<void> {
  await expect.poll(() => complaints.some((complaint) => pattern.test(complaint))).toBe(true);
  const others = complaints.filter((complaint) => !pattern.test(complaint));
  complaints.splice(0, complaints.length, ...others);
}

export { expect };
