import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadPages } from '../../http/pages/pages.ts';
import { openTestCalendar, respondsWith, type TestCalendar } from '../../testing/calendar.ts';
import { openTestSite, type TestSite } from '../../testing/site.ts';

const part = (name: string) =>
  `{{^${name}Unframed}}<iframe ${name}>{{/${name}Unframed}}{{#${name}Unframed}}<a ${name}>{{/${name}Unframed}}`;
const forbidden = respondsWith(200, { 'X-Frame-Options': 'DENY' });

let dist: string;
let calendar: TestCalendar;
let site: TestSite;
/** Number of requests that waited until a page was compressed. */
let waits: number;
/** Paths at which the calendar forbids framing. */
const refusing = new Set<string>();

beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'shingle-dist-'));
  await mkdir(join(dist, 'client'));
  await mkdir(join(dist, 'pages'));
  const home = `<html>{{origin}} ${part('strategyCall')} ${part('inboxReview')}</html>`;
  await writeFile(join(dist, 'pages/home.html'), home);
  await writeFile(join(dist, 'pages/app.html'), '<html>app</html>');
  await writeFile(join(dist, 'pages/not-found.html'), `<html>404 ${part('inboxReview')}</html>`);
  calendar = await openTestCalendar();
  refusing.clear();
  calendar.setBehaviour((res, req) => {
    (refusing.has(req.url ?? '') ? forbidden : respondsWith(200))(res, req);
  });
  waits = 0;
  const pages = loadPages(dist, { frames: [], scripts: [] });
  site = await openTestSite({
    pages: {
      ...pages,
      serve(...request) {
        const served = pages.serve(...request);
        if (served instanceof Promise) waits += 1;
        return served;
      },
    },
    calendars: {
      strategyCall: `${calendar.origin}/call`,
      inboxReview: `${calendar.origin}/review`,
    },
    calendarPace: { first: 20, every: 20, again: 20, timeout: 20_000 },
  });
});
afterEach(async () => {
  await site.close();
  await calendar.close();
  await rm(dist, { recursive: true });
});

const at = async (path: string) => (await site.fetch(path)).text();
const frames = (call: string, review: string) =>
  `<html>${site.origin} <${call} strategyCall> <${review} inboxReview></html>`;
const becomes = (path: string, html: string) =>
  vi.waitFor(async () => expect(await at(path)).toBe(html), 20_000);
/** Waits until every calendar was checked again. */
async function nextCheck() {
  const before = calendar.requests.length;
  await vi.waitFor(() => expect(calendar.requests.length).toBeGreaterThan(before + 4), 20_000);
}

it('page shows a link while a calendar forbids framing, and the frame again afterwards', async () => {
  await nextCheck();
  expect(await at('/')).toBe(frames('iframe', 'iframe'));
  refusing.add('/review');
  await becomes('/', frames('iframe', 'a'));
  refusing.add('/call');
  await becomes('/', frames('a', 'a'));
  refusing.delete('/review');
  await becomes('/', frames('a', 'iframe'));
  refusing.clear();
  await becomes('/', frames('iframe', 'iframe'));
});

it('no request waits for compression when a calendar’s state changes', async () => {
  await at('/');
  waits = 0;
  refusing.add('/review');
  await becomes('/', frames('iframe', 'a'));
  refusing.add('/call');
  await becomes('/', frames('a', 'a'));
  expect(waits).toBe(0);
});

it('every document with a booking dialog changes when a calendar forbids framing, and no other does', async () => {
  refusing.add('/review');
  await becomes('/', frames('iframe', 'a'));
  expect(await at('/nowhere')).toBe('<html>404 <a inboxReview></html>');
  for (const path of ['/admin', '/analytics']) expect(await at(path)).toBe('<html>app</html>');
});

it('page has another ETag while a calendar forbids framing, and the first one afterwards', async () => {
  const etag = async () => (await site.fetch('/')).headers.get('etag');
  const framed = await etag();
  refusing.add('/call');
  await becomes('/', frames('a', 'iframe'));
  expect(await etag()).not.toBe(framed);
  expect((await site.fetch('/', { headers: { 'if-none-match': framed ?? '' } })).status).toBe(200);
  refusing.clear();
  await becomes('/', frames('iframe', 'iframe'));
  expect(await etag()).toBe(framed);
});

it('page keeps its frames when the calendar cannot be reached', async () => {
  calendar.setBehaviour((res) => void res.destroy());
  await nextCheck();
  expect(await at('/')).toBe(frames('iframe', 'iframe'));
});

it('page requests do not cause requests to the calendar', async () => {
  const site = await openTestSite({
    pages: loadPages(dist, { frames: [], scripts: [] }),
    calendars: { strategyCall: `${calendar.origin}/unchecked` },
  });
  for (let n = 0; n < 5; n += 1) await site.fetch('/');
  await site.close();
  expect(calendar.requests).not.toContain('/unchecked');
});
