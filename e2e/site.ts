/** The fixture of every browser test: the built site, a database of its own, and a watched page. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test as base, expect, type Page } from '@playwright/test';
import { all, run } from '../server/database/database.ts';
import { startServer } from '../server/testing/process/server-process.ts';
import { openFront } from './load-balancer.ts';
import { type Engine, emptyDatabase } from './test-database.ts';

export interface RunningSite {
  origin: string;
  password: string;
  conversionKey: string;
  /** Types `npm run admin -- <args>` beside the site; resolves with what it prints. */
  admin(...args: string[]): Promise<string>;
  /** The rows of a table as they are in the database, by its first columns. */
  rows(
    table: 'contact_message' | 'mark' | 'conversion' | 'source' | 'uncounted',
  ): Promise<Record<string, unknown>[]>;
  /** Dates all messages so many ms earlier. */
  ageMessages(by: number): Promise<void>;
}

interface Circumstances {
  /** The folder of the build; else this one. */
  cwd?: string;
  env?: Record<string, string>;
  /** How many servers it is; of several each answers in turn. */
  instances?: number;
}

/** On PostgreSQL nothing may depend on which instance answers. */
export const usualInstances: Record<Engine, number> = { SQLite: 1, PostgreSQL: 2 };

/** Starts the built server on an empty database; `stop` ends it and removes the data. */
export async function runSite(
  engine: Engine,
  { cwd = process.cwd(), env, instances = usualInstances[engine] }: Circumstances = {},
) {
  const password = 'correct horse battery staple';
  const place = await emptyDatabase(engine, password);
  const conversionKey = '0123456789abcdef';
  const start = () =>
    startServer(
      {
        ADMIN_PASSWORD: password,
        CONVERSION_KEY: conversionKey,
        TRUST_PROXY: '1',
        ...place.env,
        ...env,
      },
      { cwd },
    );
  const servers = await Promise.all(Array.from({ length: instances }, start));
  const front = await openFront(servers.map(({ origin }) => origin));
  const site: RunningSite = {
    origin: front.origin,
    password,
    conversionKey,
    async admin(...args) {
      const program = join(cwd, 'dist/server/admin.js');
      const options = { env: { PATH: process.env.PATH, ...place.env } };
      return (await promisify(execFile)(process.execPath, [program, ...args], options)).stdout;
    },
    async rows(table) {
      const database = await place.open();
      try {
        return await database.read(() => all(`SELECT * FROM ${table} ORDER BY 1, 2`));
      } finally {
        await database.close();
      }
    },
    async ageMessages(by) {
      const database = await place.open();
      try {
        await database.write(() =>
          run('UPDATE contact_message SET received_at = received_at - ?', [by]),
        );
      } finally {
        await database.close();
      }
    },
  };
  const stop = async () => {
    await front.close();
    for (const { child } of servers) child.kill('SIGTERM');
    await Promise.all(servers.map(({ ended }) => ended));
    await place.remove();
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

interface Stage {
  /** The engine that keeps what the sites are told: each project of the configuration has its own. */
  engine: Engine;
  site: RunningSite;
}

export const test = base.extend<Visitor, Stage>({
  engine: ['SQLite', { option: true, scope: 'worker' }],
  site: [
    async ({ engine }, use) => {
      const { site, stop } = await runSite(engine);
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
  emptySite: async ({ engine }, use) => {
    const { site, stop } = await runSite(engine);
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
