/**
 * The fixtures of every browser test: the built site with its own database, and a page whose console
 * errors fail the test.
 */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test as base, expect, type Page } from '@playwright/test';
import { handTyped } from '../server/database/columns.ts';
import { all, run } from '../server/database/database.ts';
import { startServer } from '../server/testing/process/server-process.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { createTestDatabase, type Engine } from './test-database.ts';

export interface RunningSite {
  origin: string;
  password: string;
  conversionKey: string;
  /** Runs `npm run admin -- <args>` on the site's database; resolves with its stdout. */
  admin(...args: string[]): Promise<string>;
  /** The rows of a database table, ordered by its first two columns. */
  rows(
    table: 'contact_message' | 'booking' | 'event' | 'conversion' | 'source' | 'excluded_count',
  ): Promise<Record<string, unknown>[]>;
  /** Moves the time of all sign-ins and confirmed passwords `ms` milliseconds into the past. */
  ageSessions(ms: number): Promise<void>;
  /** Moves the time of all messages `ms` milliseconds into the past. */
  ageMessages(ms: number): Promise<void>;
}

interface SiteOptions {
  /** The folder of the build; the working directory by default. */
  cwd?: string;
  /** Overrides variables; undefined unsets one. With `SETUP_CODE` there is no password yet. */
  env?: Record<string, string | undefined>;
  /** Number of server instances; several are load-balanced round robin. */
  instances?: number;
}

/** Two instances on PostgreSQL, since nothing may depend on which one handles a request. */
const defaultInstances: Record<Engine, number> = { SQLite: 1, PostgreSQL: 2 };

/** Starts the built server on an empty database. `stop` shuts it down and deletes the data. */
export async function runSite(
  engine: Engine,
  { cwd = process.cwd(), env, instances = defaultInstances[engine] }: SiteOptions = {},
) {
  const password = 'correct horse battery staple';
  const isFresh = env?.SETUP_CODE !== undefined;
  const testDatabase = await createTestDatabase(engine, isFresh ? undefined : password);
  const conversionKey = '0123456789abcdef';
  const start = () =>
    startServer(
      {
        ...(!isFresh && { ADMIN_PASSWORD: password }),
        CONVERSION_KEY: conversionKey,
        TRUST_PROXY: '1',
        ...testDatabase.env,
        ...env,
      },
      { cwd },
    );
  const servers = await Promise.all(Array.from({ length: instances }, start));
  const loadBalancer = await startLoadBalancer(servers.map(({ origin }) => origin));
  const change = async (statement: string, values: number[]): Promise<void> => {
    const database = await testDatabase.open();
    try {
      await database.write(() => run(statement, values));
    } finally {
      await database.close();
    }
  };
  const site: RunningSite = {
    origin: loadBalancer.origin,
    password,
    conversionKey,
    async admin(...args) {
      const program = join(cwd, 'dist/server/admin.js');
      const options = { env: { PATH: process.env.PATH, ...testDatabase.env } };
      return (await promisify(execFile)(process.execPath, [program, ...args], options)).stdout;
    },
    async rows(table) {
      const database = await testDatabase.open();
      try {
        return await database.read(() =>
          all(handTyped<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY 1, 2`)),
        );
      } finally {
        await database.close();
      }
    },
    ageSessions: (ms) =>
      change(
        'UPDATE admin_session SET created_at = created_at - ?, confirmed_at = confirmed_at - ?',
        [ms, ms],
      ),
    ageMessages: (ms) => change('UPDATE contact_message SET received_at = received_at - ?', [ms]),
  };
  const stop = async () => {
    await loadBalancer.close();
    for (const { child } of servers) child.kill('SIGTERM');
    await Promise.all(servers.map(({ ended }) => ended));
    await testDatabase.remove();
  };
  return { site, stop };
}

let visitors = 0;

/** Errors and warnings on the page's console, and its uncaught exceptions. */
function consoleErrorsOf(page: Page): string[] {
  const consoleErrors: string[] = [];
  page.on('pageerror', (error) => consoleErrors.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      consoleErrors.push(`${message.type()}: ${message.text()}`);
    }
  });
  return consoleErrors;
}

interface TestFixtures {
  /** Console errors of the page. The test fails if any are left at its end. */
  consoleErrors: string[];
  /** Whether the quiz was already shown in this tab, so that it does not open during a test. */
  hasSeenQuiz: boolean;
}

interface WorkerFixtures {
  /** The database engine of the sites, set by each project of the configuration. */
  engine: Engine;
  site: RunningSite;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
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
  // Each test has its own client address, so that tests share neither rate limits nor visitor counts.
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
          // A frame with an opaque origin has no storage.
        }
      });
    }
    await use(context);
  },
  consoleErrors: [
    async ({ page }, use) => {
      const consoleErrors = consoleErrorsOf(page);
      await use(consoleErrors);
      expect(consoleErrors).toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * A test with its own empty site, so that it can assert exact counts and set `siteEnv`. The site stops
 * after the page has closed, because a request to a stopped site is a console error.
 */
export const testOnEmptySite = test.extend<{
  siteEnv: NonNullable<SiteOptions['env']>;
  emptySite: RunningSite;
}>({
  siteEnv: [{}, { option: true }],
  emptySite: async ({ engine, siteEnv: env }, use) => {
    const { site, stop } = await runSite(engine, { env });
    await use(site);
    await stop();
  },
  baseURL: ({ emptySite }, use) => use(emptySite.origin),
});

/** Waits for an expected console error, and removes all that match from the list. */
export async function expectConsoleError(consoleErrors: string[], pattern: RegExp): Promise<void> {
  await expect.poll(() => consoleErrors.some((error) => pattern.test(error))).toBe(true);
  const others = consoleErrors.filter((error) => !pattern.test(error));
  consoleErrors.splice(0, consoleErrors.length, ...others);
}

export { expect };
