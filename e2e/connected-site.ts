/** The site as an owner has it who has put real addresses in place of the placeholders. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { site as placeholders } from '../site.config.ts';
import { test as base, type RunningSite, runSite } from './site.ts';

interface ThirdParty {
  origin: string;
  /** Addresses it was asked for, in order. */
  asked: string[];
}

/** Another company's server: calendars, a quiz and the opt-in script. */
async function runThirdParty() {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    const path = req.url ?? '';
    asked.push(path);
    if (path === '/opt-in.js') {
      res.setHeader('Content-Type', 'text/javascript');
      res.end('window.optedIn = (window.optedIn ?? 0) + 1;');
    } else {
      res.setHeader('Content-Type', 'text/html');
      res.end(`<!doctype html><title>Another company</title><h1>Welcome to ${path}</h1>`);
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  return { thirdParty: { origin: `http://127.0.0.1:${port}`, asked }, stop };
}

/** Builds a copy of the project whose addresses lead to `other`; returns its folder. */
function buildConnected(other: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-connected-'));
  const files = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const file of files.split('\0')) {
    if (file && file !== 'node_modules' && existsSync(file)) cpSync(file, join(folder, file));
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const config = join(folder, 'site.config.ts');
  const text = readFileSync(config, 'utf8')
    .replace(placeholders.schedulers.strategyCall, `${other}/strategy-call`)
    .replace(placeholders.schedulers.inboxReview, `${other}/inbox-review`)
    .replace(placeholders.links.quiz, `${other}/quiz`)
    .replace("optInScript: ''", `optInScript: '${other}/opt-in.js'`);
  writeFileSync(config, text);
  execFileSync(process.execPath, ['server/run.mjs', '--build-only'], {
    cwd: folder,
    stdio: 'pipe',
  });
  return folder;
}

/** A test on such a site. It is built once a worker: keep the tests of a file in one. */
export const test = base.extend<
  object,
  { connected: { site: RunningSite; thirdParty: ThirdParty } }
>({
  connected: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      const other = await runThirdParty();
      const folder = buildConnected(other.thirdParty.origin);
      const { site, stop } = await runSite(folder);
      await use({ site, thirdParty: other.thirdParty });
      await stop();
      await other.stop();
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ connected }, use) => use(connected.site.origin),
});
