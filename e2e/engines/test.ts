/** The fixtures of tests in other engines: the site behind a proxy, and a browser whose errors fail the test. */
import { test as base, expect } from '@playwright/test';
import { type RunningSite, runSite } from '../site.ts';
import type { Engine } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { startPolicyProxy } from './policy-proxy.ts';
import { startWebKit } from './webkit.ts';

const starts = { Firefox: startFirefox, WebKit: startWebKit };
type EngineName = keyof typeof starts;
export const engineNames = Object.keys(starts) as EngineName[];

export const test = base.extend<{
  engineName: EngineName;
  site: RunningSite;
  policyProxy: Awaited<ReturnType<typeof startPolicyProxy>>;
  webEngine: Engine;
}>({
  engineName: ['Firefox', { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern
  site: async ({}, use) => {
    const { site, stop } = await runSite('SQLite');
    await use(site);
    await stop();
  },
  policyProxy: async ({ site }, use) => {
    const proxy = await startPolicyProxy(site.origin);
    await use(proxy);
    await proxy.close();
  },
  webEngine: async ({ engineName, policyProxy }, use) => {
    const engine = await starts[engineName]();
    try {
      await use(engine);
      expect(await engine.consoleErrors()).toEqual([]);
      expect(policyProxy.violations).toEqual([]);
    } finally {
      await engine.close();
    }
  },
});

export { expect };
