/** A site whose config has real URLs of third parties instead of placeholders. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openTestServer } from '../server/testing/http-server.ts';
import { copyProject } from '../server/testing/project-copy.ts';
import { secret } from '../server/testing/stripe/events.ts';
import { site as placeholders } from '../site.config.ts';
import { openOptInProvider, optInPlace, optInScripts } from './opt-in-provider.ts';
import { test as base, type RunningSite, runSite } from './site.ts';

/**
 * How a calendar responds: it loads, forbids framing, never responds, redirects to another host, sends
 * a message before it has loaded, or sends a booking message.
 */
type Behavior = 'load' | 'forbid' | 'hang' | 'redirect' | 'message first' | 'book';

interface ThirdParty {
  origin: string;
  /** The other host of the opt-in script. */
  optInHost: string;
  /** Paths that browsers requested, in order. */
  requested: string[];
  /** Connections without a request so far. */
  idle: Set<Socket>;
  /** Sets how the calendars respond from now on. */
  setCalendars(behavior: Behavior): void;
}

/** The server of a third party: calendars, a quiz, a checkout and the opt-in script. */
async function runThirdParty(optInHost: string) {
  const requested: string[] = [];
  const idle = new Set<Socket>();
  let calendars: Behavior = 'load';
  const { server, origin, close } = await openTestServer((req, res) => {
    const path = req.url ?? '';
    idle.delete(req.socket);
    requested.push(path);
    if (path === '/opt-in.js') {
      res.setHeader('Content-Type', 'text/javascript');
      return void res.end(optInScripts(optInHost).kit);
    }
    const isCalendar = path === '/strategy-call' || path === '/inbox-review';
    const behavior = isCalendar ? calendars : 'load';
    if (behavior === 'hang' || path === '/never.png') return;
    if (behavior === 'forbid') res.setHeader('X-Frame-Options', 'DENY');
    if (behavior === 'redirect') {
      return void res
        .writeHead(302, { Location: `${origin.replace('127.0.0.1', 'localhost')}/inside` })
        .end();
    }
    res.setHeader('Content-Type', 'text/html');
    res.write('<!doctype html><html lang="en"><title>Another company</title>');
    res.write(`<main><h1>Welcome to ${path}</h1><button>Tuesday, 10:00</button></main>`);
    if (behavior === 'message first') {
      res.write(
        '<script>parent.postMessage({ event: "calendly.event_type_viewed" }, "*")</script>',
      );
      res.write('<img src="/never.png" alt="">');
    }
    if (behavior === 'book') {
      res.write('<script>parent.postMessage({ event: "calendly.event_scheduled" }, "*")</script>');
    }
    res.end();
  });
  server.on('connection', (socket) => {
    idle.add(socket);
    socket.on('close', () => idle.delete(socket));
  });
  const thirdParty: ThirdParty = {
    origin,
    optInHost,
    requested,
    idle,
    setCalendars(behavior) {
      calendars = behavior;
    },
  };
  return { thirdParty, stop: close };
}

/** A text that adds a script, where it is not escaped. */
export const hostileText = '</style><script>a</script>';

/** Builds a copy of the project whose config has URLs at these origins; returns its folder. */
function buildConnected(origin: string, optInHost: string): string {
  const folder = copyProject();
  const config = join(folder, 'site.config.ts');
  const text = readFileSync(config, 'utf8')
    .replace("strategyCall: ''", `strategyCall: '${origin}/strategy-call'`)
    .replace("inboxReview: ''", `inboxReview: '${origin}/inbox-review'`)
    .replace(placeholders.links.quiz, `${origin}/quiz`)
    .replace(placeholders.links.checkout, `${origin}/pay`)
    .replace('notFound: {', `contactPages: { sending: ${JSON.stringify(hostileText)} }, $&`)
    .replace("optInScript: ''", `optInScript: '${origin}/opt-in.js'`)
    .replace(
      /optIn: \{[\s\S]*?\n {2}\},/,
      `optIn: { attributes: { 'data-uid': 'a1b2c3' }, hosts: ['${optInHost}'], place: ${JSON.stringify(optInPlace)} },`,
    );
  writeFileSync(config, text);
  // The calendars count as those of Cal.com, whose hosts a test cannot request.
  const services = join(folder, 'server/contract/calls.ts');
  const { hostname } = new URL(origin);
  writeFileSync(services, readFileSync(services, 'utf8').replace("'cal.com'", `'${hostname}'`));
  execFileSync(process.execPath, ['server/run.mjs', '--build-only'], {
    cwd: folder,
    stdio: 'pipe',
  });
  return folder;
}

/** Replaces the opt-in script by an empty one. */
export const withoutOptIn = (page: Page) =>
  page.route('**/opt-in.js', (route) => route.fulfill({ contentType: 'text/javascript' }));

interface Connected {
  site: RunningSite;
  thirdParty: ThirdParty;
  /** Starts another site from the same build, with its own database. */
  startAnother(env?: Record<string, string>): ReturnType<typeof runSite>;
}

/** A test on the connected site, which is built once: these tests run in one project with one worker. */
export const test = base.extend<object, { connected: Connected }>({
  connected: [
    async ({ engine }, use) => {
      const optIn = await openOptInProvider();
      const { thirdParty, stop: stopThirdParty } = await runThirdParty(optIn.origin);
      const folder = buildConnected(thirdParty.origin, optIn.origin);
      const startAnother = (env: Record<string, string> = {}) =>
        runSite(engine, { cwd: folder, env: { STRIPE_WEBHOOK_SECRET: secret, ...env } });
      const { site, stop } = await startAnother();
      await use({ site, thirdParty, startAnother });
      await stop();
      await stopThirdParty();
      await optIn.close();
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ connected }, use) => use(connected.site.origin),
});
