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
import { secret } from '../server/payments/test-stripe.ts';
import { site as placeholders } from '../site.config.ts';
import { test as base, type RunningSite, runSite } from './site.ts';

/** What the calendars do with who asks for them. */
type Mood = 'show' | 'refuse' | 'hang' | 'fail' | 'lead away' | 'talk first' | 'book';

interface ThirdParty {
  origin: string;
  /** Addresses browsers asked it for, in order. */
  asked: string[];
  /** Connections over which it was asked nothing yet. */
  silent: Set<Socket>;
  calendarsWill(mood: Mood): void;
}

/** Another company's server: calendars, a quiz, a checkout and the opt-in script. */
async function runThirdParty() {
  const asked: string[] = [];
  const silent = new Set<Socket>();
  let mood: Mood = 'show';
  const server = createServer((req, res) => {
    const path = req.url ?? '';
    silent.delete(req.socket);
    if (!req.headers['user-agent']?.startsWith('Shingle')) asked.push(path);
    if (path === '/opt-in.js') {
      res.setHeader('Content-Type', 'text/javascript');
      return void res.end('window.optedIn = (window.optedIn ?? 0) + 1;');
    }
    const isCalendar = /^\/(strategy-call|inbox-review)$/.test(path);
    if ((isCalendar && mood === 'hang') || path === '/never.png') return;
    if (isCalendar && mood === 'refuse') res.setHeader('X-Frame-Options', 'DENY');
    if (isCalendar && mood === 'fail') res.statusCode = 503;
    if (isCalendar && mood === 'lead away') {
      return void res.writeHead(302, { Location: `http://localhost:${port()}/inside` }).end();
    }
    res.setHeader('Content-Type', 'text/html');
    res.write('<!doctype html><html lang="en"><title>Another company</title>');
    res.write(`<main><h1>Welcome to ${path}</h1><button>Tuesday, 10:00</button></main>`);
    if (isCalendar && mood === 'talk first') {
      res.write(
        '<script>parent.postMessage({ event: "calendly.event_type_viewed" }, "*")</script>',
      );
      res.write('<img src="/never.png" alt="">');
    }
    if (isCalendar && mood === 'book') {
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
    calendarsWill(wanted) {
      mood = wanted;
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
  // Calendars are looked at every fifteen minutes: no test waits for that.
  const guardian = join(folder, 'server/booking/guardian.ts');
  const pace = 'pace = { first: 300, every: 300, again: 300, timeout: 2000 };';
  const hasty = readFileSync(guardian, 'utf8').replace(/pace = \{.*\};/, pace);
  if (!hasty.includes(pace)) throw new Error('The guardian keeps its pace elsewhere now.');
  writeFileSync(guardian, hasty);
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
    async ({ engine }, use) => {
      const other = await runThirdParty();
      const folder = buildConnected(other.thirdParty.origin);
      const { site, stop } = await runSite(engine, {
        cwd: folder,
        env: { STRIPE_WEBHOOK_SECRET: secret },
      });
      await use({ site, thirdParty: other.thirdParty });
      await stop();
      await other.stop();
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ connected }, use) => use(connected.site.origin),
});
