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
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { secret } from '../server/testing/stripe/events.ts';
import { site as placeholders } from '../site.config.ts';
import { test as base, expect, type RunningSite, runSite, usualInstances } from './site.ts';

/** What the calendars do with who asks for them. */
type Mood = 'show' | 'refuse' | 'hang' | 'lead away' | 'talk first' | 'book';

interface ThirdParty {
  origin: string;
  /** Addresses browsers asked it for, in order. */
  asked: string[];
  /** Connections over which it was asked nothing yet. */
  silent: Set<Socket>;
  /** Calendars that servers checked, in order. */
  checked: string[];
  /** What the calendars do from now on; the inbox review may do something else. */
  calendarsWill(mood: Mood, inboxReview?: Mood): void;
}

/** Another company's server: calendars, a quiz, a checkout and the opt-in script. */
async function runThirdParty() {
  const asked: string[] = [];
  const silent = new Set<Socket>();
  const checked: string[] = [];
  const moods: Record<string, Mood | undefined> = {};
  const server = createServer((req, res) => {
    const path = req.url ?? '';
    silent.delete(req.socket);
    const isServer = req.headers['user-agent']?.startsWith('Shingle');
    (isServer ? checked : asked).push(path);
    if (path === '/opt-in.js') {
      res.setHeader('Content-Type', 'text/javascript');
      return void res.end('window.optedIn = (window.optedIn ?? 0) + 1;');
    }
    const mood = moods[path];
    if (mood === 'hang' || path === '/never.png') return;
    if (mood === 'refuse') res.setHeader('X-Frame-Options', 'DENY');
    if (mood === 'lead away') {
      return void res.writeHead(302, { Location: `http://localhost:${port()}/inside` }).end();
    }
    res.setHeader('Content-Type', 'text/html');
    res.write('<!doctype html><html lang="en"><title>Another company</title>');
    res.write(`<main><h1>Welcome to ${path}</h1><button>Tuesday, 10:00</button></main>`);
    if (mood === 'talk first') {
      res.write(
        '<script>parent.postMessage({ event: "calendly.event_type_viewed" }, "*")</script>',
      );
      res.write('<img src="/never.png" alt="">');
    }
    if (mood === 'book') {
      res.write('<script>parent.postMessage({ event: "calendly.event_scheduled" }, "*")</script>');
    }
    res.end();
  });
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.on('close', () => silent.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const port = () => (server.address() as AddressInfo).port;
  const stop = () =>
    new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  const thirdParty: ThirdParty = {
    origin: `http://127.0.0.1:${port()}`,
    asked,
    silent,
    checked,
    calendarsWill(mood, inboxReview = mood) {
      moods['/strategy-call'] = mood;
      moods['/inbox-review'] = inboxReview;
    },
  };
  return { thirdParty, stop };
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
    .replace(placeholders.links.checkout, `${other}/pay`)
    .replace("optInScript: ''", `optInScript: '${other}/opt-in.js'`);
  writeFileSync(config, text);
  execFileSync(process.execPath, ['server/run.mjs', '--build-only'], {
    cwd: folder,
    stdio: 'pipe',
  });
  return folder;
}

interface Connected {
  site: RunningSite;
  thirdParty: ThirdParty;
  /** Starts the same build as another site, on a database of its own. */
  startAnother(): ReturnType<typeof runSite>;
}

/** A test on such a site. It is built once: the tests on it are in one project with one worker. */
export const test = base.extend<object, { connected: Connected }>({
  connected: [
    async ({ engine }, use) => {
      const { thirdParty, stop: stopThirdParty } = await runThirdParty();
      const folder = buildConnected(thirdParty.origin);
      const startAnother = () =>
        runSite(engine, { cwd: folder, env: { STRIPE_WEBHOOK_SECRET: secret } });
      const { site, stop } = await startAnother();
      // Servers check the calendars after their start, and then not before a quarter of an hour.
      await expect.poll(() => thirdParty.checked.length).toBe(2 * usualInstances[engine]);
      await use({ site, thirdParty, startAnother });
      await stop();
      await stopThirdParty();
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ connected }, use) => use(connected.site.origin),
});
